/** Reads which of some rows match a query. */
import type { Dialect } from '../database/dialect.ts';
import type { Executor } from '../database/executor.ts';
import { sql } from '../database/sql.ts';
import { compilePopulation } from './compile/compile-population.ts';
import { createCompiler, where } from './compile/compiler.ts';
import { bound } from './compile/parameters.ts';
import { rootConditionList, rootRows } from './compile/root-rows.ts';
import type { Sized } from './query-cache.ts';
import type { ReadContext, ReadRun } from './read-limits.ts';
import type { LocaleFilter, ReadQuery } from './read-query.ts';

/** A compiled query. */
export interface MatchingRead extends Sized {
  /** The ids among `ids` whose rows match, as `executor` sees them, such as a transaction. Default: the database. */
  matching(ids: readonly number[], run: ReadRun, executor?: Executor): Promise<ReadonlySet<number>>;
}

/** The table of a query's entries, and what those that match it satisfy. */
export function matchingConditions(dialect: Dialect, query: ReadQuery, locale: LocaleFilter) {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  return { rows, from, conditions: rootConditionList(compiler, query, rows, locale) };
}

function compileMatching(dialect: Dialect, query: ReadQuery, locale: LocaleFilter) {
  const { rows, from, conditions } = matchingConditions(dialect, query, locale);
  return (ids: readonly number[]) => {
    const isOneOf = dialect.isOneOf(sql`${rows.alias}.id`, [...ids]);
    return sql`SELECT ${rows.alias}.id AS id FROM ${from}${where([...conditions, isOneOf])}`;
  };
}

export function compileMatchingRead({ database }: ReadContext, query: ReadQuery, locale: LocaleFilter): MatchingRead {
  const statement = compileMatching(database.dialect, query, locale);
  return {
    size: statement([]).text.length,
    async matching(ids, { values, client }, executor = database) {
      const rows = await bound(executor, values).all(statement(ids), { client });
      return new Set(rows.map((row) => Number(row['id'])));
    },
  };
}
