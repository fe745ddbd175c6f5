/** The statements of a read: an entry, a list, a count. The result is the JSON text of the answer. */
import type { Row } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import { rowsOf } from '../pagination.ts';
import type { EntrySelection, Filter, ListQuery, LocaleFilter, ReadQuery } from '../read-query.ts';
import { createCompiler, published, where } from './compiler.ts';
import type { Compiler } from './compiler.ts';
import { entryJson } from './compile-entry.ts';
import { compileFilter } from './compile-filter.ts';
import { compilePopulation } from './compile-population.ts';
import { entryAnswer } from './entry-answer.ts';
import { idKey, orderInAggregate, orderKeys } from './compile-sort.ts';
import type { TableRows } from './rows.ts';
import { windowed } from './window.ts';

/** A statement for one entry: `statement(id)` binds its id. */
export interface EntryStatement {
  readonly text: string;
  statement(id: number): Sql;
  /** The JSON text of the entry, of a row that the statement, or `returning`, answers. */
  textOf(row: Row): string;
  /**
   * What stands behind RETURNING of a statement that writes the entry's row, to answer the same. Undefined where the row
   * alone does not tell.
   */
  readonly returning: Sql | undefined;
}

export interface SingleStatement extends Pick<EntryStatement, 'textOf'> {
  readonly statement: Sql;
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

function returningOf(compiler: Compiler, entry: EntrySelection): Sql | undefined {
  if (entry.populate.length > 0 || entry.type.localized) return undefined;
  // Not every engine knows another name of the table in RETURNING.
  const table = compiler.dialect.id(entry.type.table);
  return entryAnswer(compiler, entry, { kind: 'table', alias: table, type: entry.type }).columns;
}

/**
 * The entry with an id; no row where there is none. `anyState`: also a draft, and whatever the filter says, as for an entry
 * that was just written.
 */
export function compileOne(dialect: Dialect, query: ReadQuery, { anyState }: { anyState: boolean }): EntryStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, textOf } = entryAnswer(compiler, query.entry, rows);
  const conditions = anyState
    ? []
    : [...published(query.entry.live, rows.alias), ...filterConditions(compiler, query.filter, rows)];
  const rest = conditions.map((condition) => sql` AND ${condition}`);
  const select = withId(sql`SELECT ${columns} FROM ${from} WHERE ${rows.alias}.id = `, join(rest, ''));
  return { ...select, textOf, returning: anyState ? returningOf(compiler, query.entry) : undefined };
}

/** The entry of a single type: no row where there is none. */
export function compileSingle(dialect: Dialect, query: ReadQuery, locale: LocaleFilter): SingleStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, textOf } = entryAnswer(compiler, query.entry, rows);
  const conditions = rootConditions(compiler, query, rows, locale);
  return { statement: sql`SELECT ${columns} FROM ${from}${conditions} ORDER BY ${rows.alias}.id LIMIT 1`, textOf };
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
