import type { Dialect } from './dialect.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Runs statements, and names the SQL dialect that they must be written in. */
export interface Executor extends StatementRunner {
  readonly dialect: Dialect;
}
