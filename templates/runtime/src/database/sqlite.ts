/** The SQLite driver: one connection that writes, behind a queue, and one that only reads. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath, resolve } from 'node:path';
import { READ_PROCESSES } from '../contract/limits.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { createSerialQueue } from './serial-queue.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { translatingErrors } from './sqlite-errors.ts';
import { BUSY_TIMEOUT, createTransactions, ROLLBACK } from './sqlite-transactions.ts';
import { createSqliteReads, type SqliteReads } from './sqlite-reads.ts';
import type { ReadTimeLimits } from './time-limit.ts';
import type { Database, Session } from './database.ts';
import type { Executor } from './executor.ts';
import type { Transaction } from './write-plan.ts';
import { type StatementWatch, watchedSqlite } from './statement-watch.ts';
import { explainingFile } from './unwritable-file.ts';

/** How long SQLite itself waits for another process, in milliseconds. That blocks this one, so longer waits are retries. */
const BLOCKING_BUSY_TIMEOUT = 10;

/** The write-ahead log may grow to 16 MB, so that pages that change often are written to the file less often. */
const CHECKPOINT_PAGES = 4000;

/**
 * In kB, for the writer: four times SQLite's own value. Each page that a write changes and that is not in the cache is read again, as
 * happens with large indexes, and with many changes that are committed together.
 */
const WRITER_CACHE = 8000;

/**
 * Maximum bytes of a value that a read returns or builds on the way: far more than a request body or a response may have.
 */
const MAX_LENGTH = 128 * 1024 * 1024;

/** Runs `work` on a reader of its own. The first read fixes the snapshot that it sees. */
async function runSnapshot<T>(reader: SqliteConnection, work: (reader: Executor) => Promise<T>): Promise<T> {
  try {
    reader.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    return await work({
      dialect: sqliteDialect,
      all: async (statement) => reader.all(statement),
      get: async (statement) => reader.get(statement),
      run: async (statement) => reader.run(statement),
    });
  } finally {
    reader.close();
  }
}

interface Connections {
  readonly writer: SqliteConnection;
  readonly reads: SqliteReads;
  /** Opens another read-only connection. */
  readonly openReader: () => SqliteConnection;
  readonly isWatched: boolean;
}

function createDatabase(
  { writer, reads, openReader, isWatched }: Connections,
  afterClose: () => Promise<void>,
): Database {
  const queue = createSerialQueue();
  const transact = createTransactions(writer, queue, { isWatched, onWrite: () => reads.refresh() });
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => translatingErrors(transact.run(work));
  let closing: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    reads.close();
    // Moves what is left of the write-ahead log into the file, unless another process is still using it.
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    writer.close();
    await afterClose();
  };

  /**
   * Runs `work` with exclusive use of the writer, waiting for other processes; rolls back what it began and did not commit.
   */
  const withWriter = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(async () => {
      writer.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
      try {
        return await work();
      } finally {
        if (writer.inTransaction) writer.run(ROLLBACK);
        writer.exec(`PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT}`);
        reads.refresh();
      }
    });

  const database: Database = {
    dialect: sqliteDialect,
    all: (statement, options) => reads.all(statement, options),
    get: (statement, options) => reads.get(statement, options),
    run: (statement) => transaction((tx) => tx.run(statement)),
    write: (planner) => translatingErrors(transact.write(planner)),
    transaction,
    readTransaction: (options, work) => reads.transaction(options, work),
    snapshot: async (work) => runSnapshot(openReader(), work),
    longTransaction: transaction,
    script: (text) => withWriter(async () => writer.exec(text)),
    migrating: (_, work) => work(session),
    state: (options) => reads.state(options),
    activity() {
      const { running, waiting } = reads.slow();
      const connections = { open: 0, idle: 0, most: 0 };
      return { ...connections, waiting: transact.waiting(), slowReads: running, slowReadsWaiting: waiting };
    },
    close: () => (closing ??= queue.run(closeAll)),
  };
  /** Migrations must see what is in the file, whichever connection wrote it. */
  const afterRefresh = <T>(read: () => T): T => {
    reads.refresh();
    return read();
  };
  const session: Session = {
    dialect: sqliteDialect,
    all: (statement, options) => afterRefresh(() => database.all(statement, options)),
    get: (statement, options) => afterRefresh(() => database.get(statement, options)),
    run: database.run,
    script: database.script,
    atomically: (work) =>
      withWriter(async () => {
        writer.exec('BEGIN IMMEDIATE');
        const result = await work(sessionOf(writer));
        writer.exec('COMMIT');
        return result;
      }),
  };
  return database;
}

/** The session of migrations within a transaction of the writer. */
function sessionOf(writer: SqliteConnection): Session {
  return {
    dialect: sqliteDialect,
    all: async (statement) => writer.all(statement),
    get: async (statement) => writer.get(statement),
    run: async (statement) => writer.run(statement),
    script: async (text) => writer.exec(text),
  };
}

/** Throws if the file can't be written, but not if another process happens to be writing. */
function tryWriting(writer: SqliteConnection): void {
  try {
    writer.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Opens the writing connection. A read-only file fails here rather than at the first request. */
function openWriter(path: string, synchronous: 'normal' | 'full'): SqliteConnection {
  const writer = connectSqlite(path, { readOnly: false, busyTimeout: BUSY_TIMEOUT });
  try {
    writer.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA cache_size = -${WRITER_CACHE};
      PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT};
    `);
    tryWriting(writer);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/**
 * Opens a SQLite file, creating it if its folder exists; `:memory:` is a temporary file that is deleted on close.
 *
 * An acknowledged write survives a crash of the process at any moment. With `synchronous = NORMAL` and a write-ahead log,
 * the last moments may be lost in a power failure, but the file stays intact; `full` loses nothing. Reads outside of a
 * transaction have their own connection: they never wait for a write and see only committed data. The `work` of a
 * transaction must use the executor it is given; waiting in it for another write of the same database is a deadlock.
 */
export async function openSqlite(options: {
  readonly path: string;
  /** The time limits of heavy reads. */
  readonly limits?: ReadTimeLimits;
  /** How many processes of one server have the file open. */
  readonly processes?: number;
  readonly watch?: StatementWatch;
  readonly synchronous?: 'normal' | 'full';
}): Promise<Database> {
  const temporary = options.path === ':memory:' ? await mkdtemp(joinPath(tmpdir(), 'content-')) : undefined;
  const path = temporary === undefined ? resolve(options.path) : joinPath(temporary, 'data.db');
  const { watch } = options;
  const writer = watchedSqlite(
    await explainingFile(path, () => openWriter(path, options.synchronous ?? 'normal')),
    watch,
  );
  const openReader = () => connectSqlite(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT });
  const limits = options.limits ?? DEFAULT_DATABASE_SETTINGS;
  const bounded = () =>
    watchedSqlite(connectSqlite(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT, maxLength: MAX_LENGTH }), watch);
  // The processes of a server share the reading processes that one would have, but each has at least one.
  const { processes = 1 } = options;
  const most = Math.max(1, Math.floor(READ_PROCESSES.most / processes));
  const reader = bounded();
  const reads = createSqliteReads({
    reader,
    openReader: bounded,
    watch,
    isAlone: processes === 1,
    path,
    maxLength: MAX_LENGTH,
    most,
    statementTimeout: limits.statementTimeout,
    publicTimeout: limits.publicTimeout,
    readTimePerMinute: limits.readTimePerMinute,
  });
  return createDatabase({ writer, reads, openReader, isWatched: watch !== undefined }, async () => {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  });
}
