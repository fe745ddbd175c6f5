/** What the instances of a server share beside their database: what is worth no row there, and may be lost at any time. */

/** A counter in its window. */
export interface CountedTogether {
  /** How many there were in this window, this one included. */
  readonly tries: number;
  /** When the window ends, in milliseconds from now; at least 1. */
  readonly endsIn: number;
}

/** Nothing of it rejects, or waits for long. */
export interface Instances {
  /** Counts one for all instances, in a window of `seconds` that the first begins. Undefined where that can't be done now. */
  count(name: string, seconds: number): Promise<CountedTogether | undefined>;
  /** Ends the window. False where that can't be done now. */
  forget(name: string): Promise<boolean>;
  /** Tells all other instances. None of them may hear of it. */
  tell(topic: string): void;
  onTold(topic: string, listener: () => void): void;
}
