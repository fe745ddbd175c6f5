/** Counts attempts in fixed time windows. */

/** The counter of a name. */
export interface AttemptCount {
  /** Attempts in the current window, including these. */
  readonly attempts: number;
  /** When the window ends, in milliseconds from now; at least 1. */
  readonly endsIn: number;
}

export interface AttemptCounter {
  /**
   * Counts one attempt, or as many as `by` says. A window of `seconds` starts with the first; the same name must always use the same
   * length.
   */
  add(name: string, seconds: number, by?: number): Promise<AttemptCount>;
  /** Resets the counter of the name. */
  reset(name: string): Promise<void>;
}
