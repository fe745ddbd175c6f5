/** The driver for MySQL and MariaDB. */
import { LRUCache } from 'lru-cache';
import { type Connection, withFunctions } from './connection.ts';
import type { Database } from './database.ts';
import { type DatabaseSettings, DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { type Connect, connectToOne, hostUrls } from './hosts.ts';
import { createLiveness } from './liveness.ts';
import { connectMysql, type KnownKeys, MYSQL_ACTIVITY, type MysqlConnection } from './mysql-connection.ts';
import { runCompound } from './mysql-batches.ts';
import { CATCH_UP, catchUpNode, createCatchUp, isClusterNode, requireReady } from './mysql-cluster.ts';
import { createKeyRows } from './mysql-key-rows.ts';
import { lockMigrations } from './mysql-migration-lock.ts';
import { galeraDialect, mysqlDialects, type MysqlFlavour } from './mysql-dialect.ts';
import { SORT_VARIABLES } from './mysql-sort-memory.ts';
import { connectAtStart, createServerDatabase, type ServerDriver } from './server-database.ts';
import { raw, type Sql } from './sql.ts';

/**
 * In milliseconds. While a migration waits for a table lock, all other statements on the table queue behind it, so it gives up soon
 * and is retried.
 */
const MIGRATION_LOCK_TIMEOUT = 5000;

/** In milliseconds; 0: no limit. */
interface Limits {
  readonly statement: number;
  /** How long a statement waits for a row or table lock. */
  readonly lock: number;
}

/** Only this isolation level keeps one snapshot for the whole transaction. */
const BEGIN_SNAPSHOT = [
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

const ROW_ESTIMATES = raw(
  'SELECT table_name AS name, table_rows AS estimate FROM information_schema.tables WHERE table_schema = DATABASE()',
);

const MODES = 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Statements that give each connection the same settings, whatever the server's defaults. */
function setUpFor(flavour: MysqlFlavour, limits: Limits): string[] {
  // The server only accepts whole seconds.
  const lock = Math.ceil(limits.lock / 1000);
  // MySQL's limit applies to SELECTs only. MariaDB's interrupts any statement, and does not always report it: see
  // `limitReads`.
  const limit = flavour === 'mariadb' ? 'max_statement_time = 0' : `max_execution_time = ${limits.statement}`;
  const variables = [
    'character_set_client = utf8mb4',
    'character_set_results = utf8mb4',
    // JSON functions return this collation, too; columns have their own, which takes precedence.
    'collation_connection = utf8mb4_bin',
    "time_zone = '+00:00'",
    `sql_mode = '${MODES}'`,
    'group_concat_max_len = 4294967295',
    ...SORT_VARIABLES,
    `lock_wait_timeout = ${lock}`,
    `innodb_lock_wait_timeout = ${lock}`,
    limit,
    // MySQL would cache the numbers of rows for a day.
    ...(flavour === 'mysql' ? ['information_schema_stats_expiry = 0'] : []),
  ];
  return [`SET ${variables.join(', ')}`, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
}

/** How many statement texts are cached with their limit. */
const MAX_READS = 1000;

/**
 * Has MariaDB interrupt reads outside of transactions after `limit` milliseconds (0: no limit). Not other statements: an
 * interrupted one may look as if it had succeeded. In transactions the client gives up and closes the connection.
 */
function limitReads(limit: number): (statement: Sql) => Sql {
  if (limit === 0) return (statement) => statement;
  const texts = new LRUCache<string, string>({ max: MAX_READS });
  return ({ text, params }) => {
    let made = texts.get(text);
    if (made === undefined) {
      made = `SET STATEMENT max_statement_time = ${limit / 1000} FOR ${text}`;
      texts.set(text, made);
    }
    return { text: made, params };
  };
}

/** The specifics of connections to MariaDB. */
function inBatches(connection: MysqlConnection, limited: (statement: Sql) => Sql): Connection {
  return withFunctions(connection, {
    read: (statement) => (statement === CATCH_UP ? catchUpNode(connection) : connection.query(limited(statement))),
    batch: (statements) => runCompound(connection, statements),
  });
}

function numbersOf(version: string): readonly number[] {
  // Some MariaDB servers prefix their version with one of MySQL.
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

/** Whether a server is MySQL or MariaDB. Throws if it is too old, or the URL names no database. */
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

/** The kind of server. */
interface Server {
  readonly flavour: MysqlFlavour;
  /** Whether it is a node of a Galera cluster. */
  readonly isNode: boolean;
}

async function serverOf(connection: Connection): Promise<Server> {
  const flavour = await flavourOf(connection);
  return { flavour, isNode: flavour === 'mariadb' && (await isClusterNode(connection)) };
}

/** How a connection is set up. */
interface How {
  readonly setUp: readonly string[];
  /** Time limit of a statement, in milliseconds; 0: no limit. */
  readonly statementTimeout: number;
}

/** Returns a function that connects to one host. */
function hostOf(url: string, keys: KnownKeys, { connectTimeout }: DatabaseSettings): Connect<How, MysqlConnection> {
  const liveness = createLiveness({
    connect: (timeout) => connectMysql(keys, { url, connectTimeout: timeout, statementTimeout: timeout, setUp: [] }),
    activity: MYSQL_ACTIVITY,
    connectTimeout,
  });
  return ({ setUp, statementTimeout }) => {
    // Without a limit there are no probes: only TCP itself ends such a connection.
    const watched = statementTimeout === 0 ? {} : { liveness };
    return connectMysql(keys, { url, connectTimeout, statementTimeout, setUp, ...watched });
  };
}

/**
 * Opens the database of a `mysql://` or `mariadb://` URL, as the driver `mysql2` reads it; its hosts may be several nodes of
 * one cluster. Throws with a readable message if the database can't be reached.
 */
export async function openMysql(
  url: string,
  settings: DatabaseSettings = DEFAULT_DATABASE_SETTINGS,
): Promise<Database> {
  const { statementTimeout, lockTimeout } = settings;
  const keys: KnownKeys = new Map();
  const hosts = hostUrls(url).map((one) => hostOf(one, keys, settings));
  let server: Server | undefined;
  const connectTo = connectToOne<How, MysqlConnection>(hosts, async (connection) => {
    server ??= await serverOf(connection);
    if (server.isNode) await requireReady(connection);
  });
  const first = await connectAtStart(() => connectTo({ setUp: [], statementTimeout }), settings);
  try {
    const { flavour, isNode } = server ?? (await serverOf(first));
    const limits: Limits = { statement: statementTimeout, lock: lockTimeout };
    for (const statement of setUpFor(flavour, limits)) await first.command(statement);
    if (isNode) await createKeyRows(first);
    const dialect = isNode ? galeraDialect : mysqlDialects[flavour];
    const sending = (connection: MysqlConnection, limited: (statement: Sql) => Sql): Connection =>
      dialect.batches ? inBatches(connection, limited) : connection;
    const connect = async (within: Limits, statementLimit: (statement: Sql) => Sql): Promise<Connection> => {
      const setUp = setUpFor(flavour, within);
      return sending(await connectTo({ setUp, statementTimeout: within.statement }), statementLimit);
    };
    const limited = limitReads(statementTimeout);
    const connectUnlimited = (): Promise<Connection> =>
      connect({ statement: 0, lock: MIGRATION_LOCK_TIMEOUT }, limitReads(0));
    const driver: ServerDriver = {
      dialect,
      connect: () => connect(limits, limited),
      connectUnlimited,
      connectToMigrate: connectUnlimited,
      rowEstimates: ROW_ESTIMATES,
      beginSnapshot: BEGIN_SNAPSHOT,
      lockMigrations: (connection, timeout) => lockMigrations(connection, timeout, connectUnlimited),
    };
    const database = createServerDatabase(driver, settings, sending(first, limited));
    return isNode ? { ...database, catchUp: createCatchUp(database) } : database;
  } catch (error) {
    await first.close();
    throw error;
  }
}
