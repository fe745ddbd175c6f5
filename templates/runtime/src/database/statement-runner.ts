/** Interfaces for running statements, which are prepared once and cached by their text. */
import type { Client } from '../base/client.ts';
import type { Sql, SqlValue } from './sql.ts';

/** A row of a result: column name → value. Values made by a dialect's `jsonBytes` may be a `Uint8Array` instead. */
export type Row = Record<string, SqlValue>;

/** Rows of a table that a statement may have to examine, whatever it returns. */
export interface Scan {
  readonly table: string;
  /** The cost of examining one row, in microseconds on a current machine. */
  readonly weight: number;
  /** How many rows it examines at most. */
  readonly most?: number;
}

/** The client a read is for, and what the read may cost. */
export interface ReadOptions {
  /**
   * The client that waits for the response: when it disconnects, the statement is cancelled and ClientGoneError is thrown.
   */
  readonly client?: Client | undefined;
  /** Expensive reads run where they can be cancelled, and only a few of them at once. */
  readonly scans?: readonly Scan[];
}

export interface StatementRunner {
  /** All rows of a statement that reads. */
  all(statement: Sql, options?: ReadOptions): Promise<Row[]>;
  /** The first row, or undefined. */
  get(statement: Sql, options?: ReadOptions): Promise<Row | undefined>;
  /** Runs a writing statement; returns how many rows it changed. */
  run(statement: Sql): Promise<{ changes: number }>;
}

/** A StatementRunner within a transaction. */
export interface TransactionStatementRunner extends StatementRunner {
  /** Runs a statement when the transaction is over, whether it was committed or rolled back. */
  afterTransaction(statement: Sql): void;
}
