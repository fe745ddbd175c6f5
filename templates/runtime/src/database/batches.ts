/** Statements that are sent to a database server together: a batch takes one round trip, and ends with the first that fails. */
import type { Connection, Result } from './connection.ts';
import { raw, type Sql } from './sql.ts';

/** A statement of a batch. */
export interface Asked {
  readonly statement: Sql;
  /** As the functions of a connection: of what is sent, nobody asks how many rows it changes; a command answers nothing. */
  readonly kind: 'query' | 'send' | 'command';
}

/** The answers to all statements, in their order. Throws what the first one throws that fails: none after it is done. */
export type RunBatch = (batch: readonly Asked[]) => Promise<readonly Result[]>;

/** The answer of a command. */
export const NOTHING: Result = { rows: [], changes: 0 };

/** A statement that waits for those before it. */
interface Waiting extends Asked {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A connection that in a transaction sends what it is given until the end of this turn of the event loop together, and what it is
 * given meanwhile when that is answered. After a statement that fails there nothing is done until the ROLLBACK: all fails as
 * that one did. `connection` runs statements alone, and `runBatch` batches on it, one at a time. `limited` is what a statement
 * outside of transactions becomes.
 */
export function inBatches(
  connection: Pick<Connection, 'query' | 'script' | 'usable' | 'close' | 'destroy' | 'cancel'>,
  runBatch: RunBatch,
  limited: (statement: Sql) => Sql = (statement) => statement,
): Connection {
  let waiting: Waiting[] = [];
  let busy = false;
  let transaction: { failure?: unknown } | undefined;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await runBatch(batch);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? NOTHING);
      } catch (error) {
        if (transaction) transaction.failure = error;
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      }
    }
    busy = false;
  }

  function add(statement: Sql, kind: Asked['kind']): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (transaction?.failure !== undefined) {
        reject(transaction.failure);
        return;
      }
      waiting.push({ statement, kind, resolve, reject });
      if (busy) return;
      busy = true;
      process.nextTick(() => void sendAll());
    });
  }

  return {
    query: (statement) => (transaction ? add(statement, 'query') : connection.query(limited(statement))),
    send: (statement) => add(statement, 'send'),
    together: (statements) => runBatch(statements.map((statement) => ({ statement, kind: 'send' }))),
    async command(text) {
      if (text.startsWith('START TRANSACTION')) transaction = {};
      if (text === 'ROLLBACK') transaction = undefined;
      await add(raw(text), 'command');
      if (text === 'COMMIT') transaction = undefined;
    },
    script: (text) => connection.script(text),
    get usable() {
      return connection.usable;
    },
    close: () => connection.close(),
    destroy: () => connection.destroy(),
    cancel: () => connection.cancel(),
  };
}
