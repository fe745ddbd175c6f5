/** The context of the project's own code: in hooks and endpoints, and outside of requests. */
import type { Logger } from 'pino';
import type { Mailer } from '../base/mailer.ts';
import type { JobsOf } from './own-jobs.ts';
import type { OwnRoles } from './own-roles.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { Executor } from '../database/executor.ts';

/** The context in which the project's own code runs. */
export interface ExtensionContext<Entries> {
  /**
   * The entries of all types, with the rights of the server, which may do everything; `entries.as(caller)` has those of a caller.
   */
  readonly entries: Entries;
  /** Starts and ends sessions of users. */
  readonly sessions: OwnSessions;
  /** Roles and their permissions. Within a transaction, they can only be read. */
  readonly roles: OwnRoles;
  /** The server's own mailer. Rejects, naming the missing settings, if mail is not configured. */
  readonly mailer: Pick<Mailer, 'send'>;
  /** The project's jobs: `context.jobs.sendMail.enqueue({ to })`. Within a transaction, what is added is part of it. */
  readonly jobs: JobsOf<Entries>;
  /** Adds the request's id to each line. */
  readonly log: Logger;
  /**
   * Runs `work` in one transaction: what it writes through the context that it gets is committed when it resolves, and rolled back
   * when it throws. It may be retried after a deadlock, so it must have no effects outside the database. Within a transaction, `work`
   * becomes part of that one.
   */
  inTransaction<T>(work: (context: TransactionContext<Entries>) => Promise<T>): Promise<T>;
}

/** The context inside a transaction: what `entries` write is committed or rolled back with it. */
export interface TransactionContext<Entries> extends ExtensionContext<Entries> {
  /** For your own SQL on your own tables: `` transaction.run(sql`…`) ``. */
  readonly transaction: Pick<Executor, 'all' | 'get' | 'run'>;
}
