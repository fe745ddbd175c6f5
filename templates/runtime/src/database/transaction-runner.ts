/** The statements of one transaction on a connection to a database server. */
import { Conflict, type Connection, ConnectionLost, EMPTY_RESULT, ServerUnavailable } from './connection.ts';
import type { Dialect } from './dialect.ts';
import type { PlanRunner } from './execute-plan.ts';
import type { Guard } from './guard.ts';
import { type Guarding, guardStatements } from './guard-statements.ts';
import { raw, type Sql } from './sql.ts';
import { type Result, statement, type Statement } from './write-plan.ts';

/** The spelling that every engine accepts, also inside batches. */
const BEGIN = statement(raw('START TRANSACTION'));
const COMMIT = statement(raw('COMMIT'));

const SAVEPOINT = 'SAVEPOINT attempt';
const RELEASE = 'RELEASE SAVEPOINT attempt';
const ROLLBACK_TO = 'ROLLBACK TO SAVEPOINT attempt';

const NO_GUARDS: Guarding = { before: [], moved: new Set() };

const uncertain = new WeakSet<ConnectionLost>();

/** Whether this error leaves it unknown if its transaction was committed. */
export function isUncertain(error: ConnectionLost): boolean {
  return uncertain.has(error);
}

/** Whether an error leaves nothing of its transaction. */
function endsTransaction(error: unknown): boolean {
  return [Conflict, ConnectionLost, ServerUnavailable].some((kind) => error instanceof kind);
}

/**
 * Begins with its first statement, runs statements one after the other, and refuses everything after an error (as PostgreSQL
 * does) and after its end.
 */
export interface TransactionRunner extends PlanRunner {
  /** The first error, if there was one. */
  failure(): { readonly error: unknown } | undefined;
  isCommitted(): boolean;
  /** Begins it at once with other commands: this fixes the snapshot that it reads. */
  begin(commands: readonly string[]): Promise<void>;
  /** Checks a guard together with the next statements. Only for engines with batches. */
  assert(guard: Guard): void;
  query(sql: Sql, returns: Statement['returns']): Promise<Result | undefined>;
  /** See `Transaction`. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses everything from now on, except ROLLBACK. */
  fail(error: unknown): void;
  /** Rolls back unless it is over. Never throws. */
  rollback(): Promise<void>;
}

export function createTransactionRunner(dialect: Dialect, connection: Connection): TransactionRunner {
  const { batches } = dialect;
  const guards: Guard[] = [];
  let state: 'new' | 'begun' | 'committed' | 'over' = 'new';
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** The statements that must run before a batch. */
  async function beginning(batch: readonly Statement[]): Promise<Guarding> {
    const isNew = state === 'new';
    state = 'begun';
    if (isNew && !batches) await connection.command(BEGIN.sql.text);
    if (!batches || (!isNew && guards.length === 0)) return NO_GUARDS;
    const { before, moved } = guardStatements(batches, guards.splice(0), batch);
    return { before: isNew ? [BEGIN, ...before] : before, moved };
  }

  async function run(batch: readonly Statement[]): Promise<readonly Result[]> {
    const { before, moved } = await beginning(batch);
    const results = await connection.batch([...before, ...batch.filter((one) => !moved.has(one))]);
    if (moved.size === 0) return before.length === 0 ? results : results.slice(before.length);
    let next = before.length - 1;
    return batch.map((one) => results[moved.has(one) ? before.indexOf(one) : (next += 1)] ?? EMPTY_RESULT);
  }

  async function runAndCommit(statements: readonly Statement[]): Promise<readonly Result[]> {
    const [only] = statements;
    // A single statement is a transaction by itself.
    if (state === 'new' && guards.length === 0 && statements.length < 2) {
      return only ? [await connection.query(only.sql)] : [];
    }
    if (batches) return (await run([...statements, COMMIT])).slice(0, -1);
    const results = await run(statements);
    await connection.command(COMMIT.sql.text);
    return results;
  }

  async function runLast(statements: readonly Statement[]): Promise<readonly Result[]> {
    try {
      const results = await runAndCommit(statements);
      state = 'committed';
      return results;
    } catch (error) {
      if (error instanceof ConnectionLost) uncertain.add(error);
      throw error;
    }
  }

  function fail(error: unknown): void {
    failure ??= { error };
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(() => {
      if (failure) throw failure.error;
      if (state === 'committed' || state === 'over') throw new Error('The transaction has ended');
      return work();
    });
    last = mine.catch(fail);
    return mine;
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    await inTurn(async () => {
      if (state === 'new') await connection.command(BEGIN.sql.text);
      state = 'begun';
      await connection.command(SAVEPOINT);
    });
    try {
      const result = await work();
      await inTurn(() => connection.command(RELEASE));
      return result;
    } catch (error) {
      await last;
      if (failure && endsTransaction(failure.error)) throw failure.error;
      failure = undefined;
      await inTurn(() => connection.command(ROLLBACK_TO));
      throw error;
    }
  }

  return {
    dialect,
    attempt,
    failure: () => failure,
    isCommitted: () => state === 'committed',
    async begin(commands) {
      state = 'begun';
      for (const text of commands) await connection.command(text);
    },
    assert(guard) {
      if (batches) guards.push(guard);
    },
    query: (sql, returns) => inTurn(async () => (await run([{ sql, returns }]))[0]),
    run: (statements) => inTurn(() => run(statements)),
    runLast: (statements) => inTurn(() => runLast(statements)),
    fail,
    async rollback() {
      await last;
      const isOpen = state === 'begun';
      if (state !== 'committed') state = 'over';
      if (!isOpen || !connection.usable) return;
      try {
        await connection.command('ROLLBACK');
      } catch {
        connection.destroy();
      }
    },
  };
}
