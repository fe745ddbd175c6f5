/** The statement of a list, and the conversion of its rows to entries. */
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { rowsOf } from '../pagination.ts';
import type { EntrySelection, ListQuery, LocaleFilter } from '../read-query.ts';
import { versionTag } from '../version-tag.ts';
import { countOf } from './compile-count.ts';
import { entryJson } from './compile-entry.ts';
import { usesOnlyOwnRow } from './compile-filter.ts';
import { compilePopulation } from './compile-population.ts';
import { idKey, orderBy, orderInAggregate, type OrderKey, orderKeys } from './compile-sort.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { entryLevel, type EntryLevel } from './compile-level.ts';
import { entrySerializer } from './entry-serializer.ts';
import type { DeferredList, ListBounds } from './list-bounds.ts';
import { rootConditions, rootRows } from './root-rows.ts';
import type { TableRows } from './rows.ts';
import { arrayOf, type Pieces } from '../utf8-pieces.ts';
import { windowed } from './window.ts';

/** The entries of a page. */
export interface ListPage {
  /** As one JSON array. */
  readonly data: Pieces;
  /** The number of entries. */
  readonly rows: number;
  /** The number of entries on all pages, if the statement counts them. */
  readonly total: number | undefined;
  /** A short key of the state of `data`, for its ETag; undefined if there is none. */
  readonly state?: string | undefined;
}

export interface ListStatement {
  readonly statement: Sql;
  /** Builds the page from all rows of the result. */
  pageOf(answer: readonly Row[]): ListPage;
}

/** The entries of a page, in order. */
interface Listed {
  readonly rows: TableRows;
  /** The table with the conditions. */
  readonly from: Sql;
  readonly keys: readonly OrderKey[];
  readonly start: number;
  readonly limit: number;
  /** The column `total`, preceded by a comma; empty if the statement does not count. */
  readonly total: Sql;
}

/**
 * Whether the page's statement also counts all entries. A page that is not full determines the total by itself, so filtered lists
 * are counted afterwards, and only if necessary. Without a filter but that of a rule, either pages are full or there is little to count.
 */
function countsAlong({ page, filter, entry }: Pick<ListQuery, 'page' | 'filter' | 'entry'>): boolean {
  return page.withCount && (filter === undefined || filter === entry.narrowed);
}

function totalIn(row: Row | undefined): number | undefined {
  const total = row?.['total'] ?? undefined;
  return total === undefined ? undefined : Number(total);
}

function listed(compiler: Compiler, query: ListQuery, locale: LocaleFilter): Listed {
  const { rows, from } = rootRows(compiler, query.entry);
  return {
    rows,
    from: sql`${from}${rootConditions(compiler, query, rows, locale)}`,
    keys: orderKeys(compiler, query.sort, rows, [idKey(rows)]),
    ...rowsOf(query.page),
    total: countsAlong(query) ? sql`, (${countOf(compiler, query, locale)}) AS total` : sql``,
  };
}

/** The selected rows from which entries are built. Without `keys` they are already in order. */
interface Shown {
  readonly shown: TableRows;
  readonly from: Sql;
  readonly keys: readonly OrderKey[] | undefined;
}

/** Selects the rows of the page in a subquery, before anything is built from them. */
function selectRowsFirst(compiler: Compiler, { entry }: ListQuery, { rows, from, keys, start, limit }: Listed): Shown {
  const { dialect } = compiler;
  const { type } = entry;
  const window = { from, conditions: [], keys, start, limit };
  if (dialect.selectsWholeRows) {
    const part = windowed(compiler, { ...window, columns: {}, whole: rows.alias });
    return { shown: { kind: 'table', alias: part.alias, type }, from: part.from, keys: part.keys };
  }
  const part = windowed(compiler, { ...window, columns: { id: sql`${rows.alias}.id` } });
  const shown: TableRows = { kind: 'table', alias: compiler.alias(), type };
  const table = sql`${dialect.id(type.table)} AS ${shown.alias}`;
  const rejoined = sql`${dialect.orderedJoin ?? raw('JOIN')} ${table} ON ${shown.alias}.id = ${part.alias}.id`;
  return { shown, from: sql`${part.from} ${rejoined}`, keys: dialect.orderedJoin ? undefined : part.keys };
}

/** Rows skipped by OFFSET are read in full, like those shown. For larger offsets, selecting the ids first is faster. */
const MAX_SKIPPED = 200;

/**
 * Whether to select the rows in a subquery first. If there are conditions on other tables, the engine may join these first, and
 * then write all matching rows, with the JSON of populated attributes, to a temporary table to sort.
 */
function selectsRowsFirst({ dialect }: Compiler, { entry, filter }: ListQuery, { start }: Listed): boolean {
  const isLarge = dialect.sortsWholeRows || entry.populate.length > 0 || entry.type.localized;
  return start > MAX_SKIPPED || (isLarge && filter !== undefined && !usesOnlyOwnRow(filter));
}

/** A list whose entries' own lists are read by later statements. */
export interface ShallowListStatement {
  readonly statement: Sql;
  readonly level: EntryLevel;
  /** The number of entries on all pages, if the statement counts them. */
  totalOf(answer: readonly Row[]): number | undefined;
}

/** Selects the entries of a page without their lists: one row each. */
export function compileShallowList(dialect: Dialect, query: ListQuery, locale: LocaleFilter): ShallowListStatement {
  const lists: DeferredList[] = [];
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'deferred', lists });
  const list = listed(compiler, query, locale);
  const { shown, from, keys } = selectRowsFirst(compiler, query, list);
  const { columns, level } = entryLevel(compiler, query.entry, shown, lists);
  const order = keys ? sql` ORDER BY ${orderBy(compiler, keys)}` : sql``;
  return {
    statement: sql`SELECT ${columns}${list.total} FROM ${from}${order}`,
    level,
    totalOf: ([row]) => totalIn(row),
  };
}

/** The columns that are selected for entries, and the conversion of their rows. */
interface ListedEntries {
  readonly columns: Sql;
  textOf(row: Row): string;
  /** See `ListPage`. */
  stateOf(rows: readonly Row[]): string | undefined;
}

/** Selects the versions too if they determine everything that is shown, since hashing them is faster than hashing the JSON. */
function listedEntries(compiler: Compiler, entry: EntrySelection, rows: TableRows): ListedEntries {
  const { columns, textOf, nameOf } = entrySerializer(compiler, entry, rows);
  const version = versionTag(compiler.dialect, entry, rows.alias, nameOf);
  const id = nameOf(sql`${rows.alias}.id`);
  if (!version.identifiesAnswer || id === undefined) return { columns, textOf, stateOf: () => undefined };
  return {
    columns: sql`${columns}, ${version.columns}`,
    textOf,
    stateOf: (all) => all.map((row) => `${String(row[id])}-${version.versionOf(row)}-${version.tagOf(row)}`).join(),
  };
}

function rowsStatement(compiler: Compiler, query: ListQuery, list: Listed): { statement: Sql; entries: ListedEntries } {
  const { rowCount } = compiler.engine;
  if (selectsRowsFirst(compiler, query, list)) {
    const { shown, from, keys } = selectRowsFirst(compiler, query, list);
    const entries = listedEntries(compiler, query.entry, shown);
    const order = keys ? sql` ORDER BY ${orderBy(compiler, keys)}` : sql``;
    return { statement: sql`SELECT ${entries.columns}${list.total} FROM ${from}${order}`, entries };
  }
  const entries = listedEntries(compiler, query.entry, list.rows);
  const part = sql`LIMIT ${rowCount(list.limit)} OFFSET ${rowCount(list.start)}`;
  const order = orderBy(compiler, list.keys);
  return {
    statement: sql`SELECT ${entries.columns}${list.total} FROM ${list.from} ORDER BY ${order} ${part}`,
    entries,
  };
}

/** One row per entry. */
function asRows(compiler: Compiler, query: ListQuery, list: Listed): ListStatement {
  const { statement, entries } = rowsStatement(compiler, query, list);
  return {
    statement,
    pageOf: (rows) => ({
      data: arrayOf(rows.map((row) => [entries.textOf(row)])),
      rows: rows.length,
      total: totalIn(rows[0]),
      state: entries.stateOf(rows),
    }),
  };
}

/** The value of a `jsonBytes` column. */
function bytesOf(json: unknown): Buffer {
  if (!(json instanceof Uint8Array)) return Buffer.from(String(json));
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength);
}

/** Replaces the column `data` of `select` by NULL if it is larger than an answer may be. */
function withinSize(compiler: Compiler, query: ListQuery, select: Sql): Sql {
  const { dialect, bounds } = compiler;
  if (!dialect.atMost || bounds?.kind !== 'guarded') return select;
  const total = countsAlong(query) ? raw(', whole.total') : raw('');
  const data = dialect.atMost(raw('whole.data'), bounds.size);
  return sql`SELECT ${data} AS data, whole.${dialect.id('rows')}${total} FROM (${select}) AS whole`;
}

/** A single row: `data` is the JSON array, `rows` its length. */
function asJson(compiler: Compiler, query: ListQuery, list: Listed): ListStatement {
  const { dialect } = compiler;
  const { shown, from, keys } = selectRowsFirst(compiler, query, list);
  const entry = entryJson(compiler, query.entry, shown);
  const json = dialect.jsonArrayAggregate(entry, keys && orderInAggregate(compiler, keys));
  const select = sql`SELECT ${dialect.jsonBytes(json)} AS data, COUNT(*) AS ${dialect.id('rows')}${list.total} FROM ${from}`;
  return {
    statement: withinSize(compiler, query, select),
    pageOf: ([row]) => ({ data: [bytesOf(row?.['data'])], rows: Number(row?.['rows']), total: totalIn(row) }),
  };
}

/** Selects the entries of a page with everything they populate. */
export function compileList(
  dialect: Dialect,
  query: ListQuery,
  locale: LocaleFilter,
  bounds: ListBounds | undefined,
): ListStatement {
  const compiler = createCompiler(dialect, compilePopulation, bounds);
  const list = listed(compiler, query, locale);
  return dialect.rowScalar ? asRows(compiler, query, list) : asJson(compiler, query, list);
}
