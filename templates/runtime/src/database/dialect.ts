/** Where the engines differ. Everything that builds SQL asks the dialect; nothing else knows the engine. */
import type { Sql, SqlValue } from './sql.ts';
import type { GuardedRows } from './guard.ts';
import type { StatementRunner, TransactionRunner } from './statement-runner.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';

/** The types that a column of a list of rows given as JSON can have. */
export type JsonColumnType = 'integer' | 'text';

/** A row for `givenRows`: a value for each column, of its type. */
export type GivenRow = Readonly<Record<string, string | number | null>>;

/** The part of a list that is shown. */
export interface Part {
  readonly start: number;
  readonly limit: number;
}

/** A scalar column in a row that is answered: how it is asked for, and how what the driver hands over is written as JSON. */
export interface RowScalar {
  select(column: Sql): Sql;
  /** Of a value that is not null. */
  write(value: SqlValue): string;
}

/** Ids as rows of the one column `id`, for `jsonRows`. */
export function idsJson(ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => ({ id })));
}

/**
 * Of engines that are sent several statements in one round trip: nothing is done that follows one that fails. `index` numbers the
 * new ids of a batch.
 */
export interface Batches {
  /** What statements of a batch call the id that an earlier one has made. */
  nameOfId(table: string, index: number): string;
  /** The statement after an INSERT that gives its id that name; undefined where it has it anyway, until the next INSERT. */
  nameId(index: number): Sql | undefined;
  /** A statement that locks rows, in their order, and fails unless all of them exist. */
  assertRowCount(rows: readonly GuardedRows[]): Sql;
  /**
   * A statement that fails unless the one before it has changed so many rows; undefined where that locks them in another order than
   * that of their ids.
   */
  readonly assertChanged?: (count: number) => Sql;
  /** Whether a batch ends with the `orElse` of a statement that finds no row; elsewhere those after it are done. */
  readonly endsWithoutRow: boolean;
}

/** `mysql` is MariaDB, too. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql';

export interface Dialect {
  readonly name: DialectName;
  /** What a statement begins with that shows the plan of another one, without running it. */
  readonly explain: string;
  /** Undefined where each statement is a round trip of its own, or none at all. */
  readonly batches: Batches | undefined;
  /** A quoted name. Only for names from the descriptors. */
  id(name: string): Sql;
  /** A quoted text literal. Only for names from the descriptors, such as JSON keys. */
  text(value: string): Sql;

  /**
   * A JSON object of fixed keys: `[key, JSON]`. JSON is what the functions here answer, or SQL's NULL: where an engine
   * builds JSON as text, it can't tell a text from it.
   */
  jsonObject(pairs: readonly (readonly [string, Sql])[]): Sql;
  /**
   * A JSON array of `value` over the rows of a group, in the order given; `[]` for no rows. Without an order, in that of the
   * rows: see `orderedJoin`. `part`: see `limitInAggregate`.
   */
  jsonArrayAggregate(value: Sql, orderBy: Sql | undefined, part?: Part): Sql;
  /**
   * The join that leaves rows in the order of the subselect before it, for aggregates too. Undefined where aggregates have
   * to be given an order.
   */
  readonly orderedJoin: Sql | undefined;
  /**
   * Whether the part of a list is chosen with all columns of its rows, rather than by ids whose rows are looked up again. Not
   * where an engine writes such a part to a table of its own.
   */
  readonly selectsWholeRows: boolean;
  /**
   * Whether it is the aggregate that shows a part of a list: where a subselect in FROM can't see the rows around its SELECT,
   * so that the part can't be chosen there.
   */
  readonly limitInAggregate: boolean;
  /**
   * How scalar columns become JSON outside of the engine, which is what `jsonScalar` says of them. Undefined where the engine
   * builds JSON faster than it hands over rows: then it builds the text of whole answers. Elsewhere the rows of the entries
   * themselves are asked for, and only what is populated is JSON of the engine.
   */
  readonly rowScalar: ((type: ColumnType) => RowScalar) | undefined;
  /**
   * A SELECT of one row that is never NULL, as an expression. Where an engine answers NULL for a subselect that was interrupted,
   * and goes on, this fails.
   */
  neverNull(select: Sql): Sql;
  /**
   * A whole number of the first row of `from` in this order, or 0 where there is none; negative ones may be answered as 0. Where an
   * engine answers NULL for a subselect that was interrupted, this fails.
   */
  firstOrZero(value: Sql, from: Sql, orderBy: Sql): Sql;
  /** The JSON of the first row of `from` (in this order, where there may be several), or null where there is none. */
  jsonFirst(json: Sql, from: Sql, orderBy?: Sql): Sql;
  /** The JSON constant `[]`. */
  jsonEmptyArray: Sql;
  /** A scalar column as a JSON value of the answer: times in ISO 8601, big integers as text, decimals as numbers. */
  jsonScalar(type: ColumnType, column: Sql): Sql;
  /**
   * A scalar column as a value that `castScalar` makes the canonical one of, whatever the settings of a connection; JSON as the
   * text that is stored.
   */
  plainScalar(type: ColumnType, column: Sql): Sql;
  /** JSON as the text that is sent: what a driver hands over as a string. */
  jsonText(json: Sql): Sql;
  /** The same for what is long: as bytes, where the driver then copies it less often. */
  jsonBytes(json: Sql): Sql;
  /**
   * Of engines whose driver can't be handed a text of any length: `text`, or NULL if it has more bytes than `most`. Elsewhere
   * undefined: there it is the connection that limits what is built.
   */
  readonly atMost: ((text: Sql, most: number) => Sql) | undefined;

  /**
   * A checked value as this engine binds it. `value` is canonical: text for text-like types, `date` (`YYYY-MM-DD`),
   * `time` (`HH:mm:ss.SSS`), `datetime` (ISO 8601 UTC with milliseconds), `decimal` and `biginteger`; number for
   * `integer` and `float`; boolean; any JSON value for `json` and `blocks`.
   */
  bind(type: ColumnType, value: unknown): SqlValue;
  /** Rows made from one JSON text, a parameter, so that a list of any length is one parameter: `SELECT a, b FROM <this>`. */
  jsonRows(json: string | Sql, columns: Readonly<Record<string, JsonColumnType>>): Sql;
  /** The same of rows that are not JSON yet: where the engine parses it slowly, a few rows are parameters of their own. */
  givenRows(rows: readonly GivenRow[], columns: Readonly<Record<string, JsonColumnType>>): Sql;
  /** Whether a column has one of these ids, found by an index; false if there are none. */
  isOneOf(column: Sql, ids: readonly number[]): Sql;
  /**
   * An UPDATE of a table from other rows: `assign` and `where` call the row that changes `t` and the row it is changed
   * from `r`. `rows` is what `jsonRows` answers.
   */
  updateFrom(table: string, rows: Sql, assign: Readonly<Record<string, Sql>>, where: Sql): Sql;
  /** What stands behind an INSERT … SELECT of rows whose `key` may be there: those get the new value of the column `update`. */
  onConflict(row: { readonly key: readonly string[]; readonly update: string }): Sql;
  /** Whether an INSERT can answer expressions of its row, by `RETURNING`. */
  readonly insertReturns: boolean;
  /** The same of an UPDATE. */
  readonly updateReturns: boolean;
  /**
   * Takes `count` (at least 1) new ids of a table whose `id` is generated, in ascending order, without
   * leaving a row. An id is never given twice, but one that was taken in a transaction that is rolled back may be.
   */
  takeIds(tx: StatementRunner, table: string, count: number): Promise<readonly number[]>;
  /** The largest id that a table whose `id` is generated has ever given; 0 before the first. */
  lastId(executor: StatementRunner, table: string): Promise<number>;
  /** Has the ids of a table go on after `last`. Where no transaction can hold that (MySQL), when this one is over. */
  setLastId(tx: TransactionRunner, table: string, last: number): Promise<void>;
  /**
   * Waits until no other transaction holds any of these keys, and holds them until the end of this one: for rows that can't
   * be locked because which they are is not known before. Nothing where only one writes at a time.
   */
  lockKeys(tx: TransactionRunner, keys: readonly string[]): Promise<void>;
  /**
   * Whether a MIN or MAX of what is beyond a value of another row is found by the index for each such row. Elsewhere only if
   * there is one such row.
   */
  readonly indexedCorrelatedMinMax: boolean;
  /** The rows of several SELECTs (at least one), one after the other, each with its own order and lock. */
  unionAll(selects: readonly Sql[]): Sql;
  /** What ends a SELECT whose rows are to be locked against other writers; empty where only one writes at a time. */
  readonly rowLock: Sql;
  /**
   * What stands behind the name of a table whose rows are to be found by their ids and in no other way. Undefined where a
   * SELECT locks only the rows that it answers; elsewhere it also locks those that it looks at.
   */
  readonly primaryKeyHint: Sql | undefined;
}
