/** The client of a request, as the layers below HTTP see it. */
import type { CostMeter } from './cost/meter.ts';
import type { ReadPoint } from './read-point.ts';

/** The connection of a request. */
export interface Client {
  /**
   * Identifies the caller across connections. Limits on what one caller may use at once are counted by it.
   */
  readonly caller: string;
  /** Whether the caller has no credentials: the reads of such callers have shorter time limits. */
  readonly isAnonymous?: boolean;
  /** Whether the connection is closed, so that no response can be delivered. */
  readonly gone: boolean;
  /**
   * Calls `callback` once when the connection closes, at once if it is closed already; returns a function that
   * unsubscribes. Unsubscribe when the work is done: a connection lives longer than a request.
   */
  onGone(callback: () => void): () => void;
  /** Set for requests that only read, if they may read from a replica of the database. */
  readonly reads?: ReadPoint | undefined;
  /** Counts what the request costs, if anybody does. */
  readonly meter?: CostMeter | undefined;
}
