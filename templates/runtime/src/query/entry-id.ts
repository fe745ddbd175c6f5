/** Ids of entries. */

/** Whether a number can be the id of an entry: they are counted from 1, as far as numbers are exact. */
export function isEntryId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}
