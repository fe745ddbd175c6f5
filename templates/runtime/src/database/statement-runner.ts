/** What runs statements, each prepared once and kept by its text. */
import type { Client } from '../base/client.ts';
import type { Sql, SqlValue } from './sql.ts';

/** A row of a result: column name → value. What `jsonBytes` of a dialect made may be a `Uint8Array` instead. */
export type Row = Record<string, SqlValue>;

/** Rows of a table that a statement may have to look at, whatever it answers. */
export interface Scan {
  readonly table: string;
  /** What it costs to look at one of them, in microseconds on a machine of today. */
  readonly weight: number;
  /** How many of them it looks at, at most. */
  readonly most?: number;
}

/** For whom something is read, and what that may cost. */
export interface ReadOptions {
  /** Who waits for the answer: once nobody does, the statement is stopped, and ClientGoneError is thrown. */
  readonly client?: Client | undefined;
  /** Reads that may take long run where they can be stopped, and only a few of them at once. */
  readonly scans?: readonly Scan[];
}

export interface StatementRunner {
  /** All rows of a statement that reads. */
  all(statement: Sql, options?: ReadOptions): Promise<Row[]>;
  /** The first row, or undefined. */
  get(statement: Sql, options?: ReadOptions): Promise<Row | undefined>;
  /** Runs a statement that writes; answers how many rows it changed. */
  run(statement: Sql): Promise<{ changes: number }>;
}

/** The same within a transaction. */
export interface TransactionRunner extends StatementRunner {
  /** Has a statement run when the transaction is over, however it ends. */
  afterTransaction(statement: Sql): void;
}
