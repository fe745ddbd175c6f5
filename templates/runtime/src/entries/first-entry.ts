/** The first entry of a single type, which each of its locales belongs to. */
import type { ContentType } from '../contract/content-type.ts';
import type { Transaction } from '../database/write-plan.ts';

/** Lets nobody else add it until the end of the transaction. */
export function lockFirstEntry(tx: Transaction, { table }: Pick<ContentType, 'table'>): Promise<void> {
  return tx.dialect.lockKeys(tx, [`${table} first`]);
}
