/** Ids of entries. */

/** By what an entry is named: the id of its row, or the document id that its rows of all locales have. */
export type EntryKey = number | { readonly documentId: string };

/** Whether a number can be the id of an entry: they are counted from 1, as far as numbers are exact. */
export function isEntryId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}
