/** The foreign key of a one-to-one relation. */
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql } from '../../database/sql.ts';
import { versionIncrement } from '../../write/version.ts';
import { statement, type Statement } from '../../database/write-plan.ts';

/** The table and column of the foreign key. */
export interface UniqueColumn {
  readonly table: string;
  readonly column: string;
  /** Whether the type is localized: the column is then unique per locale, and all locales of an entry may have the same target. */
  readonly localized: boolean;
}

/**
 * Releases `target` from all rows except `keeper`, whose row must exist when the statement runs. In a localized type, only rows in
 * the locale of `keeper` are released.
 */
export function releaseOthers(
  dialect: Dialect,
  { table, column, localized }: UniqueColumn,
  target: number | NewId,
  keeper: number | NewId,
): Statement {
  const { id, neverNull } = dialect;
  const rows = id(table);
  const others = sql`UPDATE ${rows} SET ${id(column)} = NULL, ${versionIncrement(dialect)} WHERE ${id(column)} = ${target} AND id <> ${keeper}`;
  if (!localized) return statement(others);
  // MySQL lets a statement read the table that it writes only through a derived table.
  const locale = neverNull(sql`SELECT k.locale FROM (SELECT locale FROM ${rows} WHERE id = ${keeper}) AS k`);
  return statement(sql`${others} AND locale = ${locale}`);
}
