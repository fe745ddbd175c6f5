/** A query for hints, which finds values that several rows have. */
import type { HintQuery } from '../sql/text/hint-sql.ts';

/** Columns with repeated values; rows without a value in one of the `given` columns do not count. */
export interface Repeated {
  readonly columns: readonly string[];
  readonly given: readonly string[];
}

/** A query for these values. */
export function repeatedQuery(table: string, { columns, given }: Repeated): HintQuery {
  return ({ id }) => {
    const list = columns.map(id).join(', ');
    const where = given.map((name) => `${id(name)} IS NOT NULL`).join(' AND ');
    return `SELECT ${list}, count(*) FROM ${id(table)} WHERE ${where} GROUP BY ${list} HAVING count(*) > 1`;
  };
}
