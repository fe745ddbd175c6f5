import type { Dialect } from './dialect.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Runs statements written in its SQL dialect. */
export interface Executor extends StatementRunner {
  readonly dialect: Dialect;
}
