/** Writes several entries in one transaction. */
import { type Connection, type RequestOptions, send } from './send.ts';

/** A write, as a request of its own would make it. */
export interface BatchOperation {
  /** A name: in the operations after it, `"$name"` is the id of its entry, in relations and in paths. */
  readonly id?: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** The path of a route that writes entries, with its query: `/api/articles/7`. */
  readonly path: string;
  readonly body?: object;
  /** The `etag` with which the entry was read. */
  readonly ifMatch?: string;
}

/** What the route of an operation answers. */
export interface BatchResult {
  readonly status: number;
  readonly data: unknown;
  readonly meta: object;
}

/** An operation that would be refused. */
export interface BatchRefusal {
  /** Its position, from 0. */
  readonly operation: number;
  /** As an ApiError has it. */
  readonly error: {
    readonly status: number;
    readonly name: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

export interface Batch {
  /** Does all operations, in order, or none. Throws the ApiError of the first that fails: `details.operation` is its position. */
  (
    operations: readonly BatchOperation[],
    options?: RequestOptions,
  ): Promise<{ readonly results: readonly BatchResult[] }>;
  /** Does nothing, and returns all operations that would be refused, each as if the refused ones before it were left out. */
  dryRun(
    operations: readonly BatchOperation[],
    options?: RequestOptions,
  ): Promise<{ readonly refused: readonly BatchRefusal[] }>;
}

export function batchOf(connection: Connection): Batch {
  const sent = { method: 'POST', path: '_batch' } as const;
  return Object.assign<(...all: Parameters<Batch>) => Promise<never>, Pick<Batch, 'dryRun'>>(
    (operations, options) =>
      send(connection, { ...sent, body: { operations }, keyed: true, options }) as Promise<never>,
    {
      dryRun: (operations, options) =>
        send(connection, { ...sent, body: { operations, dryRun: true }, options }) as Promise<never>,
    },
  );
}
