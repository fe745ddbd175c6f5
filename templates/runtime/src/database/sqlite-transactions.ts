/**
 * The transactions of the connection that writes: one at a time, but those that wait for one another are committed together,
 * for a commit costs more than what is in it. Each is a savepoint of its own, so that one which fails leaves nothing.
 */
import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { measures } from '../base/measures.ts';
import { assumingFirst, GuardFailed } from './assuming-first.ts';
import { ValidationError } from '../contract/errors.ts';
import { ForeignKeyViolation, UniqueViolation } from './database.ts';
import {
  createOutcome,
  type LaterSteps,
  type Planner,
  requireRow,
  type Result,
  type Statement,
  type Step,
  type Transaction,
  type WritePlan,
} from './write-plan.ts';
import type { SerialQueue } from './serial-queue.ts';
import { raw, type Sql } from './sql.ts';
import { isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** How long a write waits for another process that writes, in milliseconds. */
export const BUSY_TIMEOUT = 5000;
/** For how long a group takes up further transactions, in milliseconds: then reads get their turn, and whoever waits is told. */
const GROUP_TIME = 5;

const BEGIN = raw('BEGIN IMMEDIATE');
const COMMIT = raw('COMMIT');
export const ROLLBACK = raw('ROLLBACK');
const SAVEPOINT = raw('SAVEPOINT one');
const RELEASE = raw('RELEASE one');
const ROLLBACK_TO = raw('ROLLBACK TO one');

type Work<T> = (tx: Transaction) => Promise<T>;

/** Runs something as a part of the request that asked for it, rather than of the one whose turn it is. */
type Enter = <R>(run: () => R) => R;

const enterNothing: Enter = (run) => run();

/** Keeps what is in AsyncLocalStorage now. */
function enterAgain(): Enter {
  const resource = new AsyncResource('transaction');
  return (run) => resource.runInAsyncScope(run);
}

/** A transaction that was asked for. */
interface Asked {
  readonly enter: Enter;
  readonly work: Work<unknown>;
  readonly assuming: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tries an action until no other process holds the lock. It must have had no effect when it fails. */
async function whenFree<T>(action: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        throw error;
      }
      measures.databaseBusy += 1;
      await sleep(5);
    }
  }
}

function runStatement(writer: SqliteConnection, { sql, returns, makes }: Statement): Result {
  if (returns !== 'rows') {
    const result = writer.run(sql);
    makes?.set(result.insertId ?? 0);
    return result;
  }
  const rows = writer.returning(sql);
  const [row] = rows;
  if (row) makes?.set(Number(row['id']));
  return { rows, changes: rows.length };
}

/** Runs statements up to what can only be planned when they are done; answers that, and what follows it. */
function runStatements(
  writer: SqliteConnection,
  steps: readonly Step[],
  outcome: ReturnType<typeof createOutcome>,
): { readonly step: LaterSteps; readonly rest: readonly Step[] } | undefined {
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') return { step, rest: steps.slice(index + 1) };
    const result = runStatement(writer, step);
    outcome.add(step, result);
    requireRow(step, result);
  }
  return undefined;
}

/** Executes a plan step by step. */
async function executePlan<T>(writer: SqliteConnection, tx: Transaction, plan: WritePlan<T>): Promise<T> {
  const outcome = createOutcome();
  for (let { steps } = plan; ;) {
    const later = runStatements(writer, steps, outcome);
    if (!later) break;
    steps = [...(await later.step(tx, outcome)), ...later.rest];
  }
  if (plan.read) outcome.rows = writer.all(plan.read);
  return plan.answer(outcome);
}

/** A transaction of the writer; `close` ends it: then it refuses, so that work that was not awaited can't write later. */
interface Running {
  readonly tx: Transaction;
  /** Throws where a plan has failed, of which something was written. */
  check(): void;
  /** Whether a planner has made assumptions. */
  hasAssumed(): boolean;
  close(): void;
}

/** `assuming`: whether a planner may make assumptions. */
function openTransaction(writer: SqliteConnection, assuming: boolean): Running {
  const later: Sql[] = [];
  let open = true;
  let hasAssumed = false;
  let failure: { readonly error: unknown } | undefined;
  const check = (): void => {
    if (failure) throw failure.error;
  };
  const connection = (): SqliteConnection => {
    if (!open) {
      throw new Error('The transaction is over');
    }
    check();
    return writer;
  };
  const tx: Transaction = {
    dialect: sqliteDialect,
    all: async (statement) => connection().all(statement),
    get: async (statement) => connection().get(statement),
    run: async (statement) => ({ changes: connection().run(statement).changes }),
    assume({ isKeyed }) {
      const may = assuming && isKeyed;
      hasAssumed ||= may;
      return may;
    },
    async write(planner) {
      try {
        return await executePlan(connection(), tx, await planner(tx));
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
    afterTransaction: (statement) => void later.push(statement),
  };
  return {
    tx,
    check,
    hasAssumed: () => hasAssumed,
    close: () => {
      open = false;
      for (const statement of later) writer.run(statement);
    },
  };
}

/** Whether an error may be there, or lack something, because a row is missing that a planner took for there. */
function isPerhapsOfGuard(error: unknown): boolean {
  return [ForeignKeyViolation, UniqueViolation, ValidationError].some((kind) => error instanceof kind);
}

async function runWork(writer: SqliteConnection, { work, assuming }: Asked): Promise<unknown> {
  const { tx, check, hasAssumed, close } = openTransaction(writer, assuming);
  try {
    const result = await work(tx);
    check();
    return result;
  } catch (error) {
    throw hasAssumed() && isPerhapsOfGuard(error) ? new GuardFailed(error) : error;
  } finally {
    close();
  }
}

/** Runs a further transaction of a group; answers how it is told its end. Throws where the whole group is undone. */
async function runSavepoint(writer: SqliteConnection, asked: Asked): Promise<() => void> {
  writer.run(SAVEPOINT);
  try {
    const result = await runWork(writer, asked);
    writer.run(RELEASE);
    return () => asked.resolve(result);
  } catch (error) {
    // Some errors, such as a full disk, have rolled back everything.
    if (!writer.inTransaction) throw error;
    writer.run(ROLLBACK_TO);
    writer.run(RELEASE);
    return () => asked.reject(error);
  }
}

/** Runs what waits, and commits it. Nobody is told before that. */
async function runGroup(writer: SqliteConnection, waiting: Asked[], onWrite: () => void): Promise<void> {
  if (waiting.length === 0) return;
  // Requests that have arrived by now get to ask too.
  await nextTurn();
  const first = waiting.shift();
  if (!first) return;
  const group = [first];
  // The log of SQLite begins anew where nobody reads it.
  onWrite();
  try {
    await first.enter(() => whenFree(() => writer.run(BEGIN)));
    const deadline = performance.now() + GROUP_TIME;
    const result = await first.enter(() => runWork(writer, first));
    const ends = [() => first.resolve(result)];
    while (performance.now() < deadline) {
      const next = waiting.shift();
      if (!next) break;
      group.push(next);
      ends.push(await next.enter(() => runSavepoint(writer, next)));
    }
    first.enter(() => writer.run(COMMIT));
    onWrite();
    for (const end of ends) end();
  } catch (error) {
    if (writer.inTransaction) writer.run(ROLLBACK);
    for (const { reject } of group) reject(error);
  }
}

export interface Transactions {
  run<T>(work: Work<T>): Promise<T>;
  /** Executes a plan in a transaction of its own. */
  write<T>(planner: Planner<T>): Promise<T>;
  /** How many wait for their turn. */
  waiting(): number;
}

/**
 * Runs transactions, in turn with whatever else is in the queue. `isWatched`: somebody wants to know which statements belong to which
 * request. `onWrite` is called before and after each that writes.
 */
export function createTransactions(
  writer: SqliteConnection,
  queue: SerialQueue,
  { isWatched, onWrite }: { readonly isWatched: boolean; readonly onWrite: () => void },
): Transactions {
  const waiting: Asked[] = [];

  function run<T>(work: Work<T>, assuming: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const enter = isWatched ? enterAgain() : enterNothing;
      waiting.push({ enter, work, assuming, resolve: (result) => resolve(result as T), reject });
      void queue.run(() => runGroup(writer, waiting, onWrite));
    });
  }

  return {
    run: (work) => run(work, false),
    write: (planner) => assumingFirst((assuming) => run((tx) => tx.write(planner), assuming)),
    waiting: () => waiting.length,
  };
}
