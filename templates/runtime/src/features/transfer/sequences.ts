/** Restores the id sequences of tables whose rows were inserted with explicit ids. */
import type { Transaction } from '../../database/write-plan.ts';
import type { TransferContext } from './context.ts';
import type { LastId } from '../../contract/content-transfer.ts';

/** Restores the id sequences; returns those that were moved, to be verified after the transaction. */
export async function restoreSequences(
  tx: Transaction,
  sections: readonly LastId[],
): Promise<ReadonlyMap<string, number>> {
  const moved = new Map<string, number>();
  for (const { section, lastId } of sections) {
    if (lastId === undefined || (await tx.dialect.lastId(tx, section.table)) >= lastId) continue;
    await tx.dialect.setLastId(tx, section.table, lastId);
    moved.set(section.table, lastId);
  }
  return moved;
}

/** Throws if a sequence was not moved. */
export async function checkSequences({ database }: TransferContext, moved: ReadonlyMap<string, number>): Promise<void> {
  for (const [table, lastId] of moved) {
    if ((await database.dialect.lastId(database, table)) >= lastId) continue;
    throw new Error(
      `Everything was imported, but the ids of new rows of ${table} do not begin after ${lastId}: some may be ids of deleted rows. ` +
        'Does the database user have the right to alter tables?',
    );
  }
}
