/** Transactions on a connection to a database server. */
import { Conflict, ConnectionLost, ServerUnavailable, type Connection, type Result } from './connection.ts';
import type { Executor, Sent } from './database.ts';
import type { Dialect } from './dialect.ts';
import type { Sql } from './sql.ts';

/** As every engine says it, also within other statements. */
const BEGIN = ['START TRANSACTION'];

const uncertain = new WeakSet<ConnectionLost>();

/** Whether it is an error after which nobody knows if the transaction was kept. */
export function isUncertain(error: ConnectionLost): boolean {
  return uncertain.has(error);
}

/** A transaction was undone that went on as if what it presumed were so: it is to be run without that. */
export class WrongPresumption extends Error {
  constructor(cause: unknown) {
    super('a transaction has to be run again', { cause });
    this.name = 'WrongPresumption';
  }
}

/** A transaction under way. It refuses whatever comes after an error, as PostgreSQL does, and after its end. */
interface Transaction {
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** The statements that were not waited for. */
  readonly sent: Promise<Result>[];
  /** Statements that are run when it is over, by their text. */
  readonly later: Map<string, Sql>;
  /** Undefined where nothing may be presumed. */
  presumed: boolean | undefined;
  /** `ending`: the end was sent. */
  state: 'open' | 'ending' | 'committed' | 'over';
  /** The first error. */
  failure: { readonly error: unknown } | undefined;
}

function check({ state, failure }: Transaction): void {
  if (state !== 'open') throw new Error('The transaction is over');
  if (failure) throw failure.error;
}

function fail(transaction: Transaction, error: unknown): void {
  transaction.failure ??= { error };
}

async function query(transaction: Transaction, statement: Sql): Promise<Result> {
  check(transaction);
  try {
    return await transaction.connection.query(statement);
  } catch (error) {
    fail(transaction, error);
    throw transaction.failure?.error;
  }
}

function send(transaction: Transaction, statement: Sql): Sent {
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
  transaction.state = 'ending';
  await commit(transaction);
  transaction.state = 'committed';
}

/** See `Executor.presume`. */
function presume(transaction: Transaction, statement: Sql): void {
  transaction.presumed = true;
  send(transaction, statement);
}

function executorOf(transaction: Transaction): Executor {
  const { dialect, later, presumed } = transaction;
  const { batches } = dialect;
  return {
    dialect,
    all: async (statement) => (await query(transaction, statement)).rows,
    get: async (statement) => (await query(transaction, statement)).rows[0],
    run: async (statement) => ({ changes: (await query(transaction, statement)).changes }),
    ...(batches && {
      send: (statement) => send(transaction, statement),
      end: () => end(transaction),
    }),
    ...(batches &&
      presumed !== undefined && {
        presume: (selects, count) => presume(transaction, batches.countOrFail(selects, count)),
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

/** What the caller of a transaction that failed is told. */
function reasonOf({ failure, presumed, state }: Transaction, error: unknown): unknown {
  const cause = failure?.error instanceof Conflict ? failure.error : error;
  if (!presumed || state === 'committed') return cause;
  const isPassing = [Conflict, ConnectionLost, ServerUnavailable].some((kind) => cause instanceof kind);
  return isPassing ? cause : new WrongPresumption(cause);
}

export interface TransactionOptions {
  readonly begin?: readonly string[];
  /** Whether it may presume; then it may throw WrongPresumption. */
  readonly presuming?: boolean;
}

/** Runs `work` in a transaction that `begin` begins: committed when it resolves, rolled back when it throws. */
export async function runTransaction<T>(
  dialect: Dialect,
  connection: Connection,
  work: (tx: Executor) => Promise<T>,
  { begin = BEGIN, presuming = false }: TransactionOptions = {},
): Promise<T> {
  const later = new Map<string, Sql>();
  const transaction: Transaction = {
    dialect,
    connection,
    sent: [],
    later,
    presumed: presuming ? false : undefined,
    state: 'open',
    failure: undefined,
  };
  const begun = runCommands(connection, begin);
  // The first statement may go with it: it is not done where there is no transaction.
  if (dialect.batches && begin.length === 1) begun.catch(() => undefined);
  else await begun;
  try {
    const result = await work(executorOf(transaction));
    if (transaction.failure) throw transaction.failure.error;
    if (transaction.state === 'open') await end(transaction);
    await begun;
    return result;
  } catch (error) {
    // In one batch with a statement that fails, the ROLLBACK would not be done.
    await Promise.allSettled([begun, ...transaction.sent]);
    const reason = reasonOf(transaction, error);
    transaction.state = 'over';
    if (connection.usable) await connection.command('ROLLBACK').catch(() => connection.destroy());
    throw reason;
  } finally {
    await runAll(connection, later.values());
  }
}
