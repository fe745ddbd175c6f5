/** A database on a server, whatever the driver: a pool of connections, transactions and retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AnswerTooLargeError,
  InsufficientStorageError,
  ServiceUnavailableError,
  UnknownOutcomeError,
} from '../contract/errors.ts';
import { counters } from '../base/counters.ts';
import { optimisticFirst } from './optimistic-write.ts';
import {
  Conflict,
  type Connection,
  ConnectionLost,
  ResultTooLarge,
  ServerNotReady,
  ServerUnavailable,
  StorageFull,
} from './connection.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { Database, Session } from './database.ts';
import type { ReadOptions } from './statement-runner.ts';
import type { Result, Transaction } from './write-plan.ts';
import type { DatabaseSettings } from './database-settings.ts';
import type { Dialect } from './dialect.ts';
import { cancellable, createServerPool, explainTimeout, withConnection, withReader } from './server-pool.ts';
import { runTransaction, runWrite } from './server-transactions.ts';
import { isUncertain } from './transaction-runner.ts';
import type { Sql } from './sql.ts';
import { timeLimitOf } from './time-limit.ts';
import { watchedConnection } from './statement-watch.ts';

/** What a driver provides. */
export interface ServerDriver {
  readonly dialect: Dialect;
  /**
   * Throws ConnectionLost or ServerUnavailable if the server is not available, and the driver's error for permanent
   * failures.
   */
  connect(): Promise<Connection>;
  /** A connection without time limits, for long work. */
  connectUnlimited(): Promise<Connection>;
  /** A connection without time limits to the server itself, bypassing a pooler, for migrations. */
  connectToMigrate(): Promise<Connection>;
  /** Selects the `state` of everything committed, see `Database`. */
  readonly state?: Sql;
  /** Selects the `name` of each table and an `estimate` of its rows. */
  readonly rowEstimates: Sql;
  /** Commands that begin a read-only transaction on one snapshot. */
  readonly beginSnapshot: readonly string[];
  /** Waits for the migration lock, which one process at a time holds. Undefined if it timed out. */
  lockMigrations(connection: Connection, timeout: number): Promise<Release | undefined>;
}

/** Releases a lock before its connection is closed. Never throws. */
export type Release = () => Promise<void>;

/**
 * For how long a transaction is retried after deadlocks and serialization failures. In milliseconds, like all times here.
 */
const PATIENCE = 20_000;
/** Backoff: upper bound of the random pause before the first retry. It doubles with each retry, up to LONGEST_PAUSE. */
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 1000;
/** The Retry-After of refused requests, in seconds. */
const RETRY_AFTER = 1;

/** The error that callers see. The cause stays attached, for the log. */
function publicError(error: unknown): unknown {
  if (error instanceof StorageFull) return new InsufficientStorageError(error);
  if (error instanceof ResultTooLarge) {
    return new AnswerTooLargeError();
  }
  const isPassing = error instanceof ConnectionLost || error instanceof ServerUnavailable || error instanceof Conflict;
  return isPassing ? new ServiceUnavailableError(RETRY_AFTER, error) : error;
}

/**
 * Runs `work`, and retries it after conflicts with exponential, random backoff, so that the same transactions don't collide
 * again. Also retries it once if the connection was dead and `mayRepeat` says that nothing was done, or if it led to a
 * server that has left its cluster: there may be another one.
 */
async function retrying<T>(work: () => Promise<T>, mayRepeat: (error: ConnectionLost) => boolean): Promise<T> {
  let lost = 0;
  let pause = FIRST_PAUSE;
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ConnectionLost || error instanceof ServerNotReady) {
        if (error instanceof ConnectionLost && !mayRepeat(error)) throw new UnknownOutcomeError(error);
        lost += 1;
        if (lost > 1) throw publicError(error);
        counters.databaseRetries += 1;
      } else {
        const rest = deadline - performance.now();
        if (!(error instanceof Conflict) || rest <= 0) throw publicError(error);
        counters.databaseRetries += 1;
        await sleep(Math.min(Math.random() * pause, rest));
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
}

/** Runs `work` once, in a transaction without a time limit, on a connection of its own. */
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

/** Runs `work` on a connection of its own while no other process migrates. Undefined if the lock timed out. */
async function withMigrationLock<T>(
  driver: ServerDriver,
  lockTimeout: number,
  work: (session: Session) => Promise<T>,
): Promise<T | undefined> {
  const { dialect } = driver;
  const connection = await driver.connectToMigrate();
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

/** Connects once, waiting for a server that is still starting. Throws the last error, with advice. */
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
      if (!isPassing || performance.now() > deadline) throw explainRefusal(error);
      await sleep(START_PAUSE);
    }
  }
}

/**
 * The database of a driver. `first` is a connection that is already open. Retries after deadlocks and serialization
 * failures; throws ServiceUnavailableError for what can't be done for now. A request needs one connection at a time.
 */
export function createServerDatabase(driver: ServerDriver, settings: DatabaseSettings, first: Connection): Database {
  const { dialect } = driver;
  const { watch } = settings;
  let ready: Connection | undefined = watchedConnection(first, watch);
  const pool = createServerPool(
    () => {
      const connection = ready;
      ready = undefined;
      if (connection?.usable) return Promise.resolve(connection);
      return watch ? driver.connect().then((made) => watchedConnection(made, watch)) : driver.connect();
    },
    settings,
    driver.rowEstimates,
  );
  const limited = (options: ReadOptions | undefined) => ({
    client: options?.client,
    limit: timeLimitOf(options?.client, settings),
  });
  const read = (statement: Sql, options: ReadOptions | undefined): Promise<Result> =>
    retrying(
      () =>
        withReader(pool, options, false, (connection) =>
          cancellable(connection, limited(options), () => connection.read(statement)).catch(
            explainTimeout(options, settings),
          ),
        ),
      () => options?.client?.gone !== true,
    );
  const { state } = driver;
  let closing: Promise<void> | undefined;
  return {
    dialect,
    all: async (statement, options) => (await read(statement, options)).rows,
    get: async (statement, options) => (await read(statement, options)).rows[0],
    async run(statement) {
      const { changes } = await retrying(
        () => withConnection(pool, 'write', (connection) => connection.query(statement)),
        () => false,
      );
      return { changes };
    },
    write: (planner) =>
      optimisticFirst((assuming) =>
        retrying(
          () => withConnection(pool, 'write', (connection) => runWrite(dialect, connection, planner, { assuming })),
          (error) => !isUncertain(error),
        ),
      ),
    readTransaction: (options, work) =>
      retrying(
        () =>
          withReader(pool, options, true, (connection) =>
            cancellable(connection, limited(options), () =>
              runTransaction(dialect, connection, work, driver.beginSnapshot),
            ).catch(explainTimeout(options, settings)),
          ),
        () => options?.client?.gone !== true,
      ),
    transaction: (work) =>
      retrying(
        () => withConnection(pool, 'write', (connection) => runTransaction(dialect, connection, work)),
        (error) => !isUncertain(error),
      ),
    snapshot: (work) => withOwnConnection(driver, driver.beginSnapshot, work),
    longTransaction: (work) => withOwnConnection(driver, undefined, work),
    async script(text) {
      const connection = await driver.connectToMigrate();
      try {
        await connection.script(text);
      } finally {
        await connection.close();
      }
    },
    state: state && (async (options) => String((await read(state, options)).rows[0]?.['state'])),
    migrating: (lockTimeout, work) => withMigrationLock(driver, lockTimeout, work),
    activity() {
      const { open, idle, waiting } = pool.count();
      const heavy = pool.heavy.count();
      return {
        open,
        idle,
        most: settings.poolSize,
        waiting: waiting + heavy.waiting,
        slowReads: heavy.running,
        slowReadsWaiting: heavy.waiting,
      };
    },
    close: () => (closing ??= Promise.all([pool.close(), ready?.close()]).then(() => undefined)),
  };
}
