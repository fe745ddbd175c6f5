/** Statements of transactions that go along with others, where the engine can do that. */
import type { Executor, Row, Sent } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Runs a statement of a transaction that writes, where nothing has to be known of it before the transaction ends: if it fails,
 * that may be told only by a later statement, or by the end.
 */
export async function send(tx: Executor, statement: Sql): Promise<void> {
  await (tx.send ? tx.send(statement) : tx.run(statement));
}

/** The same of a statement that answers rows, which are there once the transaction has ended. */
export async function sendForRows(tx: Executor, statement: Sql): Promise<Sent> {
  if (tx.send) return tx.send(statement);
  const rows = await tx.all(statement);
  return { rows: () => Promise.resolve(rows) };
}

/** Ends the transaction, for what was sent to be answered: nothing that it answers is a reason to undo the transaction. */
export async function endOf(tx: Executor): Promise<void> {
  await tx.end?.();
}

/** The first row that the last statement of a transaction answers: nothing follows it. See `endOf`. */
export async function last(tx: Executor, statement: Sql): Promise<Row | undefined> {
  const sent = await sendForRows(tx, statement);
  await endOf(tx);
  return (await sent.rows())[0];
}
