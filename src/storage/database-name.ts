/** Names of things in the database. */
import { MAX_NAME } from '#contract/stored-names.ts';
import { shorten } from '../model/naming.ts';

/** A name of parts in snake case, cut to what every engine takes. It depends on nothing but its parts. */
export function databaseName(...parts: readonly string[]): string {
  return shorten(parts.join('_'), MAX_NAME);
}

/**
 * The name of a key or an index: `articles__slug_unique`. They share one space of names in a database, so that two
 * underscores keep `a_b` and `c` from being `a` and `b_c`.
 */
export function constraintName(
  table: string,
  columns: readonly string[],
  suffix: 'unique' | 'index' | 'fk' | `sort${string}` | 'search',
): string {
  return shorten(`${[table, ...columns].join('__')}_${suffix}`, MAX_NAME);
}
