/** Queries for hints, which count values in component items, in each engine's SQL. */
import { MAX_SHORT_LENGTH } from '#contract/attribute-types/attribute-type.ts';
import { mysqlLiteral, sqlLiteral } from './sql-text.ts';
import type { ItemPlace } from '../../history/items-edit.ts';
import { mysqlItemValues } from './mysql-items.ts';
import { postgresItemValues } from './postgres-items.ts';
import { sqliteItemValues } from './sqlite-items.ts';

const ENGINES = [
  ['SQLite', sqliteItemValues, sqlLiteral, 'length'],
  ['PostgreSQL', postgresItemValues, sqlLiteral, 'length'],
  ['MySQL, MariaDB', mysqlItemValues, mysqlLiteral, 'char_length'],
] as const;

/** One query per line and engine: counts values of a member that are too long for an index. */
export function countLongItemValues(at: {
  readonly table: string;
  readonly place: ItemPlace;
  readonly member: string;
}): string {
  return ENGINES.map(([name, itemValues, , length]) => {
    const items = itemValues(at.table, at.place, at.member);
    return `\n${name}: SELECT count(*) FROM (${items}) AS items WHERE ${length}(value) > ${MAX_SHORT_LENGTH}`;
  }).join('');
}

/** One query per line and engine: counts values of a member that are not in `values`, at all places of its items. */
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
