/** Rows that a statement is given, as a subselect of parameters: an engine knows how few they are, and plans for that. */
import type { GivenRow, JsonColumnType } from './dialect.ts';
import { join, raw, sql, type Sql } from './sql.ts';

/** Each number of rows is a statement of its own, which is prepared once. */
const MAX_PARAMETER_ROWS = 4;

/** Undefined where there are none, or too many; `cast` is what stands behind a value of a type. */
export function parameterRows(
  rows: readonly GivenRow[],
  columns: Readonly<Record<string, JsonColumnType>>,
  { quote, cast }: { readonly quote: (name: string) => Sql; readonly cast: (type: JsonColumnType) => string },
): Sql | undefined {
  if (rows.length === 0 || rows.length > MAX_PARAMETER_ROWS) return undefined;
  const selects = rows.map((row) => {
    const values = Object.entries(columns).map(
      ([name, type]) => sql`${row[name] ?? null}${raw(cast(type))} AS ${quote(name)}`,
    );
    return sql`SELECT ${join(values, ', ')}`;
  });
  return sql`(${join(selects, ' UNION ALL ')})`;
}
