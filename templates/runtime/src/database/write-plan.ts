/**
 * A write as a value: the statements that it is of, in their order, and how it is answered. `Database.write` and `Transaction.write`
 * execute it. Plans compose: whatever else belongs to a write is further steps.
 */
import type { Executor } from './executor.ts';
import type { Guard, RowSet } from './guard.ts';
import type { NewId } from './new-id.ts';
import type { Sql } from './sql.ts';
import type { Row, TransactionRunner } from './statement-runner.ts';

/** What a statement answered. */
export interface Result {
  readonly rows: Row[];
  /** How many rows a statement that writes has matched. */
  readonly changes: number;
  /** The id that an INSERT has made, where the engine tells it with the answer. */
  readonly insertId?: number;
}

/** A statement that writes, and what is asked of it: rows by `RETURNING`, how many rows it changed, or nothing. */
export interface Statement {
  readonly sql: Sql;
  readonly returns: 'rows' | 'changes' | 'nothing';
  /** The id that it makes, of an INSERT of one row into a table whose `id` is generated; among its rows as `id`, if it has any. */
  readonly makes?: NewId;
  /** Made and thrown where it finds no row: then nothing of the plan is kept. */
  readonly orElse?: () => Error;
  /** It changes all of these rows, and nothing of them that others of the plan read, so that it may be run before those. */
  readonly changesAll?: RowSet;
}

/** What the statements of a plan have answered. */
export interface Outcome {
  /** Of a statement that has been run. */
  of(statement: Statement): Result;
  /** What `read` answered. */
  readonly rows: readonly Row[];
}

/** Steps that can only be planned once those before them are done. Reads, as a planner does, and may throw to undo all. */
export type LaterSteps = (tx: Transaction, outcome: Outcome) => Promise<readonly Step[]>;

export type Step = Statement | LaterSteps;

/** What a write is about, for those who add to it. */
export interface Subject {
  readonly action: 'create' | 'update' | 'delete' | 'import';
  /** The singular name of a content type, `user` and `file` among them; or `role`, `token`. Of an import, a table. */
  readonly type: string;
  /** Undefined where it is about rows that are not known one by one. */
  readonly id: number | NewId | undefined;
}

export interface WritePlan<T> {
  readonly about: readonly Subject[];
  readonly steps: readonly Step[];
  /** Asked after all steps, in the same transaction. */
  readonly read?: Sql | undefined;
  /** May throw where nothing was written. */
  readonly answer: (outcome: Outcome) => T;
}

/**
 * Plans a write in the transaction that will execute it: reads, locks and takes ids, and writes nothing. It is run again where the
 * transaction is, and so must have no effects elsewhere.
 */
export type Planner<T> = (tx: Transaction) => Promise<WritePlan<T>>;

/** A transaction that writes. */
export interface Transaction extends Executor, TransactionRunner {
  /**
   * Has SELECTs lock their rows with the next statements, and answers whether a planner may go on as if they had answered so many
   * rows together. If they don't, nothing is kept and it plans again; then, and where there is nothing to gain, this does nothing
   * and answers false: it has to read. SQLite, which locks no rows, leaves it to the foreign keys.
   */
  assume(guard: Guard): boolean;
  /** Executes a plan as a part of this transaction. */
  write<T>(planner: Planner<T>): Promise<T>;
}

/** A statement of which nothing is asked but that it doesn't fail. */
export function statement(sql: Sql): Statement {
  return { sql, returns: 'nothing' };
}

/** Whether a statement has changed, or answered, a row. */
export function foundRow({ returns }: Statement, { rows, changes }: Result): boolean {
  return returns === 'rows' ? rows.length > 0 : changes > 0;
}

/** Throws what a statement says is to be thrown where it finds no row. */
export function requireRow(one: Statement, result: Result): void {
  if (one.orElse && !foundRow(one, result)) throw one.orElse();
}

/** Gathers what statements answer. */
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
