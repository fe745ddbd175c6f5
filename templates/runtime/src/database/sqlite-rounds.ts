/**
 * Reads of one round of the event loop see one state of the file: SQLite locks the file for each state that it reads, which takes as
 * long as finding an entry.
 */
import type { SqliteConnection } from './sqlite-connection.ts';

export interface Rounds {
  /** Call it before each read. */
  read(): void;
  /** Call it when something was written: what is read next is read of the new state. */
  end(): void;
}

/**
 * Of a connection that only reads. A client that has been answered asks in a later round, so it sees what it has written. That does not
 * hold where another process has written it: with several, no two reads are of one round.
 */
export function createRounds(reader: SqliteConnection, isAlone: boolean): Rounds {
  if (!isAlone) return { read() {}, end() {} };
  let isOpen = false;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    // Some errors, such as those of a disk, have ended it.
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
