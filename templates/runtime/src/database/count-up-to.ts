/** Counts rows, of which there may be many. */
import type { Executor } from './executor.ts';
import { raw, sql, type Sql } from './sql.ts';

/** How many rows of the table meet the condition; `most` if there are at least as many. */
export async function countUpTo(executor: Executor, table: Sql, where: Sql, most: number): Promise<number> {
  const some = sql`SELECT 1 FROM ${table} WHERE ${where} LIMIT ${raw(String(most))}`;
  const row = await executor.get(sql`SELECT COUNT(*) AS count FROM (${some}) AS counted`);
  return Number(row?.['count'] ?? 0);
}
