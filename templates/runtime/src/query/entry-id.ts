/** Ids of entries. */

/** Identifies an entry: the id of its row, or the document id shared by its rows in all locales. */
export type EntryKey = number | { readonly documentId: string };

/** Identifies an entry also by the value of the attribute that its type has as `key`. The id takes precedence. */
export interface NamedKey {
  readonly attribute: string;
  readonly value: string;
  /** What the value is as an id. */
  readonly id: EntryKey;
}

/** Whether a string can be a document id. Others aren't looked up; an engine might not even accept them as text. */
export function canBeDocumentId(text: string): boolean {
  return /^[\w-]{1,255}$/u.test(text);
}

/** Whether a number can be the id of an entry: a safe integer from 1. */
export function isEntryId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}
