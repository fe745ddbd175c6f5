/**
 * Statements that PostgreSQL is sent in one message: it answers them together, and after one that fails it skips the others.
 * This is the protocol's own way (Parse, Bind, Execute, …, one Sync), which the driver leaves to classes like this one.
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
  /** Under which the server keeps it. Undefined: it is used once. */
  readonly name: string | undefined;
  readonly params: readonly SqlParam[];
}

/** The statements that the server keeps for a connection, by their names: how their rows are read; undefined if it is not sure. */
export type KeptStatements = Map<string, ReadRow | undefined>;

interface Answer {
  readonly rows: Row[];
  changes: number;
  readRow: ReadRow;
}

const NO_ROWS = rowReader([]);

/** As the server reads it. */
function textOf(value: SqlParam): string | null {
  if (value instanceof NewId) return String(value.value);
  return value === null || typeof value === 'string' ? value : String(value);
}

/** How many rows `INSERT 0 2` or `UPDATE 2` are about. */
function changesIn(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? 0 : count;
}

/** `done` is called once, with an error of the driver or with the answers to all statements. */
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

  /** What is to be answered next. */
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
      // To close what is not there is no error, to parse what is there would be one.
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

  /** Nobody has anything to copy into a table. */
  handleCopyInResponse(protocol: Protocol): void {
    protocol.stream.destroy(new Error('COPY FROM STDIN is not supported'));
  }

  handleCopyData(): void {
    // What COPY TO STDOUT answers is not asked for.
  }
}
