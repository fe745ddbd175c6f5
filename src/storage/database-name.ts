/** Names of database objects. */
import { MAX_NAME } from '#contract/stored-names.ts';
import { shorten } from '../model/naming.ts';

/** A name joined from snake_case parts and shortened to what every engine accepts. Depends on nothing but its parts. */
export function databaseName(...parts: readonly string[]): string {
  return shorten(parts.join('_'), MAX_NAME);
}

/**
 * The name of a foreign key or an index: `articles__slug_unique`. These share one namespace per database; the double
 * underscore keeps `a_b` + `c` distinct from `a` + `b_c`.
 */
export function constraintName(
  table: string,
  columns: readonly string[],
  suffix: 'unique' | 'index' | 'fk' | `sort${string}` | 'search',
): string {
  return shorten(`${[table, ...columns].join('__')}_${suffix}`, MAX_NAME);
}
