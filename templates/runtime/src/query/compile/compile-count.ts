/** Counts the entries of a list, on all its pages. */
import type { Dialect } from '../../database/dialect.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { ListQuery, LocaleFilter } from '../read-query.ts';
import { compilePopulation } from './compile-population.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { rootConditions, rootRows } from './root-rows.ts';

/** A SELECT of one row with the column `total`. */
export function countOf(compiler: Compiler, query: ListQuery, locale: LocaleFilter): Sql {
  const { rows, from } = rootRows(compiler, query.entry);
  const counted = sql`${from}${rootConditions(compiler, query, rows, locale)}`;
  if (query.maxCount === undefined) return sql`SELECT COUNT(*) AS total FROM ${counted}`;
  const some = sql`SELECT 1 AS one FROM ${counted} LIMIT ${compiler.engine.rowCount(query.maxCount)}`;
  return sql`SELECT COUNT(*) AS total FROM (${some}) AS counted`;
}

/** The statement that counts the entries of a list: one row with the column `total`. */
export function compileCount(dialect: Dialect, query: ListQuery, locale: LocaleFilter): Sql {
  return countOf(createCompiler(dialect, compilePopulation), query, locale);
}
