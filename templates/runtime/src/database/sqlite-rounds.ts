/**
 * Lets all reads within one round of the event loop share one read transaction: SQLite locks the file for each transaction,
 * which takes as long as finding an entry.
 */
import type { SqliteConnection } from './sqlite-connection.ts';

export interface Rounds {
  /** Call it before each read. */
  read(): void;
  /** Call it after a write, so that the next read sees it. */
  end(): void;
}

/**
 * `reader` is a read-only connection. A client that got a response sends its next request in a later round, so it sees what
 * it has written. That does not hold if another process wrote it: with several processes, each read stands alone.
 */
export function createRounds(reader: SqliteConnection, isAlone: boolean): Rounds {
  if (!isAlone) return { read() {}, end() {} };
  let isOpen = false;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    // Some errors, such as disk errors, have already ended the transaction.
    if (reader.inTransaction) reader.exec('COMMIT');
  };
  return {
    read() {
      if (isOpen) return;
      reader.exec('BEGIN');
      isOpen = true;
      setImmediate(end);
    },
    end,
  };
}
