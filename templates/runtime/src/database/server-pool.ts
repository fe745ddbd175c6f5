/** The pool of connections to one database server, and how reads run on them. */
import { HEAVY_READ_COST, HEAVY_READ_SHARE } from '../contract/limits.ts';
import { ClientGoneError, QueryTooSlowError } from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
import { createTimeBudget, type TimeBudget } from '../base/time-budget.ts';
import { createWorkLimit, type WorkLimit } from '../base/work-limit.ts';
import {
  type Connection,
  ConnectionLost,
  ServerNotReady,
  ServerReadsOnly,
  ServerUnavailable,
  StatementTimeout,
} from './connection.ts';
import type { ReadOptions } from './statement-runner.ts';
import type { DatabaseSettings } from './database-settings.ts';
import { createPool, type Pool } from './pool.ts';
import { costsMoreThan } from './read-cost.ts';
import { createRowEstimates, type RowEstimates } from './row-estimates.ts';
import type { Sql } from './sql.ts';
import { timeLimitOf } from './time-limit.ts';

/**
 * The fraction of a time limit after which a timeout that the server reports is taken for that limit: the server measures the time
 * itself.
 */
const NEARLY = 0.8;
/** How long an idle connection is kept, in milliseconds. */
const IDLE_TIMEOUT = 30_000;
/** How many requests may wait per connection. */
const WAITING_FOR_EACH = 100;

/** What a connection is acquired for. `lanesOf` limits the connections of each lane. */
export type Lane = 'read' | 'write';

/** How many connections each lane may hold: writers that wait for locks leave some to reads, which wait for nothing. */
function lanesOf(poolSize: number): Readonly<Record<Lane, number>> {
  const kept = poolSize < 4 ? 1 : 2;
  return { read: poolSize, write: Math.max(1, poolSize - kept) };
}

/**
 * Runs a read on a connection. If its client disconnects, cancels it on the server and throws ClientGoneError. An anonymous client's
 * read is also cancelled at its `limit`, as connections only have that of the other clients; then it throws QueryTooSlowError.
 */
export async function cancellable<T>(
  connection: Connection,
  { client, limit }: { readonly client: Client | undefined; readonly limit: number },
  read: () => Promise<T>,
): Promise<T> {
  if (!client) return read();
  if (client.gone) throw new ClientGoneError();
  let isLate = false;
  const timer =
    client.isAnonymous === true && limit > 0
      ? setTimeout(() => {
          isLate = true;
          connection.cancel();
        }, limit)
      : undefined;
  const unsubscribe = client.onGone(() => connection.cancel());
  try {
    return await read();
  } catch (error) {
    if (client.gone) throw new ClientGoneError();
    throw isLate ? new QueryTooSlowError(limit) : error;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

/**
 * Runs `work` on a connection of the pool, for a `caller` if there is one. ConnectionLost is thrown only for a connection that was
 * established before.
 */
export async function withConnection<T>(
  pool: Pool<Connection, Lane>,
  lane: Lane,
  work: (connection: Connection) => Promise<T>,
  caller?: string,
): Promise<T> {
  const connection = await pool.acquire(lane, caller).catch((error: unknown) => {
    throw error instanceof ConnectionLost ? new ServerUnavailable(error) : error;
  });
  try {
    return await work(connection);
  } catch (error) {
    if ([ConnectionLost, ServerReadsOnly, ServerNotReady].some((kind) => error instanceof kind)) pool.clear();
    throw error;
  } finally {
    pool.release(connection, lane, caller);
  }
}

/**
 * Handles the error of a read that timed out. A request's query that takes too long throws QueryTooSlowError. The server's
 * own reads don't, nor does a statement that an administrator cancelled, which has the same error code on PostgreSQL.
 */
export function explainTimeout(
  options: ReadOptions | undefined,
  settings: DatabaseSettings,
): (error: unknown) => never {
  const started = performance.now();
  const limit = timeLimitOf(options?.client, settings);
  return (error) => {
    const isLate = options !== undefined && performance.now() - started >= limit * NEARLY;
    throw isLate && error instanceof StatementTimeout ? new QueryTooSlowError(limit) : error;
  };
}

/** The pool of a server, and the limits on its heavy reads, which leave some connections to the other reads. */
export interface ServerPool extends Pool<Connection, Lane> {
  readonly heavy: WorkLimit;
  /** The time of heavy reads. */
  readonly time: TimeBudget;
  readonly estimates: RowEstimates;
}

/** A pool with the sizes from the settings. `rowEstimates` selects the `name` of each table and its `estimate` of rows. */
export function createServerPool(
  connect: () => Promise<Connection>,
  { poolSize, acquireTimeout, readTimePerMinute }: DatabaseSettings,
  rowEstimates: Sql,
): ServerPool {
  const pool = createPool<Connection, Lane>({
    connect,
    size: poolSize,
    lanes: lanesOf(poolSize),
    acquireTimeout,
    idleTimeout: IDLE_TIMEOUT,
    maxWaiting: poolSize * WAITING_FOR_EACH,
  });
  const atOnce = Math.max(1, Math.floor(poolSize * HEAVY_READ_SHARE));
  const heavy = createWorkLimit({
    atOnce,
    // One caller's slow reads must not delay those of all others.
    leavesRoom: true,
    waiting: poolSize * WAITING_FOR_EACH,
    maxWait: acquireTimeout,
  });
  const close = (): Promise<void> => {
    heavy.close();
    return pool.close();
  };
  const estimates = createRowEstimates(() =>
    withConnection(pool, 'read', async (connection) => (await connection.read(rowEstimates)).rows),
  );
  return { ...pool, heavy, time: createTimeBudget(readTimePerMinute), estimates, close };
}

/** Runs a read on a connection of the pool, once it may begin. `isLong`: it may take long, whatever its scans. */
export async function withReader<T>(
  pool: ServerPool,
  options: ReadOptions | undefined,
  isLong: boolean,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const caller = options?.client?.caller;
  const read = () => withConnection(pool, 'read', work, caller);
  if (!isLong) {
    if ((options?.scans?.length ?? 0) === 0) return read();
    await pool.estimates.known();
    if (!costsMoreThan(HEAVY_READ_COST, options, pool.estimates.of)) return read();
  }
  return pool.heavy.run(() => pool.time.run(caller, read), options?.client);
}
