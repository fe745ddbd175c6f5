/** Executes an UPDATE or DELETE of rows that may not exist. */
import type { Statement, Subject, Transaction } from '../database/write-plan.ts';

class NoRow extends Error {}

/** A database, which executes a plan in a transaction of its own, or an open transaction. */
export type Writer = Pick<Transaction, 'dialect' | 'write'>;

/** Executes the statement; returns false if no row matches. Then nothing is written, not even what augments add. */
export async function writeIfFound(
  writer: Writer,
  subject: Subject,
  { sql }: Pick<Statement, 'sql'>,
): Promise<boolean> {
  const row: Statement = { sql, returns: 'nothing', noRowError: () => new NoRow() };
  try {
    await writer.write(() => Promise.resolve({ subjects: [subject], steps: [row], answer: () => undefined }));
    return true;
  } catch (error) {
    if (error instanceof NoRow) return false;
    throw error;
  }
}
