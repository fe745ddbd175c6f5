/** Queries that show a person what component items hold, in each engine's SQL. */
import { mysqlLiteral, sqlLiteral } from './sql-text.ts';
import type { ItemPlace } from '../../history/items-edit.ts';
import { mysqlItemValues } from './mysql-items.ts';
import { postgresItemValues } from './postgres-items.ts';
import { sqliteItemValues } from './sqlite-items.ts';

const ENGINES = [
  ['SQLite', sqliteItemValues, sqlLiteral],
  ['PostgreSQL', postgresItemValues, sqlLiteral],
  ['MySQL, MariaDB', mysqlItemValues, mysqlLiteral],
] as const;

/** One line for each engine: counts the values of a member that are none of `values`, at all places of its items. */
export function countItemValues(
  places: readonly { readonly table: string; readonly place: ItemPlace }[],
  member: string,
  values: readonly string[],
): string {
  return ENGINES.map(([name, itemValues, literal]) => {
    const items = places.map(({ table, place }) => itemValues(table, place, member)).join(' UNION ALL ');
    const list = values.map(literal).join(', ');
    return `\n${name}: SELECT value, count(*) FROM (${items}) AS items WHERE value NOT IN (${list}) GROUP BY value`;
  }).join('');
}
