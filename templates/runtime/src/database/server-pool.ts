/** The pool of connections to one database server, and how reads run on them. */
import { HEAVY_READ_SHARE, HEAVY_ROW_COST } from '../contract/limits.ts';
import { ClientGoneError, QueryTooSlowError } from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
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

/** Whether a read may take long. */
export function isHeavy(options: ReadOptions | undefined): boolean {
  const weight = options?.scans?.reduce((sum, scan) => sum + scan.weight, 0) ?? 0;
  return weight >= HEAVY_ROW_COST;
}

/** Runs a read on a connection. If its client disconnects, cancels it on the server and throws ClientGoneError. */
export async function cancellable<T>(
  connection: Connection,
  client: Client | undefined,
  read: () => Promise<T>,
): Promise<T> {
  if (!client) return read();
  if (client.gone) throw new ClientGoneError();
  const unsubscribe = client.onGone(() => connection.cancel());
  try {
    return await read();
  } catch (error) {
    throw client.gone ? new ClientGoneError() : error;
  } finally {
    unsubscribe();
  }
}

/** Runs `work` on a connection of the pool. ConnectionLost is thrown only for a connection that was established before. */
export async function withConnection<T>(
  pool: Pool<Connection, Lane>,
  lane: Lane,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire(lane).catch((error: unknown) => {
    throw error instanceof ConnectionLost ? new ServerUnavailable(error) : error;
  });
  try {
    return await work(connection);
  } catch (error) {
    if ([ConnectionLost, ServerReadsOnly, ServerNotReady].some((kind) => error instanceof kind)) pool.clear();
    throw error;
  } finally {
    pool.release(connection, lane);
  }
}

/**
 * Handles the error of a read that timed out. A request's query that takes too long throws QueryTooSlowError. The server's
 * own reads don't, nor does a statement that an administrator cancelled, which has the same error code on PostgreSQL.
 */
export function explainTimeout(
  options: ReadOptions | undefined,
  { statementTimeout }: DatabaseSettings,
): (error: unknown) => never {
  const started = performance.now();
  return (error) => {
    const isLate = options !== undefined && performance.now() - started >= statementTimeout * NEARLY;
    throw isLate && error instanceof StatementTimeout ? new QueryTooSlowError(statementTimeout) : error;
  };
}

/** The pool of a server, and the limit on its heavy reads, which leave some connections to the other reads. */
export interface ServerPool extends Pool<Connection, Lane> {
  readonly heavy: WorkLimit;
}

/** A pool with the sizes from the settings. */
export function createServerPool(
  connect: () => Promise<Connection>,
  { poolSize, acquireTimeout }: DatabaseSettings,
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
  return { ...pool, heavy, close };
}

/** Runs a read on a connection of the pool, once it may begin. */
export function withReader<T>(
  pool: ServerPool,
  { client, isHeavy }: { readonly client: Client | undefined; readonly isHeavy: boolean },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const read = () => withConnection(pool, 'read', work);
  return isHeavy ? pool.heavy.run(read, client) : read();
}
