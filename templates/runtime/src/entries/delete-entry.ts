/** Plans to delete an entry, which is answered as it was. */
import type { ContentType } from '../contract/content-type.ts';
import { NotFoundError } from '../contract/errors.ts';
import type { Transaction } from '../database/database.ts';
import { deleteRows, sql } from '../database/sql.ts';
import type { WritePlan } from '../database/write-plan.ts';
import type { CheckedQuery, Reader } from '../query/reader.ts';

/** Throws NotFoundError if there is none, also when it is gone by the time that the plan is executed. */
export async function planDelete(
  tx: Transaction,
  { reader, type }: { readonly reader: Reader; readonly type: ContentType },
  id: number,
  checked: CheckedQuery,
): Promise<WritePlan<string>> {
  const entry = await reader.findEntry(tx, checked, id);
  if (entry === undefined) throw new NotFoundError();
  // The database takes it out of every list.
  const remove = deleteRows(tx.dialect.id(type.table), sql`id = ${id}`);
  return {
    about: [{ action: 'delete', type: type.uid, id }],
    steps: [{ sql: remove, returns: 'changes', orElse: () => new NotFoundError() }],
    answer: () => entry,
  };
}
