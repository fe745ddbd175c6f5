/** The lines of a script. */
import type { Guard, Ranges } from '#contract/migrations/script.ts';

/** A statement, ending in a semicolon, or a comment. */
export type SqlLine = string | NotedStatement;

/** A statement with what the migrator has to know about it. */
export interface NotedStatement {
  readonly text: string;
  /** Runs range by range. */
  readonly ranges?: Ranges;
  /** Creates this index outside of transactions. */
  readonly creates?: string;
  /** Is the first one of a guard. */
  readonly guard?: Omit<Guard, 'at'>;
}

export function textOfLine(line: SqlLine): string {
  return typeof line === 'string' ? line : line.text;
}
