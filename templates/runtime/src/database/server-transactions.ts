/** Transactions on a connection to a database server. */
import { Conflict, ConnectionLost, type Connection, type Result } from './connection.ts';
import type { Executor, Sent } from './database.ts';
import type { Dialect } from './dialect.ts';
import { onlyReads } from './only-reads.ts';
import type { Sql } from './sql.ts';

/** As every engine says it, also within other statements. */
export const BEGIN = ['START TRANSACTION'];

const uncertain = new WeakSet<ConnectionLost>();

/** Whether it is an error after which nobody knows if the transaction was kept. */
export function isUncertain(error: ConnectionLost): boolean {
  return uncertain.has(error);
}

/** A transaction under way. It refuses whatever comes after an error, as PostgreSQL does, and after its end. */
interface Transaction {
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** Its beginning, which may not be answered yet. */
  readonly begun: Promise<void>;
  /** The statements that were not waited for. */
  readonly sent: Promise<Result>[];
  /** Statements that are run when it is over, by their text. */
  readonly later: Map<string, Sql>;
  state: 'beginning' | 'open' | 'over' | 'committed';
  /** The first error. */
  failure: { readonly error: unknown } | undefined;
}

function check({ state, failure }: Transaction): void {
  if (state === 'over' || state === 'committed') throw new Error('The transaction is over');
  if (failure) throw failure.error;
}

function fail(transaction: Transaction, error: unknown): void {
  transaction.failure ??= { error };
}

/**
 * The beginning, where it has to be waited for: until it is known that there is a transaction, only what has no effect may be
 * asked, unless it is not done then either.
 */
function beginningOf({ dialect, state, begun }: Transaction, text: string): Promise<void> | undefined {
  return state === 'beginning' && dialect.pipelining !== 'batches' && !onlyReads(text) ? begun : undefined;
}

async function query(transaction: Transaction, statement: Sql): Promise<Result> {
  const beginning = beginningOf(transaction, statement.text);
  if (beginning) await beginning;
  check(transaction);
  try {
    return await transaction.connection.query(statement);
  } catch (error) {
    fail(transaction, error);
    throw transaction.failure?.error;
  }
}

/** Sent when this function has waited for the beginning: what is sent next comes after it. */
async function send(transaction: Transaction, statement: Sql): Promise<Sent> {
  const beginning = beginningOf(transaction, statement.text);
  if (beginning) await beginning;
  check(transaction);
  const result = transaction.connection.send(statement);
  result.catch((error: unknown) => fail(transaction, error));
  transaction.sent.push(result);
  return { rows: async () => (await result).rows };
}

/** Where one of the statements that were sent fails, the server does not commit. */
async function commit({ connection, sent }: Transaction): Promise<void> {
  try {
    await Promise.all([...sent, connection.command('COMMIT')]);
  } catch (error) {
    if (error instanceof ConnectionLost) uncertain.add(error);
    throw error;
  }
}

async function end(transaction: Transaction): Promise<void> {
  check(transaction);
  transaction.state = 'committed';
  await commit(transaction);
}

function executorOf(transaction: Transaction): Executor {
  const { dialect, later } = transaction;
  return {
    dialect,
    all: async (statement) => (await query(transaction, statement)).rows,
    get: async (statement) => (await query(transaction, statement)).rows[0],
    run: async (statement) => ({ changes: (await query(transaction, statement)).changes }),
    ...(dialect.pipelining !== 'none' && {
      send: (statement) => send(transaction, statement),
      end: () => end(transaction),
    }),
    afterwards: (statement) => void later.set(statement.text, statement),
  };
}

async function runCommands(connection: Connection, commands: readonly string[]): Promise<void> {
  for (const command of commands) await connection.command(command);
}

async function runAll(connection: Connection, statements: Iterable<Sql>): Promise<void> {
  try {
    for (const statement of statements) if (connection.usable) await connection.query(statement);
  } catch {
    connection.destroy();
  }
}

/** Runs `work` in a transaction that `begin` begins: committed when it resolves, rolled back when it throws. */
export async function runTransaction<T>(
  dialect: Dialect,
  connection: Connection,
  work: (tx: Executor) => Promise<T>,
  begin: readonly string[] = BEGIN,
): Promise<T> {
  const later = new Map<string, Sql>();
  const transaction: Transaction = {
    dialect,
    connection,
    begun: runCommands(connection, begin).then(() => {
      if (transaction.state === 'beginning') transaction.state = 'open';
    }),
    sent: [],
    later,
    state: 'beginning',
    failure: undefined,
  };
  const { begun } = transaction;
  // The first statement may go with it.
  if (dialect.pipelining !== 'none' && begin.length === 1) begun.catch(() => undefined);
  else await begun;
  try {
    const result = await work(executorOf(transaction));
    if (transaction.failure) throw transaction.failure.error;
    if (transaction.state !== 'committed') await end(transaction);
    await begun;
    return result;
  } catch (error) {
    const { failure } = transaction;
    const isConsequence = failure && error !== failure.error && failure.error instanceof Conflict;
    transaction.state = 'over';
    if (connection.usable) await connection.command('ROLLBACK').catch(() => connection.destroy());
    throw isConsequence ? failure.error : error;
  } finally {
    await runAll(connection, later.values());
  }
}
