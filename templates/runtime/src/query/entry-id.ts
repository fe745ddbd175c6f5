/** Ids of entries. */

/** By what an entry is named: the id of its row, or the document id that its rows of all locales have. */
export type EntryKey = number | { readonly documentId: string };

/** Whether a text can be a document id: others, which an engine may not even take as a text, are not looked up. */
export function canBeDocumentId(text: string): boolean {
  return /^[\w-]{1,255}$/u.test(text);
}

/** Whether a number can be the id of an entry: they are counted from 1, as far as numbers are exact. */
export function isEntryId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}
