/** The other side of a one-to-one relation: the column is in the row of the target. */
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { planToOne } from './plan-to-one.ts';
import type { RelationChange } from './relation-change.ts';
import { releaseOthers, type UniqueColumn } from './unique-column.ts';

/** `table` and `column` are of the target. */
export interface InverseOne extends UniqueColumn {
  readonly change: RelationChange;
}

/** Makes the entry let go of its former partner, and the new partner of its own. */
export function writeInverseOne(
  dialect: Dialect,
  { change, ...column }: InverseOne,
  owner: number | NewId,
): readonly Statement[] {
  const rows = dialect.id(column.table);
  const name = dialect.id(column.column);
  const toOne = planToOne(change);
  if (toOne.kind === 'set' && toOne.target) {
    const { id } = toOne.target;
    const set = sql`UPDATE ${rows} SET ${name} = ${owner} WHERE id = ${id}`;
    return [releaseOthers(dialect, column, owner, id), statement(set)];
  }
  const clear = sql`UPDATE ${rows} SET ${name} = NULL WHERE ${name} = ${owner}`;
  const named = toOne.kind === 'release' ? toOne.targets.map(({ id }) => id) : undefined;
  return [statement(named ? sql`${clear} AND ${dialect.isOneOf(sql`id`, named)}` : clear)];
}
