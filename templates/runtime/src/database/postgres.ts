/** The PostgreSQL driver. */
import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from './sql.ts';
import type { Connection } from './connection.ts';
import { createLiveness } from './liveness.ts';
import { connectPostgres, createPostgresStatements, POSTGRES_ACTIVITY } from './postgres-connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { connectAtStart, createServerDatabase, type Release, type ServerDriver } from './server-database.ts';
import { type DatabaseSettings, DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import type { Database } from './database.ts';

const MIN_VERSION = 130_000;

/** The lock that migrations hold: any number, but always the same. PostgreSQL keeps it apart for each database. */
const MIGRATION_LOCK = 4_733_906_123_457_001n;
const LOCK_PAUSE = 100;

/** What is seen is settled by the first statement after the beginning. */
const BEGIN_SNAPSHOT = ['START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', 'SELECT 1'];

/** How long a transaction waits for its next statement. */
const IDLE_TRANSACTION_TIMEOUT = 60_000;
/** A migration that waits for a table makes all others wait behind it: it rather tries again. */
const MIGRATION_LOCK_TIMEOUT = 5000;

/** Each connection is the same, whatever the server, the database or the role were set to. */
const EVERYWHERE = [
  "SET TIME ZONE 'UTC'",
  'SET standard_conforming_strings = on',
  // Reads are many small steps, which compiling takes longer than running.
  'SET jit = off',
  'SET default_transaction_isolation = "read committed"',
];

function setUpFor(limits: { statement: number; lock: number; idle: number }): string {
  return [
    ...EVERYWHERE,
    `SET statement_timeout = ${limits.statement}`,
    `SET lock_timeout = ${limits.lock}`,
    `SET idle_in_transaction_session_timeout = ${limits.idle}`,
  ].join('; ');
}

/** Throws where the server is too old, or its text is not Unicode. */
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

/** Throws where two connections that are open have one session: with a lock of the one the other would go on. */
async function checkSession(connection: Connection, connectOther: () => Promise<Connection>): Promise<void> {
  const other = await connectOther();
  try {
    if ((await sessionOf(connection)) !== (await sessionOf(other))) return;
  } finally {
    await other.close();
  }
  throw new Error(
    'DATABASE_URL leads to a pooler that gives a connection to another client after each transaction. ' +
      'This server needs connections of its own: set pool_mode = session in PgBouncer, or name the address of PostgreSQL itself.',
  );
}

/** Asks again and again, rather than waiting in one statement, which would be in the way of what the other process does. */
async function lockMigrations(connection: Connection, timeout: number): Promise<Release | undefined> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const { rows } = await connection.query(raw(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`));
    // It ends with the connection.
    if (rows[0]?.['locked'] === 1) return () => Promise.resolve();
    if (performance.now() > deadline) return undefined;
    await sleep(LOCK_PAUSE);
  }
}

/**
 * Opens the database of a `postgres://` URL, as the driver `pg` reads it. Throws with a message for people where it can't be
 * reached.
 */
export async function openPostgres(
  url: string,
  settings: DatabaseSettings = DEFAULT_DATABASE_SETTINGS,
): Promise<Database> {
  const statements = createPostgresStatements();
  const { statementTimeout, connectTimeout, lockTimeout } = settings;
  const limits = { statement: statementTimeout, lock: lockTimeout, idle: IDLE_TRANSACTION_TIMEOUT };
  const connectUnlimited = (): Promise<Connection> =>
    connectPostgres(createPostgresStatements(), {
      url,
      connectTimeout,
      statementTimeout: 0,
      setUp: setUpFor({ statement: 0, lock: MIGRATION_LOCK_TIMEOUT, idle: 0 }),
    });
  const options = { url, connectTimeout, statementTimeout, setUp: setUpFor(limits) };
  const liveness = createLiveness({
    connect: (timeout) =>
      connectPostgres(statements, { ...options, connectTimeout: timeout, statementTimeout: timeout }),
    activity: POSTGRES_ACTIVITY,
    connectTimeout,
  });
  const driver: ServerDriver = {
    dialect: postgresDialect,
    connect: () => connectPostgres(statements, { ...options, liveness }),
    connectUnlimited,
    beginSnapshot: BEGIN_SNAPSHOT,
    async lockMigrations(connection, timeout) {
      await checkSession(connection, connectUnlimited);
      return lockMigrations(connection, timeout);
    },
  };
  const first = await connectAtStart(driver.connect, settings);
  try {
    await checkServer(first);
  } catch (error) {
    await first.close();
    throw error;
  }
  return createServerDatabase(driver, settings, first);
}
