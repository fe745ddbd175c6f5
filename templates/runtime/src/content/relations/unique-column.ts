/** The column of a one-to-one relation: in a row of one side, with the id of the other. */
import type { Executor } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

export interface UniqueColumn {
  readonly table: string;
  readonly column: string;
  /** The rows have locales, and the column is unique in each: the locales of an entry may relate to one and the same. */
  readonly localized: boolean;
}

/** Makes every row let go of `target` but the row `keeper`; of localized rows only those of its locale. */
export async function release(
  tx: Executor,
  { table, column, localized }: UniqueColumn,
  target: number,
  keeper: number,
): Promise<void> {
  const rows = tx.dialect.id(table);
  const name = tx.dialect.id(column);
  const others = sql`UPDATE ${rows} SET ${name} = NULL WHERE ${name} = ${target} AND id <> ${keeper}`;
  if (!localized) {
    await tx.run(others);
    return;
  }
  const row = await tx.get(sql`SELECT locale FROM ${rows} WHERE id = ${keeper}`);
  await tx.run(sql`${others} AND locale = ${row?.['locale'] ?? null}`);
}
