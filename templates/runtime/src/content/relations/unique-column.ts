/** The foreign key of a one-to-one relation. */
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { rowsWhere, touching, versionIncrement } from '../../write/version.ts';
import type { Statement } from '../../database/write-plan.ts';

/** The table and column of the foreign key. */
export interface UniqueColumn {
  readonly table: string;
  readonly column: string;
  readonly scope: UniqueScope;
}

/**
 * Which rows may not have the same target: all rows; the rows of one locale; or the rows of different entries, if all rows of an
 * entry share the target.
 */
export type UniqueScope = 'rows' | 'locale' | 'entries';

/** The scope of a relation of this type. `isShared`: it is between entries. */
export function uniqueScope({ localized }: Pick<ContentType, 'localized'>, isShared: boolean): UniqueScope {
  if (!localized) return 'rows';
  return isShared ? 'entries' : 'locale';
}

/** The condition that a row competes with the row `keeper`, which must exist. */
export function competes({ id, neverNull }: Dialect, { table, scope }: UniqueColumn, keeper: number | NewId): Sql {
  const isOther = sql`id <> ${keeper}`;
  if (scope === 'rows') return isOther;
  const [column, operator] =
    scope === 'locale' ? ([COLUMN_NAMES.locale, '='] as const) : ([COLUMN_NAMES.documentId, '<>'] as const);
  // MySQL lets a statement read the table that it writes only through a derived table.
  const kept = neverNull(sql`SELECT k.v FROM (SELECT ${id(column)} AS v FROM ${id(table)} WHERE id = ${keeper}) AS k`);
  return sql`${isOther} AND ${id(column)} ${raw(operator)} ${kept}`;
}

/** Releases `target` from all rows that compete with `keeper`, whose row must exist when the statement runs. */
export function releaseOthers(
  dialect: Dialect,
  unique: UniqueColumn,
  target: number | NewId,
  keeper: number | NewId,
): Statement {
  const column = dialect.id(unique.column);
  const release = sql`UPDATE ${dialect.id(unique.table)} SET ${column} = NULL, ${versionIncrement(dialect)}`;
  const condition = sql`${column} = ${target} AND ${competes(dialect, unique, keeper)}`;
  const { table } = unique;
  return touching(sql`${release} WHERE ${condition}`, { table, ids: rowsWhere(dialect, table, condition) });
}
