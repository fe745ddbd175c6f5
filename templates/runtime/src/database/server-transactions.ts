/** Transactions on a connection to a database server. */
import { GuardFailed } from './optimistic-write.ts';
import { Conflict, type Connection, ConnectionLost, ServerUnavailable } from './connection.ts';
import type { Planner, Transaction } from './write-plan.ts';
import type { Dialect } from './dialect.ts';
import { executePlan } from './execute-plan.ts';
import type { Sql } from './sql.ts';
import { createTransactionRunner, type TransactionRunner } from './transaction-runner.ts';

/** A running transaction. */
interface Running {
  readonly tx: Transaction;
  /** Whether a planner has made assumptions. */
  isGuarded(): boolean;
  /** Statements to run once it is over, keyed by their text. */
  readonly later: ReadonlyMap<string, Sql>;
}

/** `assuming`: whether planners may make assumptions. */
function openTransaction(runner: TransactionRunner, assuming: boolean): Running {
  const { dialect } = runner;
  const later = new Map<string, Sql>();
  let mayAssume = assuming && dialect.batches !== undefined;
  let isGuarded = false;

  async function writePart<T>(planner: Planner<T>): Promise<T> {
    const before = mayAssume;
    // A failed guard would roll back what the transaction did before, too.
    mayAssume = false;
    try {
      return await executePlan(await planner(tx), tx, runner, { commit: false });
    } catch (error) {
      runner.fail(error);
      throw error;
    } finally {
      mayAssume = before;
    }
  }

  const tx: Transaction = {
    dialect,
    all: async (sql) => (await runner.query(sql, 'rows'))?.rows ?? [],
    get: async (sql) => (await runner.query(sql, 'rows'))?.rows[0],
    run: async (sql) => ({ changes: (await runner.query(sql, 'changes'))?.changes ?? 0 }),
    assume(guard) {
      if (!mayAssume) return false;
      isGuarded = true;
      runner.assert(guard);
      return true;
    },
    attempt: (work) => runner.attempt(work),
    write: writePart,
    afterTransaction: (sql) => void later.set(sql.text, sql),
  };
  return {
    tx,
    later,
    isGuarded: () => isGuarded,
  };
}

/** The error that the caller of a failed transaction gets. */
function reasonOf(runner: TransactionRunner, isGuarded: boolean, error: unknown): unknown {
  const failure = runner.failure();
  const cause = failure?.error instanceof Conflict ? failure.error : error;
  if (!isGuarded || runner.isCommitted()) return cause;
  const isPassing = [Conflict, ConnectionLost, ServerUnavailable].some((kind) => cause instanceof kind);
  return isPassing ? cause : new GuardFailed(cause);
}

async function runAll(connection: Connection, statements: Iterable<Sql>): Promise<void> {
  try {
    for (const statement of statements) if (connection.usable) await connection.query(statement);
  } catch {
    connection.destroy();
  }
}

async function inTransaction<T>(
  dialect: Dialect,
  connection: Connection,
  assuming: boolean,
  work: (tx: Transaction, runner: TransactionRunner) => Promise<T>,
): Promise<T> {
  const runner = createTransactionRunner(dialect, connection);
  const running = openTransaction(runner, assuming);
  try {
    return await work(running.tx, runner);
  } catch (error) {
    await runner.rollback();
    throw reasonOf(runner, running.isGuarded(), error);
  } finally {
    await runAll(connection, running.later.values());
  }
}

/**
 * Runs `work` in a transaction: committed when it resolves, rolled back when it throws. `begin` replaces the usual commands
 * that begin it.
 */
export function runTransaction<T>(
  dialect: Dialect,
  connection: Connection,
  work: (tx: Transaction) => Promise<T>,
  begin?: readonly string[],
): Promise<T> {
  return inTransaction(dialect, connection, false, async (tx, runner) => {
    if (begin) await runner.begin(begin);
    const result = await work(tx);
    await runner.runLast([]);
    return result;
  });
}

/**
 * Executes a plan in a transaction, or without one if it is a single statement. With `assuming`, GuardFailed may be thrown.
 */
export function runWrite<T>(
  dialect: Dialect,
  connection: Connection,
  planner: Planner<T>,
  { assuming }: { readonly assuming: boolean },
): Promise<T> {
  return inTransaction(dialect, connection, assuming, async (tx, runner) =>
    executePlan(await planner(tx), tx, runner, { commit: true }),
  );
}
