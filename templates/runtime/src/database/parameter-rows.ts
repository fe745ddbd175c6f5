/**
 * Rows passed to a statement as a subselect of parameters, so that the engine knows how few they are and plans accordingly.
 */
import type { GivenRow, JsonColumnType } from './dialect.ts';
import type { Sql, SqlValue } from './sql.ts';

/** Each number of rows is a separate statement text that is prepared once. */
const MAX_PARAMETER_ROWS = 4;

/** Undefined if there are no rows, or too many; `value` returns the placeholder of a type. */
export function parameterRows(
  rows: readonly GivenRow[],
  columns: Readonly<Record<string, JsonColumnType>>,
  { quote, value }: { readonly quote: (name: string) => Sql; readonly value: (type: JsonColumnType) => string },
): Sql | undefined {
  if (rows.length === 0 || rows.length > MAX_PARAMETER_ROWS) return undefined;
  const names = Object.entries(columns);
  const select = names.map(([name, type]) => `${value(type)} AS ${quote(name).text}`).join(', ');
  const params: SqlValue[] = [];
  for (const row of rows) {
    for (const [name] of names) params.push(row[name] ?? null);
  }
  return { text: `(${rows.map(() => `SELECT ${select}`).join(' UNION ALL ')})`, params };
}
