/** The pool of connections to one database server, and how reads run on them. */
import { HEAVY_ROW, HEAVY_SHARE } from '../contract/limits.ts';
import { ClientGoneError, QueryTooSlowError } from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
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

/** The share of a time limit that has passed for certain when the server says so: its clock is another one. */
const NEARLY = 0.8;
/** How long a connection is kept that nobody needs, in milliseconds. */
const IDLE_TIMEOUT = 30_000;
/** How many requests may wait for one connection. */
const WAITING_FOR_EACH = 100;

/** What connections are for. A further kind needs its share in `lanesOf`, and callers of `using`. */
export type Lane = 'read' | 'heavy' | 'write';

/**
 * How many connections each lane may hold: writers that wait for locks, and reads that take long, leave some to the others,
 * which wait for nothing.
 */
function lanesOf(poolSize: number): Readonly<Record<Lane, number>> {
  const kept = poolSize < 4 ? 1 : 2;
  return {
    read: poolSize,
    heavy: Math.max(1, Math.floor(poolSize * HEAVY_SHARE)),
    write: Math.max(1, poolSize - kept),
  };
}

export function laneOf(options: ReadOptions | undefined): Lane {
  const weight = options?.scans?.reduce((sum, scan) => sum + scan.weight, 0) ?? 0;
  return weight < HEAVY_ROW ? 'read' : 'heavy';
}

/** Runs a read on a connection, which is cancelled on the server when the client of the read goes. */
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

/** Runs `work` on a connection of the pool. ConnectionLost is thrown only for one that was there. */
export async function using<T>(
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
 * What a read throws that took too long. What a request asks to be read is too much where it takes too long; what the server reads for
 * itself is not, nor what somebody else cancelled on the server, which has the same code on PostgreSQL.
 */
export function tooSlowFor(
  options: ReadOptions | undefined,
  { statementTimeout }: DatabaseSettings,
): (error: unknown) => never {
  const started = performance.now();
  return (error) => {
    const isLate = options !== undefined && performance.now() - started >= statementTimeout * NEARLY;
    throw isLate && error instanceof StatementTimeout ? new QueryTooSlowError(statementTimeout) : error;
  };
}

/** A pool with the sizes that the settings say. */
export function createServerPool(
  connect: () => Promise<Connection>,
  { poolSize, acquireTimeout }: DatabaseSettings,
): Pool<Connection, Lane> {
  return createPool<Connection, Lane>({
    connect,
    size: poolSize,
    lanes: lanesOf(poolSize),
    acquireTimeout,
    idleTimeout: IDLE_TIMEOUT,
    maxWaiting: poolSize * WAITING_FOR_EACH,
  });
}
