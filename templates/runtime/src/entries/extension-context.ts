/** What the team's own code is given to work with: in hooks and endpoints, and beside the requests. */
import type { Logger } from 'pino';
import type { Mailer } from '../base/mailer.ts';
import type { Executor } from '../database/executor.ts';

/** Where the team's own code runs. */
export interface ExtensionContext<Entries> {
  /** The entries of all types, as the server, which may do everything; `entries.as(caller)` by the rights of a caller. */
  readonly entries: Entries;
  /** As the server sends mail itself. Rejects, naming the missing settings, where it sends none. */
  readonly mailer: Pick<Mailer, 'send'>;
  /** Adds the id of the request to each line. */
  readonly log: Logger;
  /**
   * Runs `work` in one transaction: what it writes by its own context is kept when it resolves, and undone when it throws. It may
   * be run again after a deadlock, so it must have no effects outside of the database. Within a transaction it is a part of that.
   */
  inTransaction<T>(work: (context: TransactionContext<Entries>) => Promise<T>): Promise<T>;
}

/** Within a transaction: what `entries` write is kept with all of it, or nothing is. */
export interface TransactionContext<Entries> extends ExtensionContext<Entries> {
  /** For SQL of your own, in tables of your own: `` transaction.run(sql`…`) ``. */
  readonly transaction: Pick<Executor, 'all' | 'get' | 'run'>;
}
