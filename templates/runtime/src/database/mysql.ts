/** The driver of MySQL and MariaDB. */
import { inBatches } from './batches.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { DEFAULT_DATABASE_SETTINGS, type DatabaseSettings } from './database-settings.ts';
import { connectMysql, type KnownKeys, type MysqlConnection } from './mysql-connection.ts';
import { runCompound } from './mysql-batches.ts';
import { mysqlDialects, type MysqlFlavour } from './mysql-dialect.ts';
import { connectAtStart, createServerDatabase, type ServerDriver } from './server-database.ts';
import { raw, sql } from './sql.ts';

/** How long a statement waits for a row, or a table, that another transaction has; in seconds. */
const LOCK_TIMEOUT = 10;
/** A migration that waits for a table makes all others wait behind it: it rather tries again. */
const MIGRATION_LOCK_TIMEOUT = 5;

/** Only at this level does a transaction keep the state that it began with. */
const BEGIN_SNAPSHOT = [
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

const MODES = 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Statements that make each connection the same, whatever the server was set to. Times are in milliseconds. */
function setUpFor(flavour: MysqlFlavour, limits: { readonly statement: number; readonly lock: number }): string[] {
  const limit =
    flavour === 'mariadb'
      ? `max_statement_time = ${limits.statement / 1000}`
      : `max_execution_time = ${limits.statement}`;
  const variables = [
    'character_set_client = utf8mb4',
    'character_set_results = utf8mb4',
    // What JSON functions answer has it too; columns have one of their own, which counts more.
    'collation_connection = utf8mb4_bin',
    "time_zone = '+00:00'",
    `sql_mode = '${MODES}'`,
    'group_concat_max_len = 4294967295',
    // Of a text that is sorted by, so many bytes count; the buffer has to hold at least 15 keys.
    'max_sort_length = 8192',
    'sort_buffer_size = 2097152',
    `lock_wait_timeout = ${limits.lock}`,
    `innodb_lock_wait_timeout = ${limits.lock}`,
    limit,
  ];
  return [`SET ${variables.join(', ')}`, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
}

function numbersOf(version: string): readonly number[] {
  // Some MariaDB servers put a version of MySQL before their own.
  return version
    .replace(/^5\.5\.5-/u, '')
    .split(/[.-]/u, 3)
    .map(Number);
}

function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  for (const [index, number] of least.entries()) {
    const difference = (version[index] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Which of the two a server is. Throws where it is too old, or the URL names no database. */
async function flavourOf(connection: Connection): Promise<MysqlFlavour> {
  const { rows } = await connection.query(raw('SELECT VERSION() AS version, DATABASE() AS name'));
  const version = String(rows[0]?.['version']);
  if ((rows[0]?.['name'] ?? null) === null) {
    throw new Error('DATABASE_URL names no database. Write it as mysql://user:password@host/database.');
  }
  const flavour = /mariadb/iu.test(version) ? 'mariadb' : 'mysql';
  if (isAtLeast(numbersOf(version), flavour === 'mariadb' ? [10, 6] : [8, 0, 21])) return flavour;
  throw new Error(`The database server is ${version}. This server needs MySQL 8.0.21 or MariaDB 10.6, or newer.`);
}

/** The lock is the server's, so that its name has the database in it; it has at most 64 characters. */
async function lockMigrations(connection: Connection, timeout: number): Promise<boolean> {
  const { rows } = await connection.query(
    sql`SELECT GET_LOCK(CONCAT('migrations:', MD5(DATABASE())), ${Math.ceil(timeout / 1000)}) AS locked`,
  );
  return Number(rows[0]?.['locked']) === 1;
}

/**
 * Opens the database of a `mysql://` or `mariadb://` URL, as the driver `mysql2` reads it. Throws with a message for people
 * where it can't be reached.
 */
export async function openMysql(
  url: string,
  settings: DatabaseSettings = DEFAULT_DATABASE_SETTINGS,
): Promise<Database> {
  const { statementTimeout, connectTimeout } = settings;
  const keys: KnownKeys = new Map();
  const options = { url, connectTimeout, statementTimeout };
  const first = await connectAtStart(() => connectMysql(keys, { ...options, setUp: [] }), settings);
  try {
    const flavour = await flavourOf(first);
    const limits = { statement: statementTimeout, lock: LOCK_TIMEOUT };
    for (const statement of setUpFor(flavour, limits)) await first.command(statement);
    const dialect = mysqlDialects[flavour];
    const sending = (connection: MysqlConnection): Connection =>
      dialect.batches ? inBatches(connection, (batch) => runCompound(connection, batch)) : connection;
    const connect = async (statement: number, lock: number): Promise<Connection> =>
      sending(
        await connectMysql(keys, {
          ...options,
          statementTimeout: statement,
          setUp: setUpFor(flavour, { statement, lock }),
        }),
      );
    const driver: ServerDriver = {
      dialect,
      connect: () => connect(statementTimeout, LOCK_TIMEOUT),
      connectUnlimited: () => connect(0, MIGRATION_LOCK_TIMEOUT),
      beginSnapshot: BEGIN_SNAPSHOT,
      lockMigrations,
    };
    return createServerDatabase(driver, settings, sending(first));
  } catch (error) {
    await first.close();
    throw error;
  }
}
