/** An expression of the first row of a select. */
import { sql, type Sql } from './sql.ts';

/** A value of the first row of `from`; NULL if there is none. */
export function firstRow(value: Sql, from: Sql, orderBy?: Sql): Sql {
  const order = orderBy ? sql` ORDER BY ${orderBy}` : sql``;
  return sql`(SELECT ${value} FROM ${from}${order} LIMIT 1)`;
}
