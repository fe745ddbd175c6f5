/** Transactions on a connection to a database server. */
import { Conflict, ConnectionLost, ServerUnavailable, type Connection } from './connection.ts';
import type { Transaction } from './database.ts';
import type { Dialect } from './dialect.ts';
import { executePlan, type PlanRunner } from './execute-plan.ts';
import { raw, type Sql } from './sql.ts';
import { statement, type Planner, type Result, type Statement } from './write-plan.ts';

/** As every engine says it, also within other statements. */
const BEGIN = statement(raw('START TRANSACTION'));
const COMMIT = statement(raw('COMMIT'));

const uncertain = new WeakSet<ConnectionLost>();

/** Whether it is an error after which nobody knows if the transaction was kept. */
export function isUncertain(error: ConnectionLost): boolean {
  return uncertain.has(error);
}

/** A transaction was undone that went on as if a guard held: it is to be planned again without guards. */
export class GuardFailed extends Error {
  constructor(cause: unknown) {
    super('a transaction has to be planned again', { cause });
    this.name = 'GuardFailed';
  }
}

export interface TransactionOptions {
  /** The commands that begin it, where it is of another kind. */
  readonly begin?: readonly string[];
  /** Whether a planner may make assumptions; then GuardFailed may be thrown. */
  readonly assuming?: boolean;
}

/** As much of a statement as a connection has to know. */
type Asked = Pick<Statement, 'sql' | 'returns' | 'makes'>;

/**
 * A transaction under way. It begins with its first statement, runs one after the other, and refuses whatever comes after an
 * error, as PostgreSQL does, and after its end.
 */
interface Running {
  readonly tx: Transaction;
  readonly runner: PlanRunner;
  /** Begins it at once: what it sees is settled by that. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Undoes it, where it is not over; answers what its caller is told. */
  rollback(error: unknown): Promise<unknown>;
  /** Runs what was asked for `afterwards`. */
  end(): Promise<void>;
}

function openTransaction(
  dialect: Dialect,
  connection: Connection,
  { begin = [], assuming = false }: TransactionOptions,
): Running {
  const { batches } = dialect;
  /** Statements that are run when it is over, by their text. */
  const later = new Map<string, Sql>();
  const guards: Statement[] = [];
  let state: 'new' | 'begun' | 'over' = 'new';
  let mayAssume = assuming && batches !== undefined;
  let isGuarded = false;
  let isCommitted = false;
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function check(): void {
    if (failure) throw failure.error;
    if (state === 'over') throw new Error('The transaction is over');
  }

  async function beginning(): Promise<Statement[]> {
    if (state !== 'new') return guards.splice(0);
    state = 'begun';
    if (batches) return [BEGIN, ...guards.splice(0)];
    await connection.command(BEGIN.sql.text);
    return [];
  }

  /** Runs statements with what has to come before them. */
  async function run(statements: readonly Asked[]): Promise<readonly Result[]> {
    const before = await beginning();
    const results = await connection.batch([...before, ...statements]);
    return before.length === 0 ? results : results.slice(before.length);
  }

  async function runAndCommit(statements: readonly Asked[]): Promise<readonly Result[]> {
    const [only] = statements;
    // What is one statement is a transaction by itself.
    if (state === 'new' && guards.length === 0 && statements.length < 2) {
      return only ? [await connection.query(only.sql)] : [];
    }
    if (batches) return (await run([...statements, COMMIT])).slice(0, -1);
    const results = await run(statements);
    await connection.command('COMMIT');
    return results;
  }

  async function runLast(statements: readonly Asked[]): Promise<readonly Result[]> {
    try {
      const results = await runAndCommit(statements);
      state = 'over';
      isCommitted = true;
      return results;
    } catch (error) {
      if (error instanceof ConnectionLost) uncertain.add(error);
      throw error;
    }
  }

  /** One after the other: nothing is done after what has failed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(() => {
      check();
      return work();
    });
    last = mine.catch((error: unknown) => {
      failure ??= { error };
    });
    return mine;
  }

  const query = (sql: Sql, returns: Statement['returns']): Promise<Result | undefined> =>
    inTurn(async () => (await run([{ sql, returns }]))[0]);

  const runner: PlanRunner = {
    dialect,
    run: (statements) => inTurn(() => run(statements)),
    runLast: (statements) => inTurn(() => runLast(statements)),
  };
  const tx: Transaction = {
    dialect,
    all: async (sql) => (await query(sql, 'rows'))?.rows ?? [],
    get: async (sql) => (await query(sql, 'rows'))?.rows[0],
    run: async (sql) => ({ changes: (await query(sql, 'changes'))?.changes ?? 0 }),
    assume(guard) {
      if (!mayAssume || !batches) return false;
      isGuarded = true;
      guards.push(statement(batches.assertRowCount(guard)));
      return true;
    },
    write: (planner) => writePart(planner),
    afterwards: (sql) => void later.set(sql.text, sql),
  };

  async function writePart<T>(planner: Planner<T>): Promise<T> {
    const before = mayAssume;
    mayAssume = false;
    try {
      return await executePlan(await planner(tx), tx, runner, { commit: false });
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      mayAssume = before;
    }
  }

  return {
    tx,
    runner,
    async begin() {
      state = 'begun';
      for (const text of begin) await connection.command(text);
    },
    async commit() {
      await last;
      if (failure) throw failure.error;
      await runLast([]);
    },
    async rollback(error) {
      await last;
      const wasBegun = state === 'begun';
      state = 'over';
      if (wasBegun && connection.usable) await connection.command('ROLLBACK').catch(() => connection.destroy());
      const cause = failure?.error instanceof Conflict ? failure.error : error;
      if (!isGuarded || isCommitted) return cause;
      const isPassing = [Conflict, ConnectionLost, ServerUnavailable].some((kind) => cause instanceof kind);
      return isPassing ? cause : new GuardFailed(cause);
    },
    async end() {
      try {
        for (const one of later.values()) if (connection.usable) await connection.query(one);
      } catch {
        connection.destroy();
      }
    },
  };
}

async function running<T>(transaction: Running, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await transaction.rollback(error);
  } finally {
    await transaction.end();
  }
}

/** Runs `work` in a transaction: committed when it resolves, rolled back when it throws. */
export function runTransaction<T>(
  dialect: Dialect,
  connection: Connection,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const transaction = openTransaction(dialect, connection, options);
  return running(transaction, async () => {
    if (options.begin) await transaction.begin();
    const result = await work(transaction.tx);
    await transaction.commit();
    return result;
  });
}

/** Executes a plan in a transaction; one of a single statement needs none. */
export function runWrite<T>(
  dialect: Dialect,
  connection: Connection,
  planner: Planner<T>,
  options: TransactionOptions,
): Promise<T> {
  const transaction = openTransaction(dialect, connection, options);
  return running(transaction, async () => {
    const { tx, runner } = transaction;
    return executePlan(await planner(tx), tx, runner, { commit: true });
  });
}
