/** Statements that nobody has to wait for. */
import type { Executor } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Runs a statement of a transaction that writes, where nothing has to be known of it but that it was done: if it fails, that
 * may be told only by a later statement, or when the transaction ends.
 */
export async function send(tx: Executor, statement: Sql): Promise<void> {
  await (tx.send ? tx.send(statement) : tx.run(statement));
}
