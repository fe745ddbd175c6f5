/** Statements of transactions that go along with others, where the connection can do that. */
import type { Executor, Row } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Runs a statement of a transaction that writes, where nothing has to be known of it but that it was done: if it fails, that
 * may be told only by a later statement, or when the transaction ends.
 */
export async function send(tx: Executor, statement: Sql): Promise<void> {
  await (tx.send ? tx.send(statement) : tx.run(statement));
}

/**
 * The first row that the last statement of a transaction answers: nothing follows it, and nothing that it answers is a reason to
 * undo the transaction.
 */
export async function last(tx: Executor, statement: Sql): Promise<Row | undefined> {
  return tx.last ? (await tx.last(statement))[0] : tx.get(statement);
}
