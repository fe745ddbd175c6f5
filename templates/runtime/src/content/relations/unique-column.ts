/** The column of a one-to-one relation: in a row of one side, with the id of the other. */
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql } from '../../database/sql.ts';
import { nextVersion } from '../../write/version.ts';
import { statement, type Statement } from '../../database/write-plan.ts';

export interface UniqueColumn {
  readonly table: string;
  readonly column: string;
  /** The rows have locales, and the column is unique in each: the locales of an entry may relate to one and the same. */
  readonly localized: boolean;
}

/** Makes every row let go of `target` but the row `keeper`, which is there by now; of localized rows only those of its locale. */
export function releaseOthers(
  dialect: Dialect,
  { table, column, localized }: UniqueColumn,
  target: number | NewId,
  keeper: number | NewId,
): Statement {
  const { id, neverNull } = dialect;
  const rows = id(table);
  const others = sql`UPDATE ${rows} SET ${id(column)} = NULL, ${nextVersion(dialect)} WHERE ${id(column)} = ${target} AND id <> ${keeper}`;
  if (!localized) return statement(others);
  // Only within another one does every engine let a statement read the table that it writes.
  const locale = neverNull(sql`SELECT k.locale FROM (SELECT locale FROM ${rows} WHERE id = ${keeper}) AS k`);
  return statement(sql`${others} AND locale = ${locale}`);
}
