/** An INSERT that answers by RETURNING. */
import type { Executor } from './database.ts';
import type { Inserted } from './dialect.ts';
import { sql, type Sql } from './sql.ts';

export async function insertReturning(tx: Executor, insert: Sql, returning?: Sql): Promise<Inserted> {
  const row = await tx.get(sql`${insert} RETURNING id${returning ? sql`, ${returning}` : sql``}`);
  return { id: Number(row?.['id']), row: returning && row };
}
