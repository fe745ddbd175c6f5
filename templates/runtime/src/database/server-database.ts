/** A database on a server, whatever the driver: a pool of connections, transactions, and what is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HEAVY_ROW, HEAVY_SHARE } from '../contract/limits.ts';
import {
  AnswerTooLargeError,
  ClientGoneError,
  InsufficientStorageError,
  QueryTooSlowError,
  ServiceUnavailableError,
  UnknownOutcomeError,
} from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
import {
  AnswerTooLarge,
  Conflict,
  type Connection,
  ConnectionLost,
  ServerUnavailable,
  StatementTimeout,
  StorageFull,
} from './connection.ts';
import type { Database, ReadOptions, Session, Transaction } from './database.ts';
import type { DatabaseSettings } from './database-settings.ts';
import type { Dialect } from './dialect.ts';
import { createPool, type Pool } from './pool.ts';
import { GuardFailed, runTransaction, runWrite } from './server-transactions.ts';
import { isUncertain } from './transaction-runner.ts';
import type { Sql } from './sql.ts';
import type { Result } from './write-plan.ts';

/** What a driver gives. */
export interface ServerDriver {
  readonly dialect: Dialect;
  /** Throws ConnectionLost or ServerUnavailable where there is no server, and the driver's error for what stays wrong. */
  connect(): Promise<Connection>;
  /** A connection for work that takes long, as migrations do: no limits of time. */
  connectUnlimited(): Promise<Connection>;
  /** Commands that begin a transaction which only reads, and sees one state. */
  readonly beginSnapshot: readonly string[];
  /** Waits until no other process holds the lock of migrations. Undefined if it waited in vain. */
  lockMigrations(connection: Connection, timeout: number): Promise<Release | undefined>;
}

/** Gives a lock back, before its connection is closed. Never throws. */
export type Release = () => Promise<void>;

/** For how long a transaction is tried again that the database undoes for another one. In milliseconds, as all times here. */
const PATIENCE = 20_000;
/** How long others are given before the second try, at most; each further one waits up to twice as long, but not longer than this. */
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 1000;
/** The share of a time limit that has passed for certain when the server says so: its clock is another one. */
const NEARLY = 0.8;
/** How long a connection is kept that nobody needs. */
const IDLE_TIMEOUT = 30_000;
/** How many requests may wait for one connection. */
const WAITING_FOR_EACH = 100;
/** Seconds after which a refused client may come again. */
const RETRY_AFTER = 1;

/** What a caller is told. The cause stays with it, for the log. */
function publicError(error: unknown): unknown {
  if (error instanceof StorageFull) return new InsufficientStorageError(error);
  if (error instanceof AnswerTooLarge) {
    return new AnswerTooLargeError();
  }
  const isPassing = error instanceof ConnectionLost || error instanceof ServerUnavailable || error instanceof Conflict;
  return isPassing ? new ServiceUnavailableError(RETRY_AFTER, error) : error;
}

/** What connections are for. A further kind needs its share in `lanesOf`, and callers of `using`. */
type Lane = 'read' | 'heavy' | 'write';

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

function laneOf(options: ReadOptions | undefined): Lane {
  const weight = options?.scans?.reduce((sum, scan) => sum + scan.weight, 0) ?? 0;
  return weight < HEAVY_ROW ? 'read' : 'heavy';
}

/** Runs a read on a connection, which is cancelled on the server when the client of the read goes. */
async function cancellable<T>(connection: Connection, client: Client | undefined, read: () => Promise<T>): Promise<T> {
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
async function using<T>(
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
    if (error instanceof ConnectionLost) pool.clear();
    throw error;
  } finally {
    pool.release(connection, lane);
  }
}

/**
 * Runs `work` again while the database undoes it for others, after waits that grow and are random, so that those who met don't
 * meet again; and once more if the connection was dead, where that is known to have had no effect.
 */
async function trying<T>(work: () => Promise<T>, mayRepeat: (error: ConnectionLost) => boolean): Promise<T> {
  let lost = 0;
  let pause = FIRST_PAUSE;
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ConnectionLost) {
        if (!mayRepeat(error)) throw new UnknownOutcomeError(error);
        lost += 1;
        if (lost > 1) throw publicError(error);
      } else {
        const rest = deadline - performance.now();
        if (!(error instanceof Conflict) || rest <= 0) throw publicError(error);
        await sleep(Math.min(Math.random() * pause, rest));
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
}

/** Has a write planned with assumptions, and again without where one was wrong. */
async function assumingFirst<T>(run: (assuming: boolean) => Promise<T>): Promise<T> {
  try {
    return await run(true);
  } catch (error) {
    if (!(error instanceof GuardFailed)) throw error;
    return run(false);
  }
}

/** Runs `work` once, in a transaction of any length. */
async function withOwnConnection<T>(
  driver: ServerDriver,
  begin: readonly string[] | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await driver.connectUnlimited();
  try {
    return await runTransaction(driver.dialect, connection, work, begin);
  } finally {
    await connection.close();
  }
}

/** Runs `work` on a connection of its own, while no other process migrates. */
async function withMigrationLock<T>(
  driver: ServerDriver,
  lockTimeout: number,
  work: (session: Session) => Promise<T>,
): Promise<T | undefined> {
  const { dialect } = driver;
  const connection = await driver.connectUnlimited();
  const session: Session = {
    dialect,
    all: async (statement) => (await connection.query(statement)).rows,
    get: async (statement) => (await connection.query(statement)).rows[0],
    run: async (statement) => ({ changes: (await connection.query(statement)).changes }),
    script: (text) => connection.script(text),
  };
  try {
    const release = await driver.lockMigrations(connection, lockTimeout);
    if (!release) return undefined;
    try {
      return await work(session);
    } finally {
      await release();
    }
  } finally {
    await connection.close();
  }
}

/** Pauses between attempts to reach a server, in milliseconds. */
const START_PAUSE = 250;

/** Connects once, waiting for a server that is only starting. Throws with a message for people. */
export async function connectAtStart<C extends Connection>(
  connect: () => Promise<C>,
  { startTimeout }: Pick<DatabaseSettings, 'startTimeout'>,
): Promise<C> {
  const deadline = performance.now() + startTimeout;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const isPassing = error instanceof ConnectionLost || error instanceof ServerUnavailable;
      if (!isPassing || performance.now() > deadline) throw error;
      await sleep(START_PAUSE);
    }
  }
}

/**
 * The database of a driver. `first` is a connection that is open already. Deadlocks and serialization failures are tried
 * again; what can't be done for now throws ServiceUnavailableError. A request needs one connection at a time.
 */
export function createServerDatabase(driver: ServerDriver, settings: DatabaseSettings, first: Connection): Database {
  const { dialect } = driver;
  let ready: Connection | undefined = first;
  const pool = createPool<Connection, Lane>({
    connect: () => {
      const connection = ready;
      ready = undefined;
      return connection?.usable ? Promise.resolve(connection) : driver.connect();
    },
    size: settings.poolSize,
    lanes: lanesOf(settings.poolSize),
    acquireTimeout: settings.acquireTimeout,
    idleTimeout: IDLE_TIMEOUT,
    maxWaiting: settings.poolSize * WAITING_FOR_EACH,
  });
  /**
   * What a request asks to be read is too much where it takes too long; what the server reads for itself is not, nor what somebody
   * else cancelled on the server, which has the same code on PostgreSQL.
   */
  const tooSlowFor = (options: ReadOptions | undefined): ((error: unknown) => never) => {
    const started = performance.now();
    return (error) => {
      const isLate = options !== undefined && performance.now() - started >= settings.statementTimeout * NEARLY;
      throw isLate && error instanceof StatementTimeout ? new QueryTooSlowError(settings.statementTimeout) : error;
    };
  };
  const read = (statement: Sql, options: ReadOptions | undefined): Promise<Result> =>
    trying(
      () =>
        using(pool, laneOf(options), (connection) =>
          cancellable(connection, options?.client, () => connection.read(statement)).catch(tooSlowFor(options)),
        ),
      () => options?.client?.gone !== true,
    );
  let closing: Promise<void> | undefined;
  return {
    dialect,
    all: async (statement, options) => (await read(statement, options)).rows,
    get: async (statement, options) => (await read(statement, options)).rows[0],
    async run(statement) {
      const { changes } = await trying(
        () => using(pool, 'write', (connection) => connection.query(statement)),
        () => false,
      );
      return { changes };
    },
    write: (planner) =>
      assumingFirst((assuming) =>
        trying(
          () => using(pool, 'write', (connection) => runWrite(dialect, connection, planner, { assuming })),
          (error) => !isUncertain(error),
        ),
      ),
    readTransaction: (options, work) =>
      trying(
        () =>
          using(pool, 'heavy', (connection) =>
            cancellable(connection, options?.client, () =>
              runTransaction(dialect, connection, work, driver.beginSnapshot),
            ).catch(tooSlowFor(options)),
          ),
        () => options?.client?.gone !== true,
      ),
    transaction: (work) =>
      trying(
        () => using(pool, 'write', (connection) => runTransaction(dialect, connection, work)),
        (error) => !isUncertain(error),
      ),
    snapshot: (work) => withOwnConnection(driver, driver.beginSnapshot, work),
    longTransaction: (work) => withOwnConnection(driver, undefined, work),
    async script(text) {
      const connection = await driver.connectUnlimited();
      try {
        await connection.script(text);
      } finally {
        await connection.close();
      }
    },
    migrating: (lockTimeout, work) => withMigrationLock(driver, lockTimeout, work),
    close: () => (closing ??= Promise.all([pool.close(), ready?.close()]).then(() => undefined)),
  };
}
