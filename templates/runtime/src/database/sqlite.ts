/** The SQLite driver: one connection that writes, behind a queue, and one that only reads. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath, resolve } from 'node:path';
import { onlyReads } from './only-reads.ts';
import { createSerialQueue } from './serial-queue.ts';
import { connectSqlite } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { BUSY_TIMEOUT, createTransactions, ROLLBACK } from './sqlite-transactions.ts';
import type { Database, Executor } from './database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** The part of it that blocks this process: SQLite itself waits without letting anything else run. */
const BLOCKING_BUSY_TIMEOUT = 10;

/** Runs `work` on a reader that nobody else uses: the first thing that it reads settles what it sees. */
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
  readonly reader: SqliteConnection;
  /** Opens another one that only reads. */
  readonly openReader: () => SqliteConnection;
}

function createDatabase({ writer, reader, openReader }: Connections, afterClose: () => Promise<void>): Database {
  const queue = createSerialQueue();
  const transaction = createTransactions(writer, queue);
  let closing: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    reader.close();
    // What is left of the write-ahead log goes into the file, unless another process is still using it.
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    writer.close();
    await afterClose();
  };

  const database: Database = {
    dialect: sqliteDialect,
    async all(statement) {
      return onlyReads(statement.text) ? reader.all(statement) : transaction((tx) => tx.all(statement));
    },
    async get(statement) {
      if (onlyReads(statement.text)) return reader.get(statement);
      // A statement that is left after its first row is committed, but keeps the write-ahead log from being checkpointed.
      return (await transaction((tx) => tx.all(statement)))[0];
    },
    run: (statement) => transaction((tx) => tx.run(statement)),
    transaction,
    snapshot: async (work) => runSnapshot(openReader(), work),
    longTransaction: transaction,
    script: (text) =>
      queue.run(async () => {
        writer.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
        try {
          writer.exec(text);
        } finally {
          if (writer.inTransaction) {
            writer.run(ROLLBACK);
          }
          writer.exec(`PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT}`);
        }
      }),
    migrating: (_, work) => work(database),
    close: () => (closing ??= queue.run(closeAll)),
  };
  return database;
}

/**
 * Opens a SQLite file, creating it in a folder that exists; `:memory:` is a temporary file that is deleted on close.
 *
 * A write that was acknowledged survives the death of the process at any moment (`synchronous = NORMAL` with a
 * write-ahead log: after a power failure the last moments may be missing, but the file is intact). Reads outside of a
 * transaction have their own connection: they never wait for a write and see only what is committed. `work` of a
 * transaction must use the executor it is given; waiting for another write of the same database in it never ends.
 */
export async function openSqlite(options: { readonly path: string }): Promise<Database> {
  const temporary = options.path === ':memory:' ? await mkdtemp(joinPath(tmpdir(), 'content-')) : undefined;
  const path = temporary === undefined ? resolve(options.path) : joinPath(temporary, 'data.db');
  const writer = connectSqlite(path, { readOnly: false, busyTimeout: BUSY_TIMEOUT });
  writer.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT};
  `);
  const openReader = () => connectSqlite(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT });
  return createDatabase({ writer, reader: openReader(), openReader }, async () => {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  });
}
