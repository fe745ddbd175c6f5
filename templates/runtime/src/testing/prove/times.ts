/** The times of what twins store. */

/** In milliseconds: a time before all others, in seconds for every engine. */
export const FIRST_TIME = Date.UTC(2020, 0, 1);

/** The time of an entry or a version, by its number. */
export function timeOf(number: number): string {
  return new Date(FIRST_TIME + number * 1000).toISOString();
}
