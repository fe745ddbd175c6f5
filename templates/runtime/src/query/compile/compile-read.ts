/** The statements of a read: an entry, a list, a count. The result is the JSON text of the answer. */
import type { Dialect } from '../../database/dialect.ts';
import { raw, sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import { rowsOf } from '../pagination.ts';
import type { EntrySelection, Filter, ListQuery, LocaleFilter, ReadQuery } from '../read-query.ts';
import { createCompiler, published, where } from './compiler.ts';
import type { Compiler } from './compiler.ts';
import { entryJson } from './compile-entry.ts';
import { compileFilter } from './compile-filter.ts';
import { compilePopulation } from './compile-population.ts';
import { idKey, orderInAggregate, orderKeys } from './compile-sort.ts';
import type { TableRows } from './rows.ts';
import { windowed } from './window.ts';

/** A statement for one entry: `statement(id)` binds its id. */
export interface EntryStatement {
  readonly text: string;
  statement(id: number): Sql;
  /**
   * An UPDATE of the entry's row that answers the same; `assignments` are what stands behind `SET`. Undefined where an UPDATE
   * can't answer it: what is populated may be as it was before.
   */
  readonly update: ((assignments: Sql, id: number) => Sql) | undefined;
}

function rootRows(compiler: Compiler, entry: EntrySelection): { rows: TableRows; from: Sql } {
  const alias = compiler.alias();
  return {
    rows: { kind: 'table', alias, type: entry.type },
    from: sql`${compiler.id(entry.type.table)} AS ${alias}`,
  };
}

function filterConditions(compiler: Compiler, filter: Filter | undefined, rows: TableRows): readonly Sql[] {
  return filter === undefined ? [] : [compileFilter(compiler, filter, rows)];
}

function localeConditions(locale: LocaleFilter, rows: TableRows): readonly Sql[] {
  return locale.kind === 'locale' && rows.type.localized ? [sql`${rows.alias}.locale = ${locale.locale}`] : [];
}

function withId(before: Sql, after: Sql): Pick<EntryStatement, 'text' | 'statement'> {
  const text = `${before.text}?${after.text}`;
  return {
    text,
    statement: (id) => ({ text, params: [...before.params, id, ...after.params] }),
  };
}

function updateOf(compiler: Compiler, entry: EntrySelection): EntryStatement['update'] {
  const { dialect } = compiler;
  if (!dialect.updateReturns || entry.populate.length > 0) return undefined;
  // Not every engine knows another name of the table in RETURNING.
  const table = dialect.id(entry.type.table);
  const json = dialect.jsonText(entryJson(compiler, entry, { kind: 'table', alias: table, type: entry.type }));
  return (assignments, id) => sql`UPDATE ${table} SET ${assignments} WHERE id = ${id} RETURNING ${json} AS data`;
}

/**
 * The entry with an id, as the column `data`; no row where there is none. `anyState`: also a draft, and whatever the
 * filter says, as for an entry that was just written.
 */
export function compileOne(dialect: Dialect, query: ReadQuery, { anyState }: { anyState: boolean }): EntryStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const json = dialect.jsonText(entryJson(compiler, query.entry, rows));
  const conditions = anyState
    ? []
    : [...published(query.entry.live, rows.alias), ...filterConditions(compiler, query.filter, rows)];
  const rest = conditions.map((condition) => sql` AND ${condition}`);
  const select = withId(sql`SELECT ${json} AS data FROM ${from} WHERE ${rows.alias}.id = `, {
    text: rest.map(({ text }) => text).join(''),
    params: rest.flatMap(({ params }) => params),
  });
  return { ...select, update: anyState ? updateOf(compiler, query.entry) : undefined };
}

/** The entry of a single type, as the column `data`: no row where there is none. */
export function compileSingle(dialect: Dialect, query: ReadQuery, locale: LocaleFilter): Sql {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const json = dialect.jsonText(entryJson(compiler, query.entry, rows));
  return sql`SELECT ${json} AS data FROM ${from}${rootConditions(compiler, query, rows, locale)} ORDER BY ${rows.alias}.id LIMIT 1`;
}

function rootConditions(compiler: Compiler, query: ReadQuery, rows: TableRows, locale: LocaleFilter): Sql {
  return where([
    ...published(query.entry.live, rows.alias),
    ...localeConditions(locale, rows),
    ...filterConditions(compiler, query.filter, rows),
  ]);
}

/** The entries of a page as one JSON array, the column `data`, and how many they are, `rows`. */
export function compileList(dialect: Dialect, query: ListQuery, locale: LocaleFilter): Sql {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { type } = query.entry;
  const window = {
    from: sql`${from}${rootConditions(compiler, query, rows, locale)}`,
    conditions: [],
    keys: orderKeys(compiler, query.sort, rows, [idKey(rows)]),
    ...rowsOf(query.page),
  };
  if (dialect.takesWholeRows) {
    const part = windowed(compiler, { ...window, columns: {}, whole: rows.alias });
    const shown: TableRows = { kind: 'table', alias: part.alias, type };
    return listOf(compiler, query, shown, orderInAggregate(compiler, part.keys), part.from);
  }
  const part = windowed(compiler, { ...window, columns: { id: sql`${rows.alias}.id` } });
  const shown: TableRows = { kind: 'table', alias: compiler.alias(), type };
  const order = dialect.orderedJoin ? undefined : orderInAggregate(compiler, part.keys);
  const table = sql`${dialect.id(type.table)} AS ${shown.alias}`;
  const again = sql`${dialect.orderedJoin ?? raw('JOIN')} ${table} ON ${shown.alias}.id = ${part.alias}.id`;
  return listOf(compiler, query, shown, order, sql`${part.from} ${again}`);
}

function listOf(compiler: Compiler, { entry }: ListQuery, shown: TableRows, order: Sql | undefined, from: Sql): Sql {
  const { dialect } = compiler;
  const list = dialect.jsonArrayAggregate(entryJson(compiler, entry, shown), order);
  return sql`SELECT ${dialect.jsonBytes(list)} AS data, COUNT(*) AS ${dialect.id('rows')} FROM ${from}`;
}

/** How many entries there are on all pages, as the column `total`. */
export function compileCount(dialect: Dialect, query: ListQuery, locale: LocaleFilter): Sql {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  return sql`SELECT COUNT(*) AS total FROM ${from}${rootConditions(compiler, query, rows, locale)}`;
}
