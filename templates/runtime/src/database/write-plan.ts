/**
 * A write as a value: its statements in order, and how its result is made. `Database.write` and `Transaction.write` execute
 * it. Plans compose: whatever else belongs to a write is added as further steps.
 */
import type { RecordedEvent } from '../contract/audit/audit-log.ts';
import type { EventName } from '../contract/events/event-names.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Executor } from './executor.ts';
import type { Guard, RowSet } from './guard.ts';
import type { NewId } from './new-id.ts';
import type { Sql } from './sql.ts';
import type { Row, TransactionStatementRunner } from './statement-runner.ts';

/** The result of a statement. */
export interface Result {
  readonly rows: Row[];
  /** How many rows a writing statement matched. */
  readonly changes: number;
  /** The id that an INSERT generated, if the engine reports it with the result. */
  readonly insertId?: number;
}

/** Entries whose content a statement changes. */
export interface TouchedRows {
  readonly table: string;
  /** Their ids, or a SELECT of them as `k`, to be run before the statement. */
  readonly ids: readonly (number | NewId)[] | Sql;
}

/** A writing statement, and what it returns: rows by `RETURNING`, the number of changed rows, or nothing. */
export interface Statement {
  readonly sql: Sql;
  readonly returns: 'rows' | 'changes' | 'nothing';
  /**
   * The id it generates, if it inserts one row into a table with a generated `id`; if it returns rows, they have it as `id`.
   */
  readonly generatedId?: NewId;
  /** Creates the error to throw if it finds no row: then nothing of the plan is kept. */
  readonly noRowError?: () => Error;
  /**
   * Rows that it changes, all of them. It changes nothing that other statements of the plan read, so it may run before
   * those.
   */
  readonly changedRows?: RowSet;
  /** The entries whose versions it increments, or which it adds: for those who record what entries contain. */
  readonly touches?: TouchedRows | readonly TouchedRows[];
}

/** The results of the statements of a plan. */
export interface Outcome {
  /** The result of a statement that has been run. */
  of(statement: Statement): Result;
  /** The rows of `read`. */
  readonly rows: readonly Row[];
}

/**
 * Steps that can only be planned once those before them are done. May read, as planners do, and may throw to roll back
 * everything.
 */
export type LaterSteps = (tx: Transaction, outcome: Outcome) => Promise<readonly Step[]>;

export type Step = Statement | LaterSteps;

/** The subject of a write, for code that adds to it. */
export interface Subject {
  readonly action: 'create' | 'update' | 'delete' | 'import';
  /** The singular name of a content type, including `user` and `file`; or `role`, `token`. For an import, a table. */
  readonly type: string;
  /** Undefined if the write concerns rows that are not known individually. */
  readonly id: number | NewId | undefined;
  /** Whether the write makes the entry public, or takes it back. */
  readonly publication?: 'publish' | 'unpublish' | undefined;
  /** Why an entry gets other content, if that is an action of its own. `restore 7`: it gets that of a version. */
  readonly cause?: 'discard' | `restore ${number}` | undefined;
  /** Whether a deletion is not kept by the trash. */
  readonly isFinal?: true;
  /** An event that is told in place of those of an entry. `of`: the content type that it is about, if there is one. */
  readonly told?: { readonly event: EventName; readonly of?: string; readonly content: object } | undefined;
  /** What the audit records of something that is no entry. `of`: the content type that it is about, if there is one. */
  readonly recorded?: { readonly event: RecordedEvent; readonly of?: string; readonly details?: object } | undefined;
}

/** Who writes, in which request. */
export interface Writer {
  readonly caller: Caller;
  /** Undefined outside of a request. */
  readonly requestId?: string | undefined;
}

export interface WritePlan<T> {
  /** What the change of entries is called that are no subjects, for those who record it. */
  readonly cause?: string;
  readonly subjects: readonly Subject[];
  /** Undefined: the server itself. */
  readonly by?: Writer;
  readonly steps: readonly Step[];
  /** Runs after all steps, in the same transaction. */
  readonly read?: Sql | undefined;
  /** Makes the result. May throw only if nothing was written. */
  readonly answer: (outcome: Outcome) => T;
}

/**
 * Plans a write in the transaction that will execute it: reads, locks and allocates ids, but writes nothing. It runs again
 * if the transaction does, so it must have no effects elsewhere.
 */
export type Planner<T> = (tx: Transaction) => Promise<WritePlan<T>>;

/** A transaction that writes. */
export interface Transaction extends Executor, TransactionStatementRunner {
  /**
   * If it returns true, the planner may assume that all rows of the guard exist: they are locked and checked together with the next
   * statements and, if one is missing, the transaction is rolled back and planned again. In that second attempt, and where assuming
   * has no advantage, it does nothing and returns false: the planner has to read the rows. SQLite, which locks no rows, leaves the
   * check to the foreign keys.
   */
  assume(guard: Guard): boolean;
  /**
   * Runs `work`, which writes in this transaction. If it throws, what it has written is undone, and the transaction goes on: after
   * anything but a deadlock, a lost connection and the like, which end it. One at a time.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Executes a plan as part of this transaction. */
  write<T>(planner: Planner<T>): Promise<T>;
}

/** A statement whose result is not needed. */
export function statement(sql: Sql): Statement {
  return { sql, returns: 'nothing' };
}

/** Whether a statement changed or returned a row. */
export function foundRow({ returns }: Statement, { rows, changes }: Result): boolean {
  return returns === 'rows' ? rows.length > 0 : changes > 0;
}

/** Throws a statement's `noRowError` if it found no row. */
export function requireRow(one: Statement, result: Result): void {
  if (one.noRowError && !foundRow(one, result)) throw one.noRowError();
}

/** Creates an outcome without results. `add` stores the result of a statement. */
export function createOutcome(): Outcome & { add(one: Statement, result: Result): void; rows: readonly Row[] } {
  const results = new Map<Statement, Result>();
  return {
    rows: [],
    of(one) {
      const result = results.get(one);
      if (!result) throw new Error('A statement of a plan has not been run');
      return result;
    },
    add: (one, result) => void results.set(one, result),
  };
}
