/** The state of the database that a read request must see, if it may be served by replicas. */

/** A position in the write-ahead log of the database: later writes have greater positions. */
export type Position = number;

/** The position of the latest write, whatever it is: only the primary is certain to have it. */
export const LATEST: Position = Infinity;

/** The read position of one request. */
export class ReadPoint {
  /** The position that the caller has seen or written, and must see again; undefined if unknown. */
  required: Position | undefined;
  /** Whether the response tells the caller the position that it has seen. */
  readonly isTracked: boolean;
  /** Upper bound of what was seen so far. */
  seen: Position | undefined;
  /** The replica that serves all reads of the request, so that they see the same state. Null: the primary; undefined: none yet. */
  server: object | null | undefined;

  constructor(required: Position | undefined, isTracked: boolean) {
    this.required = required;
    this.isTracked = isTracked;
  }

  /** Records a read that saw everything up to `position`, and nothing after `visible`. */
  saw(position: Position, visible: Position): void {
    this.seen = Math.max(this.seen ?? visible, visible);
    // Later reads of the request must not go back in time. They are sent to the same server, or to the primary.
    this.required = Math.max(this.required ?? position, position);
  }
}
