/** Counts tries within a minute. */

/** Who is asked whether there may be another try. */
export interface Tries {
  /** Counts one try for the name; answers 0, or after how many milliseconds there may be one again. */
  add(name: string): Promise<number>;
}

/** The length of the time in which tries are counted, in seconds. */
export const WINDOW = 60;
