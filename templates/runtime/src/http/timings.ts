/** Where the time of a request goes, for those who may know it. A feature implements it. */
import type { StatementWatch } from '../database/statement-watch.ts';

/** In milliseconds. What runs at the same time is counted each. */
export interface Timing {
  /** Of `performance.now()`. */
  readonly started: number;
  /** Until the query was known: routing, permissions, reading the body. Undefined if no query was planned. */
  parse: number | undefined;
  plan: number;
  /** Statements that read, and those that write. */
  read: number;
  write: number;
}

export interface Timings {
  /** Sees all statements. */
  readonly watch: StatementWatch;
  /** Measures `work`. */
  measured<T>(timing: Timing, work: () => Promise<T>): Promise<T>;
}
