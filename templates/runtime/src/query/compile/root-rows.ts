/** The rows of the entries to read, and their conditions. */
import { sql, type Sql } from '../../database/sql.ts';
import type { Filter, LocaleFilter, ReadQuery, VisibleEntries } from '../read-query.ts';
import { compileFilter } from './compile-filter.ts';
import { type Compiler, publishedConditions, where } from './compiler.ts';
import type { TableRows } from './rows.ts';

export function rootRows(compiler: Compiler, entry: Pick<VisibleEntries, 'type'>): { rows: TableRows; from: Sql } {
  const alias = compiler.alias();
  return {
    rows: { kind: 'table', alias, type: entry.type },
    from: sql`${compiler.id(entry.type.table)} AS ${alias}`,
  };
}

function filterConditions(compiler: Compiler, filter: Filter | undefined, rows: TableRows): readonly Sql[] {
  return filter === undefined ? [] : [compileFilter(compiler, filter, rows)];
}

/** The condition on the locale, if the type is localized. */
export function localeConditions(locale: LocaleFilter, rows: TableRows): readonly Sql[] {
  return locale.kind === 'locale' && rows.type.localized ? [sql`${rows.alias}.locale = ${locale.locale}`] : [];
}

/** The conditions of a query: published rows only, if required, and the filter. */
export function entryConditions(compiler: Compiler, { entry, filter }: ReadQuery, rows: TableRows): readonly Sql[] {
  return [...publishedConditions(entry.live, rows), ...filterConditions(compiler, filter, rows)];
}

/** The conditions of a query, including the one on the locale. */
export function rootConditionList(
  compiler: Compiler,
  query: ReadQuery,
  rows: TableRows,
  locale: LocaleFilter,
): readonly Sql[] {
  return [
    ...publishedConditions(query.entry.live, rows),
    ...localeConditions(locale, rows),
    ...filterConditions(compiler, query.filter, rows),
  ];
}

/** The conditions of a query, including the one on the locale, as a ` WHERE …` clause. */
export function rootConditions(compiler: Compiler, query: ReadQuery, rows: TableRows, locale: LocaleFilter): Sql {
  return where(rootConditionList(compiler, query, rows, locale));
}
