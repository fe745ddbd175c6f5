/** Rows that a statement is given, as a subselect of parameters: an engine knows how few they are, and plans for that. */
import type { GivenRow, JsonColumnType } from './dialect.ts';
import type { Sql, SqlValue } from './sql.ts';

/** Each number of rows is a statement of its own, which is prepared once. */
const MAX_PARAMETER_ROWS = 4;

/** Undefined where there are none, or too many; `value` is a parameter of a type. */
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
