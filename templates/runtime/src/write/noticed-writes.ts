/** A database whose writes are followed by something, such as the delivery of what they have put into an outbox. */
import type { Database } from '../database/database.ts';
import { type Augment, augmentedDatabase } from './augment.ts';

/** Adds `augment` to every write; `committed` is called after the commit of each to which it has added steps. */
export function noticedWrites(database: Database, augment: Augment, committed: () => void): Database {
  async function noticed<T>(work: (own: Database) => Promise<T>): Promise<T> {
    let isNoted = false;
    const noting: Augment = (write, tx) => {
      const added = augment(write, tx);
      isNoted ||= added.after.length > 0 || (added.before ?? []).length > 0;
      return added;
    };
    const result = await work(augmentedDatabase(database, [noting]));
    if (isNoted) committed();
    return result;
  }

  return {
    ...database,
    write: (planner) => noticed((own) => own.write(planner)),
    transaction: (work) => noticed((own) => own.transaction(work)),
    longTransaction: (work) => noticed((own) => own.longTransaction(work)),
  };
}
