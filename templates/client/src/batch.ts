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

/** Does all operations, in order, or none. Throws the ApiError of the first that fails: `details.operation` is its position. */
export type Batch = (
  operations: readonly BatchOperation[],
  options?: RequestOptions,
) => Promise<{ readonly results: readonly BatchResult[] }>;

export function batchOf(connection: Connection): Batch {
  return (operations, options) =>
    send(connection, { method: 'POST', path: '_batch', body: { operations }, keyed: true, options }) as Promise<never>;
}
