/** The inverse side of a one-to-one relation: the foreign key is in the target's row. */
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { incrementVersionsBySelect, rowsWhere, touching, versionIncrement } from '../../write/version.ts';
import { planToOne } from './plan-to-one.ts';
import type { RelationChange } from './relation-change.ts';
import { releaseOthers, type UniqueColumn } from './unique-column.ts';

/** A change of an inverse side. `table` and `column` are those of the target. */
export interface InverseOne extends UniqueColumn {
  /** The table of the entries that have the inverse side as an attribute. */
  readonly owners: string;
  readonly change: RelationChange;
}

/** The statements that release the entry's former partner and the new partner's former owner, and set the new partner. */
export function writeInverseOne(
  dialect: Dialect,
  { change, owners, ...column }: InverseOne,
  owner: number | NewId,
): readonly Statement[] {
  const rows = dialect.id(column.table);
  const name = dialect.id(column.column);
  const toOne = planToOne(change);
  if (toOne.kind === 'set' && toOne.target) {
    const { id } = toOne.target;
    const isOther = sql`(${name} IS NULL OR ${name} <> ${owner})`;
    const set = sql`UPDATE ${rows} SET ${name} = ${owner}, ${versionIncrement(dialect)} WHERE id = ${id} AND ${isOther}`;
    const former = sql`SELECT ${name} AS k FROM ${rows} WHERE id = ${id} AND ${name} <> ${owner}`;
    return [
      releaseOthers(dialect, column, owner, id),
      incrementVersionsBySelect(dialect, owners, former),
      touching(set, { table: column.table, ids: [id] }),
    ];
  }
  const clear = sql`UPDATE ${rows} SET ${name} = NULL, ${versionIncrement(dialect)}`;
  const named = toOne.kind === 'release' ? toOne.targets.map(({ id }) => id) : undefined;
  const isPartner = sql`${name} = ${owner}`;
  const condition = named ? sql`${isPartner} AND ${dialect.isOneOf(sql`id`, named)}` : isPartner;
  const { table } = column;
  return [touching(sql`${clear} WHERE ${condition}`, { table, ids: rowsWhere(dialect, table, condition) })];
}
