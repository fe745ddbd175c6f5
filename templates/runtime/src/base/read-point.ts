/** Which state of the database a request that only reads has to see, where several servers can be read. */

/** A place in the log of the database: what is written later has a greater one. */
export type Position = number;

/** The place of what was written last, wherever that is: only the server that is written to has it for certain. */
export const LATEST: Position = Infinity;

/** Of one request. */
export class ReadPoint {
  /** What its caller has seen or written, and so has to be seen again; undefined: nothing is known of it. */
  required: Position | undefined;
  /** Whether the caller is told what it has seen. */
  readonly isTracked: boolean;
  /** At most so much was seen by now. */
  seen: Position | undefined;
  /** The server that has answered it: one state for all of its reads. Undefined: none yet; null: the one that is written to. */
  server: object | null | undefined;

  constructor(required: Position | undefined, isTracked: boolean) {
    this.required = required;
    this.isTracked = isTracked;
  }

  /** What was read showed at most the state at `position`. */
  saw(position: Position): void {
    this.seen = Math.max(this.seen ?? position, position);
    // What comes next must not be older.
    this.required = Math.max(this.required ?? this.seen, this.seen);
  }
}
