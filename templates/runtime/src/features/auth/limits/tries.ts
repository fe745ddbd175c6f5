/** Counts tries within a span of time. */

/** What was counted for a name. */
export interface Counted {
  /** Since the span began, with this one. */
  readonly tries: number;
  /** When the count begins anew, in milliseconds from now; at least 1. */
  readonly endsIn: number;
}

export interface Tries {
  /** Counts one try for the name. A span of `seconds` begins with the first; a name is always counted in spans of one length. */
  add(name: string, seconds: number): Promise<Counted>;
  /** Forgets what was counted for the name. */
  reset(name: string): Promise<void>;
}
