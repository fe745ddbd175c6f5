/**
 * Pipelines several statements in one message: PostgreSQL returns their results together, and skips those after one that
 * fails. This uses the extended query protocol directly (Parse, Bind, Execute, …, one Sync), which the driver leaves to
 * classes like this one.
 */
import type { Connection as Protocol, Submittable } from 'pg';
import type { Row } from './statement-runner.ts';
import type { Result } from './write-plan.ts';
import { type Field, type ReadRow, rowReader } from './postgres-rows.ts';
import { NewId } from './new-id.ts';
import type { SqlParam } from './sql.ts';

/** A statement of a batch. */
export interface PostgresStatement {
  readonly text: string;
  /** The name of the prepared statement. Undefined: it is used once. */
  readonly name: string | undefined;
  readonly params: readonly SqlParam[];
}

/**
 * The prepared statements of a connection, by name: how to read their rows; undefined if it is uncertain whether the server
 * has them.
 */
export type KeptStatements = Map<string, ReadRow | undefined>;

interface Answer {
  readonly rows: Row[];
  changes: number;
  readRow: ReadRow;
}

const NO_ROWS = rowReader([]);

/** The text format of a parameter. */
function textOf(value: SqlParam): string | null {
  if (value instanceof NewId) return String(value.value);
  return value === null || typeof value === 'string' ? value : String(value);
}

/** The row count in a command tag, such as `INSERT 0 2` or `UPDATE 2`. */
function changesIn(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? 0 : count;
}

/** `done` is called once, with an error of the driver or with the results of all statements. */
export class PostgresBatch implements Submittable {
  readonly #statements: readonly PostgresStatement[];
  readonly #kept: KeptStatements;
  readonly #done: (error: Error | undefined, results?: Result[]) => void;
  readonly #results: Result[] = [];
  #current: Answer;

  constructor(
    statements: readonly PostgresStatement[],
    kept: KeptStatements,
    done: (error: Error | undefined, results?: Result[]) => void,
  ) {
    this.#statements = statements;
    this.#kept = kept;
    this.#done = done;
    this.#current = this.#next();
  }

  /** The result to be filled next. */
  #next(): Answer {
    const name = this.#statements[this.#results.length]?.name;
    const readRow = (name === undefined ? undefined : this.#kept.get(name)) ?? NO_ROWS;
    return { rows: [], changes: 0, readRow };
  }

  submit(protocol: Protocol): void {
    protocol.stream.cork();
    try {
      for (const statement of this.#statements) this.#send(protocol, statement);
      protocol.sync();
    } finally {
      protocol.stream.uncork();
    }
  }

  #send(protocol: Protocol, { text, name = '', params }: PostgresStatement): void {
    const isKept = this.#kept.get(name) !== undefined;
    if (!isKept) {
      // Closing a statement that does not exist is no error, but parsing one that exists is.
      if (this.#kept.has(name)) protocol.close({ type: 'S', name }, true);
      else if (name !== '') this.#kept.set(name, undefined);
      protocol.parse({ name, text, types: [] }, true);
    }
    protocol.bind({ statement: name, values: params.map(textOf) }, true);
    if (!isKept) protocol.describe({ type: 'P', name: '' }, true);
    protocol.execute(null, true);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#current.readRow = rowReader(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#current.rows.push(this.#current.readRow(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#current.changes = changesIn(text);
    this.#complete();
  }

  handleEmptyQuery(): void {
    this.#complete();
  }

  #complete(): void {
    const name = this.#statements[this.#results.length]?.name;
    if (name !== undefined) this.#kept.set(name, this.#current.readRow);
    this.#results.push(this.#current);
    this.#current = this.#next();
  }

  handleReadyForQuery(): void {
    this.#done(undefined, this.#results);
  }

  handleError(error: Error): void {
    this.#done(error);
  }

  /** No statement copies rows into a table. */
  handleCopyInResponse(protocol: Protocol): void {
    protocol.stream.destroy(new Error('COPY FROM STDIN is not supported'));
  }

  handleCopyData(): void {
    // No statement uses COPY TO STDOUT.
  }
}
