/** The interface to the database, independent of the engine. Drivers implement it; everything else is written against it. */
import type { Executor } from './executor.ts';
import type { ReadOptions } from './statement-runner.ts';
import type { Planner, Transaction } from './write-plan.ts';

/** A connection used exclusively by one migration run. */
export interface Session extends Executor {
  /** Runs text of one or several statements, without parameters. */
  script(text: string): Promise<void>;
  /** Runs `work` in one transaction. Only on engines where a script can't begin a transaction that a later script ends. */
  readonly atomically?: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
}

/** An open database. Its own `all` and `get` see only committed data and never wait for a writer. */
export interface Database extends Executor {
  /**
   * Executes a plan in one transaction: all of it is kept, or nothing. After a deadlock, a serialization failure or a failed
   * guard, it plans and executes again.
   */
  write<T>(planner: Planner<T>): Promise<T>;
  /**
   * Runs `work` in one write transaction: committed when it resolves, rolled back when it throws.
   * Runs it again after a deadlock or serialization failure, so `work` must have no effects outside of the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs short, read-only `work` on one consistent state of the database. `options` apply to all its statements. */
  readTransaction<T>(options: ReadOptions | undefined, work: (reader: Executor) => Promise<T>): Promise<T>;
  /** Runs read-only `work` on the current state of the database, however long it takes. */
  snapshot<T>(work: (reader: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one write transaction without a time limit. It runs only once: after a deadlock, as after any other
   * failure, nothing is kept.
   */
  longTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a file of several statements unchanged, outside of any transaction of ours. For migrations only. */
  script(text: string): Promise<void>;
  /**
   * Runs `work` while no other process migrates this database. Returns undefined, without having run it, if another process
   * still holds the lock after `lockTimeout` milliseconds. SQLite has no such lock: each script takes its own.
   */
  migrating<T>(lockTimeout: number, work: (session: Session) => Promise<T>): Promise<T | undefined>;
  /**
   * Identifies what is committed: while it stays, reads see the same. Undefined for databases that can't tell in less than a read
   * takes.
   */
  readonly state?: ((options?: ReadOptions) => Promise<string>) | undefined;
  /**
   * For a node of a cluster, which may lag behind the others: waits until it has applied everything that was committed before the
   * call, on any node. Undefined for databases where nothing can lag.
   */
  readonly catchUp?: () => Promise<void>;
  /** What the database is doing now, for metrics. */
  activity(): DatabaseActivity;
  close(): Promise<void>;
}

/** Metrics of a database. */
export interface DatabaseActivity {
  /** Connections to a server: open, idle, and the maximum; 0 on SQLite. */
  readonly open: number;
  readonly idle: number;
  readonly most: number;
  /** Callers waiting for a connection, or on SQLite for their turn to write. */
  readonly waiting: number;
  readonly slowReads: number;
  readonly slowReadsWaiting: number;
}

/** A unique constraint refused a row. `columns` are those of the index, if the engine reports them. */
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
