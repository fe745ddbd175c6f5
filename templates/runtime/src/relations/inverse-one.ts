/** The other side of a one-to-one relation: the column is in the row of the target. */
import type { Executor } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { idRows } from './list-table.ts';
import { planToOne } from './plan-to-one.ts';
import type { RelationChange } from './relation-change.ts';

export interface InverseOne {
  /** Of the target, with the unique column that names this entry. */
  readonly table: string;
  readonly column: string;
  readonly change: RelationChange;
}

/** Makes the entry let go of its former partner, and the new partner of its own. */
export async function writeInverseOne(
  tx: Executor,
  { table, column, change }: InverseOne,
  owner: number,
): Promise<void> {
  const rows = tx.dialect.id(table);
  const name = tx.dialect.id(column);
  const toOne = planToOne(change);
  const release = sql`UPDATE ${rows} SET ${name} = NULL WHERE ${name} = ${owner}`;
  if (toOne.kind === 'release') {
    const ids = toOne.targets.map(({ id }) => id);
    await tx.run(sql`${release} AND id IN (SELECT r.id FROM ${idRows(tx.dialect, ids)} AS r)`);
    return;
  }
  const { target } = toOne;
  await tx.run(target ? sql`${release} AND id <> ${target.id}` : release);
  if (target) await tx.run(sql`UPDATE ${rows} SET ${name} = ${owner} WHERE id = ${target.id}`);
}
