/** The one way to the database, whatever the engine. Drivers implement it; everything else is written against it. */
import type { Executor } from './executor.ts';
import type { ReadOptions } from './statement-runner.ts';
import type { Planner, Transaction } from './write-plan.ts';

/** A connection that migrations have for themselves. */
export interface Session extends Executor {
  /** Runs text of one or several statements as it is. */
  script(text: string): Promise<void>;
  /** Runs `work` in one transaction, where text can't begin one that later text ends. */
  readonly atomically?: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
}

/**
 * An open database. Its own `all` and `get` see only what is committed and never wait for a writer.
 */
export interface Database extends Executor {
  /**
   * Executes a plan in one transaction: all of it is kept, or nothing. Plans again, and executes that, after a deadlock or
   * serialization failure and where a guard has failed.
   */
  write<T>(planner: Planner<T>): Promise<T>;
  /**
   * Runs `work` in one write transaction: committed when it resolves, rolled back when it throws.
   * Runs it again after a deadlock or serialization failure, so `work` must have no effects outside of the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work`, which only reads and is soon done, on one state of the database. `options` are those of all its statements. */
  readTransaction<T>(options: ReadOptions | undefined, work: (reader: Executor) => Promise<T>): Promise<T>;
  /** Runs `work`, which only reads, with the state that the database has now, however long it takes. */
  snapshot<T>(work: (reader: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one write transaction that may take as long as it wants. It is run once: after a deadlock, as after any
   * other failure, nothing of it was kept.
   */
  longTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a file of several statements as it is, outside of any transaction of ours. For migrations only. */
  script(text: string): Promise<void>;
  /**
   * Runs `work` while no other process does so with this database; answers undefined, without having run it, where another
   * one still does after `lockTimeout` milliseconds. On SQLite there is no such lock: each script takes its own.
   */
  migrating<T>(lockTimeout: number, work: (session: Session) => Promise<T>): Promise<T | undefined>;
  /**
   * Of nodes of a cluster, which may be behind one another: waits until this one has all that was committed before, on whichever one.
   * Undefined elsewhere: nothing is ever behind.
   */
  readonly catchUp?: () => Promise<void>;
  /** What it is doing now. */
  activity(): DatabaseActivity;
  close(): Promise<void>;
}

/** Numbers for those who watch a server. */
export interface DatabaseActivity {
  /** Connections to a server: open, unused, and at most; 0 on SQLite. */
  readonly open: number;
  readonly idle: number;
  readonly most: number;
  /** Who waits for a connection, or on SQLite for a turn to write. */
  readonly waiting: number;
  readonly slowReads: number;
  readonly slowReadsWaiting: number;
}

/** A unique constraint refused a row. `columns` are those of the index, where the engine tells them. */
export class UniqueViolation extends Error {
  readonly table: string | undefined;
  readonly columns: readonly string[];

  constructor(table: string | undefined, columns: readonly string[], cause: unknown) {
    super('unique constraint violated', { cause });
    this.name = 'UniqueViolation';
    this.table = table;
    this.columns = columns;
  }
}

/** A foreign key refused a row: its target was deleted meanwhile. */
export class ForeignKeyViolation extends Error {
  constructor(cause: unknown) {
    super('foreign key constraint violated', { cause });
    this.name = 'ForeignKeyViolation';
  }
}
