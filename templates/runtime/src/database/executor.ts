import type { Dialect } from './dialect.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Runs statements, and says in which SQL they are. */
export interface Executor extends StatementRunner {
  readonly dialect: Dialect;
}
