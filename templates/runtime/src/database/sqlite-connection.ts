/** One connection to a SQLite file: cached prepared statements, plain rows, and errors of this package. */
import { DatabaseSync } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import { ForeignKeyViolation, UniqueViolation } from './database.ts';
import type { Row } from './statement-runner.ts';
import type { Result } from './write-plan.ts';
import { NewId } from './new-id.ts';
import { createSameTexts } from './recent-texts.ts';
import type { Sql, SqlParam, SqlValue } from './sql.ts';

const MAX_STATEMENTS = 500;
const INT32 = 2 ** 31;
/** The driver would bind numbers closer to 0 than this as the integer 0. */
const TINY = 2.3e-16;
/** A `*`, except that of `count(*)`. */
const STAR = /(?<!\bcount\()\*/iu;

export interface SqliteConnection {
  /** The rows of a reading statement. */
  all(statement: Sql): Row[];
  get(statement: Sql): Row | undefined;
  /** Runs a writing statement; returns how many rows it changed, and the last id that was generated. */
  run(statement: Sql): Result;
  /** Runs a writing statement with RETURNING, and returns its rows. */
  returning(statement: Sql): Row[];
  /** Runs several statements, which are not cached. */
  exec(text: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

type Native = InstanceType<typeof DatabaseSync>;

interface Prepared {
  readonly statement: ReturnType<Native['prepare']>;
  /** The names of its columns; empty if it returns no rows. */
  columns: readonly string[];
  /** Whether it has a `*`: then its columns depend on the tables at the time it runs. */
  readonly namesAll: boolean;
  /** Reads integers as bigint, because some don't fit a number. */
  bigInts: boolean;
}

function bindable(param: SqlParam): SqlValue {
  const value = param instanceof NewId ? param.value : param;
  if (typeof value === 'number') {
    // The driver binds integers of more than 32 bits as floating point, and tiny fractions as 0.
    if (Number.isInteger(value)) {
      return Number.isSafeInteger(value) && (value >= INT32 || value < -INT32) ? BigInt(value) : value;
    }
    return Math.abs(value) < TINY ? String(value) : value;
  }
  if (typeof value === 'string' && value.includes('\0')) {
    // The driver would silently truncate the text there.
    throw new TypeError('Text with U+0000 cannot be bound');
  }
  return value;
}

function plainValue(value: SqlValue): SqlValue {
  if (typeof value !== 'bigint') {
    return value;
  }
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Some versions of the driver return counts as bigint if they read integers as such. */
function toNumber(count: number | bigint): number {
  return Number(count);
}

/** The values of a row, in the order of the columns. */
type Values = readonly SqlValue[];

/**
 * Builds row objects from arrays of values: the driver makes arrays in a fraction of the time that objects take, and its
 * objects are slow to read.
 */
function rowOf({ columns, bigInts }: Prepared, values: Values): Row {
  const row: Record<string, SqlValue> = {};
  columns.forEach((name, index) => {
    const value = values[index] ?? null;
    row[name] = bigInts ? plainValue(value) : value;
  });
  return row;
}

function rowsOf(ready: Prepared, params: Sql['params']): Row[] {
  const rows = ready.statement.all(...params.map(bindable)) as Values[];
  nameColumns(ready);
  return rows.map((values) => rowOf(ready, values));
}

/** SQLite re-prepares a statement when it runs after a schema change: its columns may be different then. */
function nameColumns(ready: Prepared): void {
  if (ready.namesAll) ready.columns = columnsOf(ready.statement);
}

function columnsOf(statement: Prepared['statement']): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

/** Translates constraint errors of the driver. Only the message identifies them: `.all()` sets no error code. */
function translated(error: unknown, native: Native): unknown {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('FOREIGN KEY constraint failed')) {
    return new ForeignKeyViolation(error);
  }
  const unique = /^UNIQUE constraint failed: (?<columns>.+)$/u.exec(message)?.groups?.['columns'];
  if (unique === undefined) {
    return error;
  }
  const index = /^index '(?<name>.+)'$/su.exec(unique)?.groups?.['name'];
  if (index !== undefined) return expressionViolation(native, index, error);
  const columns = unique.split(', ').map((column) => column.split('.'));
  return new UniqueViolation(
    columns[0]?.[0],
    columns.map((parts) => parts[1] ?? ''),
    error,
  );
}

/** The violation of an index on expressions, of which SQLite reports only the name. */
function expressionViolation(native: Native, index: string, cause: unknown): UniqueViolation {
  const select = native.prepare("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND name = ?");
  const found = select.get(index) as { readonly tbl_name: string; readonly sql: string } | undefined;
  const expressions = /^.*?\sON\s[^(]*\((?<list>.*?)\)(?:\s*WHERE\s.*)?$/isu.exec(found?.sql ?? '')?.groups?.['list'];
  return new UniqueViolation(found?.tbl_name, expressions === undefined ? [] : [expressions], cause);
}

function isTooLargeForNumber(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Value is too large to be represented');
}

/** Whether an error says that another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /^database (?:table )?is locked/u.test(error.message);
}

/** Converts rows that were read with all integers as bigint. */
export function plainRows(rows: readonly Row[]): Row[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)])));
}

/** A statement with parameters that the driver can bind. */
export function bindableStatement({ text, params }: Sql): {
  readonly text: string;
  readonly params: readonly SqlValue[];
} {
  return { text, params: params.map(bindable) };
}

/** Whether SQLite refused to build a value longer than the connection allows. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('string or blob too big');
}

/** Opens a connection; `busyTimeout` is how long it blocks this process, in milliseconds, while another one writes. */
export function connectSqlite(
  path: string,
  options: { readonly readOnly: boolean; readonly busyTimeout: number; readonly maxLength?: number },
): SqliteConnection {
  const native = new DatabaseSync(path, {
    readOnly: options.readOnly,
    timeout: options.busyTimeout,
    enableForeignKeyConstraints: true,
  });
  if (options.maxLength !== undefined) native.limits.length = options.maxLength;
  const cache = new LRUCache<string, Prepared>({ max: MAX_STATEMENTS });
  const same = createSameTexts();

  function translating<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translated(error, native);
    }
  }

  function prepared(given: string, bigInts = false): Prepared {
    const text = same(given);
    const known = cache.get(text);
    if (known) {
      return known;
    }
    const statement = native.prepare(text);
    statement.setReadBigInts(bigInts);
    statement.setReturnArrays(true);
    const made = { statement, bigInts, columns: columnsOf(statement), namesAll: STAR.test(text) };
    cache.set(text, made);
    return made;
  }

  function read<T>(text: string, work: (ready: Prepared) => T): T {
    return translating(() => {
      const ready = prepared(text);
      try {
        return work(ready);
      } catch (error) {
        if (ready.bigInts || !isTooLargeForNumber(error)) {
          throw error;
        }
        ready.bigInts = true;
        ready.statement.setReadBigInts(true);
        return work(ready);
      }
    });
  }

  return {
    all({ text, params }) {
      return read(text, (ready) => rowsOf(ready, params));
    },
    get({ text, params }) {
      return read(text, (ready) => {
        const values = ready.statement.get(...params.map(bindable)) as Values | undefined;
        if (values === undefined) return undefined;
        nameColumns(ready);
        return rowOf(ready, values);
      });
    },
    run({ text, params }) {
      return translating(() => {
        const { changes, lastInsertRowid } = prepared(text).statement.run(...params.map(bindable));
        return { rows: [], changes: toNumber(changes), insertId: toNumber(lastInsertRowid) };
      });
    },
    returning({ text, params }) {
      // It can't be rerun if a value turns out to be too large, so it reads bigint from the start.
      return translating(() => rowsOf(prepared(text, true), params));
    },
    exec(text) {
      translating(() => native.exec(text));
    },
    get inTransaction() {
      return native.isTransaction;
    },
    close() {
      cache.clear();
      native.close();
    },
  };
}
