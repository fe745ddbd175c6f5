/** State shared by the instances of a server outside of the database, which may be lost at any time. */

/** The state of a counter in its current window. */
export interface SharedCount {
  /** The count in this window, including the current call. */
  readonly attempts: number;
  /** When the window ends, in milliseconds from now; at least 1. */
  readonly endsIn: number;
}

/** No method rejects or takes long. */
export interface Instances {
  /**
   * Increments a counter of all instances. The first call starts its window of `seconds`. Undefined if the shared store is not
   * available.
   */
  count(name: string, seconds: number): Promise<SharedCount | undefined>;
  /** Resets a counter. False if the shared store is not available. */
  forget(name: string): Promise<boolean>;
  /** Notifies all other instances. Delivery is not guaranteed. */
  publish(topic: string): void;
  subscribe(topic: string, listener: () => void): void;
}
