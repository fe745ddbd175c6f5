/** The PostgreSQL driver. */
import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from './sql.ts';
import type { Connection } from './connection.ts';
import { hostUrls } from './hosts.ts';
import { createLiveness } from './liveness.ts';
import { connectPostgres, createPostgresStatements, POSTGRES_ACTIVITY } from './postgres-connection.ts';
import { connectToWriter } from './postgres-hosts.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { connectAtStart, createServerDatabase, type Release, type ServerDriver } from './server-database.ts';
import { type DatabaseSettings, DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import type { Database } from './database.ts';

const MIN_VERSION = 130_000;

/** The key of the advisory lock for migrations: an arbitrary constant. PostgreSQL scopes it to the database. */
const MIGRATION_LOCK = 4_733_906_123_457_001n;
/** The pause between attempts to get that lock, in milliseconds. */
const LOCK_PAUSE = 100;

/** The snapshot is taken by the first statement after the start of the transaction. */
export const BEGIN_SNAPSHOT = ['START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', 'SELECT 1'];

/** The planner's own estimate: the density of the last ANALYZE or VACUUM, or a usual one, times the current size. */
export const POSTGRES_ROW_ESTIMATES = raw(`SELECT relname AS name,
  pg_relation_size(oid) / current_setting('block_size')::bigint *
  CASE WHEN reltuples > 0 AND relpages > 0 THEN reltuples / relpages ELSE 100 END AS estimate
FROM pg_class WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`);

/** Which transactions are visible, by their numbers. Another server, and one restored from a backup, may give the same numbers again. */
const STATE = raw("SELECT pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text AS state");

/** How long a transaction may be idle between statements, in milliseconds. */
const IDLE_TRANSACTION_TIMEOUT = 60_000;
/**
 * In milliseconds. While a migration waits for a table lock, all other statements on the table queue behind it, so it gives up soon
 * and is retried.
 */
const MIGRATION_LOCK_TIMEOUT = 5000;

/**
 * Settings that every connection gets, whatever the defaults of the server, the database or the role. Times are in
 * milliseconds.
 */
function settingsFor(limits: { statement: number; lock: number; idle: number }): Readonly<Record<string, string>> {
  return {
    TimeZone: 'UTC',
    standard_conforming_strings: 'on',
    // Reads consist of many small steps, which take longer to compile than to run.
    jit: 'off',
    default_transaction_isolation: 'read committed',
    statement_timeout: String(limits.statement),
    lock_timeout: String(limits.lock),
    idle_in_transaction_session_timeout: String(limits.idle),
  };
}

/** Throws if the server is too old, or the database's encoding is not UTF-8. */
async function checkServer(connection: Connection): Promise<void> {
  const settings = raw(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  const { rows } = await connection.query(settings);
  if (Number(rows[0]?.['version']) < MIN_VERSION) throw new Error('This server needs PostgreSQL 13 or newer.');
  if (rows[0]?.['encoding'] !== 'UTF8') {
    throw new Error(`The database has the encoding ${String(rows[0]?.['encoding'])}: create it with ENCODING 'UTF8'.`);
  }
}

async function sessionOf(connection: Connection): Promise<unknown> {
  const { rows } = await connection.query(raw('SELECT pg_backend_pid() AS session'));
  return rows[0]?.['session'];
}

/** Whether two open connections share a server session, as over a pooler in transaction mode. */
async function sharesSessions(connection: Connection, connectOther: () => Promise<Connection>): Promise<boolean> {
  const other = await connectOther();
  try {
    return (await sessionOf(connection)) === (await sessionOf(other));
  } finally {
    await other.close();
  }
}

const POOLER = 'points to a pooler in transaction mode, which reassigns a connection after each transaction';

/** Throws if a session lock would not keep other processes from migrating. */
async function checkSession(connection: Connection, connectOther: () => Promise<Connection>): Promise<void> {
  if (!(await sharesSessions(connection, connectOther))) return;
  throw new Error(
    `DATABASE_URL ${POOLER}. Migrations need a session of their own: set MIGRATE_DATABASE_URL to the address of PostgreSQL itself, ` +
      'and DATABASE_PREPARED=false; or set pool_mode = session in PgBouncer.',
  );
}

const SAME = raw('SELECT current_database() AS name, pg_postmaster_start_time()::text AS started');

/**
 * Throws unless migrations connect to the same database as everything else, and `DATABASE_PREPARED` fits how that is
 * reached.
 */
async function checkMigrateUrl(driver: ServerDriver, first: Connection, { prepared }: DatabaseSettings): Promise<void> {
  const direct = await driver.connectToMigrate();
  try {
    const [here, there] = [(await first.query(SAME)).rows[0], (await direct.query(SAME)).rows[0]];
    if (here?.['name'] !== there?.['name'] || here?.['started'] !== there?.['started']) {
      throw new Error('MIGRATE_DATABASE_URL points to a different database than DATABASE_URL.');
    }
  } finally {
    await direct.close();
  }
  if (prepared && (await sharesSessions(first, driver.connect))) {
    throw new Error(`DATABASE_URL ${POOLER}: set DATABASE_PREPARED=false.`);
  }
}

/** Polls for the lock: waiting for it in one statement would block what the other process does. */
async function lockMigrations(connection: Connection, timeout: number): Promise<Release | undefined> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const { rows } = await connection.query(raw(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`));
    // The lock ends with the connection.
    if (rows[0]?.['locked'] === 1) return () => Promise.resolve();
    if (performance.now() > deadline) return undefined;
    await sleep(LOCK_PAUSE);
  }
}

/** How to connect to one server. */
export interface PostgresServer {
  connect(): Promise<Connection>;
  /** A connection whose every operation is limited to `timeout` milliseconds. */
  connectBriefly(timeout: number): Promise<Connection>;
}

/** Connections to the server of a URL with one host. */
export function postgresServer(url: string, settings: DatabaseSettings): PostgresServer {
  const { statementTimeout, connectTimeout, lockTimeout, prepared } = settings;
  const statements = createPostgresStatements(prepared);
  const limits = settingsFor({ statement: statementTimeout, lock: lockTimeout, idle: IDLE_TRANSACTION_TIMEOUT });
  const options = { url, connectTimeout, statementTimeout, settings: limits, pooled: !prepared };
  const connectBriefly: PostgresServer['connectBriefly'] = (timeout) =>
    connectPostgres(statements, { ...options, connectTimeout: timeout, statementTimeout: timeout });
  const liveness = createLiveness({ connect: connectBriefly, activity: POSTGRES_ACTIVITY, connectTimeout });
  return { connect: () => connectPostgres(statements, { ...options, liveness }), connectBriefly };
}

/** Connects to the only host of a URL, or to the writable one of several. */
function connectingTo(hosts: readonly (() => Promise<Connection>)[]): () => Promise<Connection> {
  return hosts.length === 1 && hosts[0] ? hosts[0] : connectToWriter(hosts);
}

/** Connects to the primary; every operation is limited to `timeout` milliseconds. */
export function connectPrimary(url: string, settings: DatabaseSettings): (timeout: number) => Promise<Connection> {
  const servers = hostUrls(url).map((one) => postgresServer(one, settings));
  return (timeout) => connectingTo(servers.map((server) => () => server.connectBriefly(timeout)))();
}

/**
 * Opens the database of a `postgres://` URL, as the driver `pg` reads it; it may have several hosts. Throws with a readable
 * message if the database can't be reached.
 */
export async function openPostgres(
  url: string,
  settings: DatabaseSettings = DEFAULT_DATABASE_SETTINGS,
): Promise<Database> {
  const { connectTimeout, prepared, migrateUrl } = settings;
  const limits = settingsFor({ statement: 0, lock: MIGRATION_LOCK_TIMEOUT, idle: 0 });
  const unlimited = (to: string, pooled: boolean): (() => Promise<Connection>) =>
    connectingTo(
      hostUrls(to).map((one) => () => {
        const statements = createPostgresStatements(!pooled);
        return connectPostgres(statements, { url: one, connectTimeout, statementTimeout: 0, settings: limits, pooled });
      }),
    );
  const connectToMigrate = unlimited(migrateUrl ?? url, !prepared && migrateUrl === undefined);
  const driver: ServerDriver = {
    dialect: postgresDialect,
    connect: connectingTo(hostUrls(url).map((one) => postgresServer(one, settings).connect)),
    connectUnlimited: unlimited(url, !prepared),
    connectToMigrate,
    rowEstimates: POSTGRES_ROW_ESTIMATES,
    beginSnapshot: BEGIN_SNAPSHOT,
    state: STATE,
    async lockMigrations(connection, timeout) {
      await checkSession(connection, connectToMigrate);
      return lockMigrations(connection, timeout);
    },
  };
  const first = await connectAtStart(driver.connect, settings);
  try {
    await checkServer(first);
    if (migrateUrl !== undefined) await checkMigrateUrl(driver, first, settings);
  } catch (error) {
    await first.close();
    throw error;
  }
  return createServerDatabase(driver, settings, first);
}
