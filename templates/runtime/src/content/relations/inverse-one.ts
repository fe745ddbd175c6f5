/** The other side of a one-to-one relation: the column is in the row of the target. */
import type { Executor } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { planToOne } from './plan-to-one.ts';
import type { RelationChange } from './relation-change.ts';
import { release, type UniqueColumn } from './unique-column.ts';

/** `table` and `column` are of the target. */
export interface InverseOne extends UniqueColumn {
  readonly change: RelationChange;
}

/** Makes the entry let go of its former partner, and the new partner of its own. */
export async function writeInverseOne(tx: Executor, { change, ...column }: InverseOne, owner: number): Promise<void> {
  const rows = tx.dialect.id(column.table);
  const name = tx.dialect.id(column.column);
  const toOne = planToOne(change);
  if (toOne.kind === 'set' && toOne.target) {
    await release(tx, column, owner, toOne.target.id);
    await tx.run(sql`UPDATE ${rows} SET ${name} = ${owner} WHERE id = ${toOne.target.id}`);
    return;
  }
  const clear = sql`UPDATE ${rows} SET ${name} = NULL WHERE ${name} = ${owner}`;
  const named = toOne.kind === 'release' ? toOne.targets.map(({ id }) => id) : undefined;
  await tx.run(named ? sql`${clear} AND ${tx.dialect.isOneOf(sql`id`, named)}` : clear);
}
