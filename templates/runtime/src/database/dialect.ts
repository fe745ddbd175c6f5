/** Where the engines differ. All code that builds SQL goes through the dialect; nothing else knows the engine. */
import type { EngineName } from '../contract/engines.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { GuardedRows } from './guard.ts';
import type { StatementRunner, TransactionStatementRunner } from './statement-runner.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';

/** The column types of rows passed as JSON. */
export type JsonColumnType = 'integer' | 'text';

/** A row for `givenRows`: a value for each column, of its type. */
export type GivenRow = Readonly<Record<string, string | number | null>>;

/** A slice of a list: offset and limit. */
export interface Part {
  readonly start: number;
  readonly limit: number;
}

/** How a scalar column of a result row is selected, and how the driver's value is written as JSON. */
export interface RowScalar {
  select(column: Sql): Sql;
  /** The JSON of a value that is not null. */
  write(value: SqlValue): string;
}

/** Ids as rows with the single column `id`, for `jsonRows`. */
export function idsJson(ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => ({ id })));
}

/**
 * For engines that accept several statements in one round trip: once a statement fails, the rest of the batch is skipped.
 * `index` numbers the new ids of a batch.
 */
export interface Batches {
  /** The SQL expression by which later statements of a batch refer to the id that an earlier one generated. */
  idReference(table: string, index: number): string;
  /**
   * The statement after an INSERT that stores its id for that expression; undefined where the expression works without it,
   * until the next INSERT.
   */
  storeId(index: number): Sql | undefined;
  /** A statement that locks rows in order, and fails unless all of them exist. */
  assertRowCount(rows: readonly GuardedRows[]): Sql;
  /**
   * A statement that fails unless the one before it changed `count` rows; undefined where an UPDATE locks rows in an order
   * other than that of their ids.
   */
  readonly assertChanged?: (count: number) => Sql;
  /** Whether a statement with `noRowError` that finds no row ends the batch; otherwise the statements after it still run. */
  readonly endsWithoutRow: boolean;
}

export type { EngineName as DialectName };

export interface Dialect {
  readonly name: EngineName;
  /** The prefix that makes a statement show its execution plan instead of running. */
  readonly explain: string;
  /** Undefined where each statement takes a round trip of its own, or where there are no round trips at all. */
  readonly batches: Batches | undefined;
  /** A quoted identifier. Only for names from the descriptors. */
  id(name: string): Sql;
  /** A quoted text literal. Only for names from the descriptors, such as JSON keys. */
  text(value: string): Sql;

  /**
   * A JSON object with fixed keys, from `[key, JSON]` pairs. JSON means a result of the functions here, or SQL NULL: an
   * engine that builds JSON as text can't tell it from plain text.
   */
  jsonObject(pairs: readonly (readonly [string, Sql])[]): Sql;
  /**
   * A JSON array of `value` over the rows of a group, ordered by `orderBy`; `[]` for no rows. Without `orderBy`, in row
   * order: see `orderedJoin`. `part`: see `limitInAggregate`.
   */
  jsonArrayAggregate(value: Sql, orderBy: Sql | undefined, part?: Part): Sql;
  /**
   * The join that preserves the row order of the subselect before it, also for aggregates. Undefined where aggregates need
   * an explicit ORDER BY.
   */
  readonly orderedJoin: Sql | undefined;
  /**
   * Whether a slice of a list is selected with all columns of its rows, rather than as ids that are joined to the table
   * again. False where an engine writes such a slice to a temporary table.
   */
  readonly selectsWholeRows: boolean;
  /** Whether rows that a filter on other tables finds are read in full before they are sorted, also those beyond the page. */
  readonly sortsWholeRows: boolean;
  /**
   * Whether the aggregate itself cuts out the slice of a list: where a subselect in FROM can't refer to the outer query, so
   * that it can't select the slice there.
   */
  readonly limitInAggregate: boolean;
  /**
   * Whether a prepared statement keeps what its first run derived from equal values. MariaDB turns `id IN (5, 5)` and
   * `id = 5 OR id = 5` into `id = 5`, joins a subquery that then finds one row at most to the outer query, and repeats rows when
   * the statement runs with 5 and 6.
   */
  readonly keepsFirstPlan: boolean;
  /**
   * How scalar columns become JSON in this process, with the same result as `jsonScalar`. Undefined where the engine builds
   * JSON faster than it hands over rows: then it builds the text of whole responses. Elsewhere the entries themselves are
   * selected as rows, and only what is populated is JSON from the engine.
   */
  readonly rowScalar: ((type: ColumnType) => RowScalar) | undefined;
  /**
   * A SELECT of one row that is never NULL, as an expression. It fails where an engine would otherwise continue with NULL for an
   * interrupted subselect.
   */
  neverNull(select: Sql): Sql;
  /**
   * The integer `value` of the first row of `from` in this order, or 0 if there is no row; negative values may become 0. If
   * an engine returns NULL for an interrupted subselect, this fails.
   */
  firstOrZero(value: Sql, from: Sql, orderBy: Sql): Sql;
  /** The JSON of the first row of `from`, or null if there is none. `orderBy` is needed where there may be several rows. */
  jsonFirst(json: Sql, from: Sql, orderBy?: Sql): Sql;
  /** The JSON constant `[]`. */
  jsonEmptyArray: Sql;
  /** A scalar column as a JSON value of the response: times in ISO 8601, big integers as text, decimals as numbers. */
  jsonScalar(type: ColumnType, column: Sql): Sql;
  /**
   * A scalar column as a value that `castScalar` makes canonical, whatever the settings of the connection; JSON as the
   * stored text.
   */
  plainScalar(type: ColumnType, column: Sql): Sql;
  /** JSON as the text that is sent to the client, which the driver returns as a string. */
  jsonText(json: Sql): Sql;
  /** Like `jsonText`, for long texts: as bytes, which the driver copies less often. */
  jsonBytes(json: Sql): Sql;
  /**
   * For engines whose driver can't receive text of any length: `text`, or NULL if it has more than `most` bytes. Undefined
   * elsewhere: there the connection limits the size of results.
   */
  readonly atMost: ((text: Sql, most: number) => Sql) | undefined;

  /**
   * A validated value as this engine binds it. `value` is canonical: text for text-like types, `date` (`YYYY-MM-DD`), `time`
   * (`HH:mm:ss.SSS`), `datetime` (ISO 8601 UTC with milliseconds), `decimal` and `biginteger`; number for `integer` and
   * `float`; boolean; any JSON value for `json` and `blocks`.
   */
  bind(type: ColumnType, value: unknown): SqlValue;
  /** Rows from one JSON text, so that a list of any length is a single parameter: `SELECT a, b FROM <this>`. */
  jsonRows(json: string | Sql, columns: Readonly<Record<string, JsonColumnType>>): Sql;
  /**
   * Like `jsonRows`, for rows that are not JSON yet: where the engine parses JSON slowly, a few rows become parameters of
   * their own.
   */
  givenRows(rows: readonly GivenRow[], columns: Readonly<Record<string, JsonColumnType>>): Sql;
  /** Whether a column equals one of these ids, using an index; false for an empty list. */
  isOneOf(column: Sql, ids: readonly number[]): Sql;
  /**
   * An UPDATE of a table from other rows: in `assign` and `where`, `t` is the row that changes and `r` the row it is changed
   * from. `rows` comes from `jsonRows`.
   */
  updateFrom(table: string, rows: Sql, assign: Readonly<Record<string, Sql>>, where: Sql): Sql;
  /**
   * The clause that makes an INSERT … SELECT an upsert: rows whose `key` exists get the new value of the column `update`.
   */
  onConflict(row: { readonly key: readonly string[]; readonly update: string }): Sql;
  /** Whether INSERT supports RETURNING. */
  readonly insertReturns: boolean;
  /**
   * Without RETURNING: selects the first id (`id`) that the INSERT of several rows before it has generated, and the difference between
   * its ids (`step`).
   */
  readonly generatedIds: Sql | undefined;
  /** Whether UPDATE supports RETURNING. */
  readonly updateReturns: boolean;
  /**
   * Allocates `count` (at least 1) new ids of a table with a generated `id`, in ascending order, without leaving a row
   * behind. An id is never given out twice, except after a rollback of the transaction that took it.
   */
  takeIds(tx: StatementRunner, table: string, count: number): Promise<readonly number[]>;
  /** The largest id that a table with a generated `id` has ever given out; 0 before the first. */
  lastId(executor: StatementRunner, table: string): Promise<number>;
  /**
   * Makes the ids of a table continue after `last`. Where that can't be transactional (MySQL), it happens when the
   * transaction is over.
   */
  setLastId(tx: TransactionStatementRunner, table: string, last: number): Promise<void>;
  /**
   * Waits until no other transaction holds any of these keys, and holds them until this one ends: for rows that can't be
   * locked because they aren't known yet. Does nothing where there is only one writer at a time.
   */
  lockKeys(tx: TransactionStatementRunner, keys: readonly string[]): Promise<void>;
  /**
   * Whether a correlated MIN or MAX of the values beyond another row's value uses the index for each outer row. Elsewhere
   * the index is used only for a single outer row.
   */
  readonly indexedCorrelatedMinMax: boolean;
  /** The rows of several SELECTs (at least one), concatenated; each has its own order and lock. */
  unionAll(selects: readonly Sql[]): Sql;
  /** The time by the clock of the database, in milliseconds since 1970: the same for all instances. */
  readonly now: Sql;
  /** The clause that makes a SELECT lock its rows against other writers; empty where there is only one writer at a time. */
  readonly rowLock: Sql;
  /**
   * The hint after a table name that restricts lookups to the primary key. Undefined where a SELECT locks only the rows it
   * returns; elsewhere it also locks the rows it scans.
   */
  readonly primaryKeyHint: Sql | undefined;
}
