/** Executes the UPDATE or DELETE of rows that may not be there. */
import type { Statement, Subject, Transaction } from '../database/write-plan.ts';

class NoRow extends Error {}

/** Where plans are executed: a database, in a transaction of its own, or a transaction, as a part of it. */
export type Writer = Pick<Transaction, 'dialect' | 'write'>;

/** False where it finds no row: then nothing is kept, nor what others add to it. */
export async function writeIfFound(writer: Writer, about: Subject, { sql }: Pick<Statement, 'sql'>): Promise<boolean> {
  const row: Statement = { sql, returns: 'nothing', orElse: () => new NoRow() };
  try {
    await writer.write(() => Promise.resolve({ about: [about], steps: [row], answer: () => undefined }));
    return true;
  } catch (error) {
    if (error instanceof NoRow) return false;
    throw error;
  }
}
