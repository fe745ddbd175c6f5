/** Waits that vary, so that what has failed together doesn't come back together. */

/** The share of a wait by which it varies. */
const JITTER = 0.2;

/** A wait that is up to a fifth shorter or longer. */
export function varied(wait: number, random: () => number = Math.random): number {
  return Math.round(wait * (1 + JITTER * (2 * random() - 1)));
}
