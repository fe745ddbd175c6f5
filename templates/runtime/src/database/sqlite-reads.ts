/**
 * Reads of a SQLite file outside of write transactions: quick ones on the server's thread, the others in separate processes.
 */
import { MAX_COST_ON_THREAD } from '../contract/limits.ts';
import { AnswerTooLargeError, ClientGoneError } from '../contract/errors.ts';
import { createTurnScheduler } from '../base/turns.ts';
import type { Executor } from './executor.ts';
import { costsMoreThan } from './read-cost.ts';
import type { ReadOptions, Row } from './statement-runner.ts';
import { raw, sql, type Sql } from './sql.ts';
import { bindableStatement, isTooLong, plainRows, type SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { createRounds } from './sqlite-rounds.ts';
import { type StatementWatch, watched } from './statement-watch.ts';
import {
  createReadProcesses,
  type ReadProcess,
  type ReadProcesses,
  type ReadProcessOptions,
} from './sqlite-processes.ts';

/** How long a table's row count is cached, in milliseconds. */
const FRESH = 5000;
/** How many idle connections for read transactions are kept. */
const MAX_KEPT = 2;

const BEGIN = 'BEGIN; SELECT 1 FROM sqlite_schema';
const COMMIT = 'COMMIT';

/** Changes whenever another connection has committed. */
const DATA_VERSION = raw('PRAGMA data_version');

export interface SqliteReads {
  all(statement: Sql, options: ReadOptions | undefined): Promise<Row[]>;
  get(statement: Sql, options: ReadOptions | undefined): Promise<Row | undefined>;
  transaction<T>(options: ReadOptions | undefined, work: (reader: Executor) => Promise<T>): Promise<T>;
  /** See `Database`. */
  state(options: ReadOptions | undefined): Promise<string>;
  slow: ReadProcesses['count'];
  /** Call it after a write. */
  refresh(): void;
  close(): void;
}

/** The number up to which rows of tables without ids are counted. */
const MAX_COUNTED = 100_000;

/** An upper bound for the rows of a table: its largest id. Link tables have no ids: their rows are counted, up to `MAX_COUNTED`. */
function countRows(reader: SqliteConnection, table: string): number {
  const name = sqliteDialect.id(table);
  const hasIds = reader.get(sql`SELECT 1 AS one FROM pragma_table_info(${table}) WHERE name = 'id'`) !== undefined;
  const counted = hasIds
    ? sql`SELECT MAX(id) AS rows FROM ${name}`
    : sql`SELECT COUNT(*) AS rows FROM (SELECT 1 FROM ${name} LIMIT ${MAX_COUNTED})`;
  return Number(reader.get(counted)?.['rows'] ?? 0);
}

/** Caches the row counts of tables for a short time. */
function createRowCounts(reader: SqliteConnection): (table: string) => number {
  const known = new Map<string, { readonly count: number; readonly until: number }>();
  return (table) => {
    const now = performance.now();
    const found = known.get(table);
    if (found && now < found.until) return found.count;
    const count = countRows(reader, table);
    known.set(table, { count, until: now + FRESH });
    return count;
  };
}

function refuseIfGone(options: ReadOptions | undefined): void {
  if (options?.client?.gone) throw new ClientGoneError();
}

function tooLarge(error: unknown): unknown {
  return isTooLong(error) ? new AnswerTooLargeError() : error;
}

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw tooLarge(error);
  }
}

/** Runs a statement in a process, with the results and errors of a connection. */
async function allIn(process: ReadProcess, statement: Sql, watch: StatementWatch | undefined): Promise<Row[]> {
  try {
    return plainRows(await watched(watch, statement, () => process.all(bindableStatement(statement))));
  } catch (error) {
    throw tooLarge(error);
  }
}

function executorOf(all: (statement: Sql) => Promise<Row[]>): Executor {
  return {
    dialect: sqliteDialect,
    all,
    get: async (statement) => (await all(statement))[0],
    run: () => Promise.reject(new Error("a read transaction can't write")),
  };
}

/**
 * `reader` is the connection for single statements; `openReader` opens one for a transaction. The other options are for the
 * processes.
 */
export function createSqliteReads(
  options: ReadProcessOptions & {
    readonly reader: SqliteConnection;
    readonly openReader: () => SqliteConnection;
    /** Whether this process is the only one of its server. */
    readonly isAlone: boolean;
    readonly watch?: StatementWatch | undefined;
  },
): SqliteReads {
  const { reader, openReader, watch, isAlone } = options;
  const rounds = createRounds(reader, isAlone);
  const processes = createReadProcesses(options);
  const rowsOf = createRowCounts(reader);
  const kept: SqliteConnection[] = [];
  const inRounds = createTurnScheduler();

  function isHeavy(read: ReadOptions | undefined): boolean {
    return costsMoreThan(MAX_COST_ON_THREAD, read, rowsOf);
  }

  async function transactionOnThread<T>(
    read: ReadOptions | undefined,
    work: (reader: Executor) => Promise<T>,
  ): Promise<T> {
    const connection = kept.pop() ?? openReader();
    try {
      connection.exec(BEGIN);
      return await work(
        executorOf(async (statement) =>
          inRounds(() => {
            refuseIfGone(read);
            return translating(() => connection.all(statement));
          }),
        ),
      );
    } finally {
      if (connection.inTransaction) connection.run(raw(COMMIT));
      if (kept.length < MAX_KEPT) kept.push(connection);
      else connection.close();
    }
  }

  function transactionInProcess<T>(read: ReadOptions | undefined, work: (reader: Executor) => Promise<T>): Promise<T> {
    return processes.run(read?.client, async (process) => {
      await process.exec(BEGIN);
      try {
        return await work(executorOf((statement) => allIn(process, statement, watch)));
      } finally {
        // If the process was killed, so was its transaction.
        await process.exec(COMMIT).catch(() => undefined);
      }
    });
  }

  function onThread<T>(read: ReadOptions | undefined, work: () => T): T | Promise<T> {
    return inRounds(() => {
      refuseIfGone(read);
      rounds.read();
      return translating(work);
    });
  }

  function inOtherProcess(statement: Sql, read: ReadOptions | undefined): Promise<Row[]> {
    return processes.run(read?.client, (process) => allIn(process, statement, watch));
  }

  return {
    async all(statement, read) {
      refuseIfGone(read);
      return isHeavy(read) ? inOtherProcess(statement, read) : onThread(read, () => reader.all(statement));
    },
    async get(statement, read) {
      refuseIfGone(read);
      return isHeavy(read) ? (await inOtherProcess(statement, read))[0] : onThread(read, () => reader.get(statement));
    },
    transaction: (read, work) => (isHeavy(read) ? transactionInProcess(read, work) : transactionOnThread(read, work)),
    state: async (read) => String((await onThread(read, () => reader.get(DATA_VERSION)))?.['data_version']),
    slow: () => processes.count(),
    refresh: () => rounds.end(),
    close() {
      processes.close();
      rounds.end();
      for (const connection of [reader, ...kept.splice(0)]) connection.close();
    },
  };
}
