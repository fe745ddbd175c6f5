/**
 * The migration lock on MySQL and MariaDB. `GET_LOCK` is released with its session, but each node of a cluster has its own;
 * so the holder of the node's lock also takes a row, which is replicated to all nodes. The row is a lease: its holder renews
 * it, and a lease that was not renewed for long is taken over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Conflict, type Connection } from './connection.ts';
import { UniqueViolation } from './database.ts';
import type { Release } from './server-database.ts';
import { deleteRows, raw, sql, type Sql } from './sql.ts';

const TABLE = raw('_migration_lock');

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _migration_lock (
  id integer NOT NULL PRIMARY KEY,
  owner varchar(36) NOT NULL,
  node varchar(255) NOT NULL,
  renewals bigint NOT NULL,
  waiters bigint NOT NULL
)`;

/** All times are in milliseconds. */
export interface LeaseTimes {
  /** A holder that has not renewed for this long counts as dead. */
  readonly lease: number;
  readonly renewal: number;
}

const DEFAULT_TIMES: LeaseTimes = { lease: 30_000, renewal: 5000 };

/** The average pause between attempts, in milliseconds. */
const PAUSE = 200;

/** Identifies a node within its cluster. */
async function nodeOf(connection: Connection): Promise<string> {
  const cluster = await connection.query(raw("SHOW STATUS LIKE 'wsrep_gcomm_uuid'"));
  const uuid = cluster.rows[0]?.['Value'];
  if (typeof uuid === 'string' && uuid !== '') return uuid;
  const { rows } = await connection.query(raw("SELECT CONCAT_WS(':', @@hostname, @@port, @@datadir) AS node"));
  return String(rows[0]?.['node']).slice(-255);
}

/** Runs a writing statement; false if another session was faster, or nothing was changed. */
async function tryWrite(connection: Connection, statement: Sql): Promise<boolean> {
  try {
    return (await connection.query(statement)).changes > 0;
  } catch (error) {
    if (error instanceof UniqueViolation || error instanceof Conflict) return false;
    throw error;
  }
}

async function renewalsOf(connection: Connection): Promise<number | undefined> {
  const { rows } = await connection.query(sql`SELECT renewals FROM ${TABLE} WHERE id = 1`);
  return rows[0] ? Number(rows[0]['renewals']) : undefined;
}

interface Claim {
  readonly connection: Connection;
  readonly owner: string;
  readonly node: string;
  readonly deadline: number;
  readonly times: LeaseTimes;
}

/** Takes the row if there is none, or if its holder is on this node and therefore dead: its session has lost the node's lock. */
async function takeRow({ connection, owner, node }: Claim): Promise<boolean> {
  const insert = sql`INSERT INTO ${TABLE} (id, owner, node, renewals, waiters) VALUES (1, ${owner}, ${node}, 0, 0)`;
  if (await tryWrite(connection, insert)) return true;
  const update = sql`UPDATE ${TABLE} SET owner = ${owner}, renewals = renewals + 1 WHERE id = 1 AND node = ${node}`;
  return tryWrite(connection, update);
}

/**
 * Takes the row from a holder that has not renewed it. While a cluster alters a table, it blocks all writes, including the holder's
 * renewals. So this first waits for a write to succeed, and then gives the holder time to renew.
 */
async function takeOver({ connection, owner, node, times }: Claim, seen: number): Promise<boolean> {
  await tryWrite(connection, sql`UPDATE ${TABLE} SET waiters = waiters + 1 WHERE id = 1`);
  await sleep(2 * times.renewal);
  const change = sql`owner = ${owner}, node = ${node}, renewals = renewals + 1`;
  return tryWrite(connection, sql`UPDATE ${TABLE} SET ${change} WHERE id = 1 AND renewals = ${seen}`);
}

async function claimRow(claim: Claim): Promise<boolean> {
  const { connection, deadline, times } = claim;
  let seen: number | undefined;
  let since = performance.now();
  for (;;) {
    if (await takeRow(claim)) return true;
    const renewals = await renewalsOf(connection);
    if (renewals !== seen) since = performance.now();
    seen = renewals;
    if (seen !== undefined && performance.now() - since > times.lease && (await takeOver(claim, seen))) return true;
    if (performance.now() > deadline) return false;
    await sleep(PAUSE * (0.5 + Math.random()));
  }
}

/**
 * Renews the row on a separate connection, as the migration's own is busy; destroys the migration's connection if the row
 * was taken over.
 */
function keepRenewing({ connection, owner, times }: Claim, connect: () => Promise<Connection>): Release {
  const stop = new AbortController();
  let own: Connection | undefined;
  const renew = sql`UPDATE ${TABLE} SET renewals = renewals + 1 WHERE id = 1 AND owner = ${owner}`;
  const renewing = (async () => {
    let renewed = performance.now();
    for (;;) {
      await sleep(times.renewal, undefined, { signal: stop.signal });
      try {
        if (!own?.usable) own = await connect();
        if ((await own.query(renew)).changes === 0) break;
        renewed = performance.now();
      } catch {
        if (performance.now() - renewed > times.lease) break;
      }
    }
    connection.destroy();
  })().catch(() => undefined);
  return async () => {
    stop.abort();
    await renewing;
    await own?.close();
    if (!connection.usable) return;
    await connection.query(deleteRows(TABLE, sql`id = 1 AND owner = ${owner}`)).catch(() => undefined);
  };
}

/**
 * Waits until no other process migrates, on any node of a cluster, and holds the lock until it is released or the connection
 * ends. Undefined after `timeout` milliseconds. `connect` opens a connection for renewals.
 */
export async function lockMigrations(
  connection: Connection,
  timeout: number,
  connect: () => Promise<Connection>,
  times = DEFAULT_TIMES,
): Promise<Release | undefined> {
  const deadline = performance.now() + timeout;
  // Lock names are global to the server, so the name includes the database; it has at most 64 characters.
  const { rows } = await connection.query(
    sql`SELECT GET_LOCK(CONCAT('migrations:', MD5(DATABASE())), ${Math.ceil(timeout / 1000)}) AS locked`,
  );
  if (Number(rows[0]?.['locked']) !== 1) return undefined;
  await connection.command(CREATE_TABLE);
  const claim: Claim = { connection, owner: randomUUID(), node: await nodeOf(connection), deadline, times };
  return (await claimRow(claim)) ? keepRenewing(claim, connect) : undefined;
}
