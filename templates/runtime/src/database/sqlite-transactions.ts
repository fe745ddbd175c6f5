/**
 * The transactions of the writing connection. They run one at a time, but those that are waiting are committed together,
 * since a commit costs more than its statements. Each later one is a savepoint, so that it leaves nothing behind if it
 * fails.
 */
import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { counters } from '../base/counters.ts';
import { GuardFailed, optimisticFirst } from './optimistic-write.ts';
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
} from './write-plan.ts';
import type { SerialQueue } from './serial-queue.ts';
import { raw, type Sql } from './sql.ts';
import { isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** How long a write waits while another process writes, in milliseconds. */
export const BUSY_TIMEOUT = 5000;
/**
 * For how long a group accepts further transactions, in milliseconds: then reads get their turn, and callers get their
 * results.
 */
const GROUP_TIME = 5;

/** For how long the statements of a plan may run before other requests get a turn, in milliseconds. */
const TIME_PER_TURN = 15;

const BEGIN = raw('BEGIN IMMEDIATE');
const COMMIT = raw('COMMIT');
export const ROLLBACK = raw('ROLLBACK');
const SAVEPOINT = raw('SAVEPOINT one');
const RELEASE = raw('RELEASE one');
const ROLLBACK_TO = raw('ROLLBACK TO one');
const BEGIN_ATTEMPT = raw('SAVEPOINT attempt');
const END_ATTEMPT = raw('RELEASE attempt');
const UNDO_ATTEMPT = raw('ROLLBACK TO attempt');

type Work<T> = (tx: Transaction) => Promise<T>;

/** Runs a function in the async context of the request that queued it, rather than of the one that runs the queue. */
type Enter = <R>(run: () => R) => R;

const enterDirectly: Enter = (run) => run();

/** Captures the current AsyncLocalStorage context. */
function captureContext(): Enter {
  const resource = new AsyncResource('transaction');
  return (run) => resource.runInAsyncScope(run);
}

/** A queued transaction. */
interface Queued {
  readonly enter: Enter;
  readonly work: Work<unknown>;
  readonly assuming: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Retries an action until no other process holds the lock. It must have no effect when it fails. */
async function retryWhileBusy<T>(action: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        throw error;
      }
      counters.databaseBusy += 1;
      await sleep(5);
    }
  }
}

function runStatement(writer: SqliteConnection, { sql, returns, generatedId }: Statement): Result {
  if (returns !== 'rows') {
    const result = writer.run(sql);
    generatedId?.set(result.insertId ?? 0);
    return result;
  }
  const rows = writer.returning(sql);
  const [row] = rows;
  if (row) generatedId?.set(Number(row['id']));
  return { rows, changes: rows.length };
}

/**
 * Runs statements until the time per turn is over, or up to a step that can only be planned once they are done. Returns that step
 * and the rest; undefined if all are done.
 */
function runStatements(
  writer: SqliteConnection,
  steps: readonly Step[],
  outcome: ReturnType<typeof createOutcome>,
): { readonly step: LaterSteps | undefined; readonly rest: readonly Step[] } | undefined {
  const end = performance.now() + TIME_PER_TURN;
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') return { step, rest: steps.slice(index + 1) };
    const result = runStatement(writer, step);
    outcome.add(step, result);
    requireRow(step, result);
    if (performance.now() > end) return { step: undefined, rest: steps.slice(index + 1) };
  }
  return undefined;
}

/** The result of planning. If that took long, other requests get a turn before its statements run. */
async function planned<T>(plan: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + TIME_PER_TURN;
  const result = await plan();
  if (performance.now() > end) await nextTurn();
  return result;
}

/**
 * Plans, and executes the plan step by step. Reads in between don't see its changes: they have a connection of their own.
 */
async function executePlan<T>(writer: SqliteConnection, tx: Transaction, planner: Planner<T>): Promise<T> {
  const outcome = createOutcome();
  const plan = await planned(() => planner(tx));
  for (let { steps } = plan; ;) {
    const later = runStatements(writer, steps, outcome);
    if (!later) break;
    const { step, rest } = later;
    if (step) steps = [...(await planned(() => step(tx, outcome))), ...rest];
    else {
      await nextTurn();
      steps = rest;
    }
  }
  if (plan.read) outcome.rows = writer.all(plan.read);
  return plan.answer(outcome);
}

/** A transaction of the writer. After `close` it refuses statements, so that work that was not awaited can't write later. */
interface Running {
  readonly tx: Transaction;
  /** Throws if a plan failed after part of it was written. */
  check(): void;
  /** Whether a planner has made assumptions. */
  hasAssumed(): boolean;
  close(): void;
}

/** `assuming`: whether planners may make assumptions. */
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
      throw new Error('The transaction has ended');
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
        return await executePlan(connection(), tx, planner);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
    async attempt(work) {
      connection().run(BEGIN_ATTEMPT);
      try {
        const result = await work();
        connection().run(END_ATTEMPT);
        return result;
      } catch (error) {
        failure ??= { error };
        // Some errors, such as a full disk, roll back the whole transaction.
        if (!writer.inTransaction) throw error;
        writer.run(UNDO_ATTEMPT);
        writer.run(END_ATTEMPT);
        failure = undefined;
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

/** Whether an error may be due to a missing row that a planner assumed to exist. */
function mayBeFailedGuard(error: unknown): boolean {
  return [ForeignKeyViolation, UniqueViolation, ValidationError].some((kind) => error instanceof kind);
}

async function runWork(writer: SqliteConnection, { work, assuming }: Queued): Promise<unknown> {
  const { tx, check, hasAssumed, close } = openTransaction(writer, assuming);
  try {
    const result = await work(tx);
    check();
    return result;
  } catch (error) {
    throw hasAssumed() && mayBeFailedGuard(error) ? new GuardFailed(error) : error;
  } finally {
    close();
  }
}

/** Runs a further transaction of a group; returns a function that settles it. Throws if the whole group was rolled back. */
async function runSavepoint(writer: SqliteConnection, queued: Queued): Promise<() => void> {
  writer.run(SAVEPOINT);
  try {
    const result = await runWork(writer, queued);
    writer.run(RELEASE);
    return () => queued.resolve(result);
  } catch (error) {
    // Some errors, such as a full disk, roll back the whole transaction.
    if (!writer.inTransaction) throw error;
    writer.run(ROLLBACK_TO);
    writer.run(RELEASE);
    return () => queued.reject(error);
  }
}

/** Runs the waiting transactions and commits them together. None is settled before the commit. */
async function runGroup(writer: SqliteConnection, waiting: Queued[], onWrite: () => void): Promise<void> {
  if (waiting.length === 0) return;
  // Lets requests that have arrived by now join the group.
  await nextTurn();
  const first = waiting.shift();
  if (!first) return;
  const group = [first];
  // SQLite restarts the write-ahead log only while nobody reads from it.
  onWrite();
  try {
    await first.enter(() => retryWhileBusy(() => writer.run(BEGIN)));
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
  /** How many transactions wait for their turn. */
  waiting(): number;
}

/**
 * Runs transactions through `queue`, which other work shares. `isWatched`: statements must be attributed to the request that
 * caused them. `onWrite` is called before and after each group.
 */
export function createTransactions(
  writer: SqliteConnection,
  queue: SerialQueue,
  { isWatched, onWrite }: { readonly isWatched: boolean; readonly onWrite: () => void },
): Transactions {
  const waiting: Queued[] = [];

  function run<T>(work: Work<T>, assuming: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const enter = isWatched ? captureContext() : enterDirectly;
      waiting.push({ enter, work, assuming, resolve: (result) => resolve(result as T), reject });
      void queue.run(() => runGroup(writer, waiting, onWrite));
    });
  }

  return {
    run: (work) => run(work, false),
    write: (planner) => optimisticFirst((assuming) => run((tx) => tx.write(planner), assuming)),
    waiting: () => waiting.length,
  };
}
