/** The former versions of the entries of a type, behind its routes. */
import type { EntryAnswer } from '../../query/answer.ts';
import type { EntryKey } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';

/** Throws NotFoundError for an entry that is not there, or hidden from the caller. `version` is the text in the path. */
export interface CollectionHistory {
  /** A page of versions, the last one first. */
  list(key: EntryKey, request: EntryRequest): Promise<EntryAnswer>;
  /** The entry as it was in a version; or, for `3..5`, what differs between two of them. */
  version(key: EntryKey, version: string, request: EntryRequest): Promise<EntryAnswer>;
  /** Gives the entry, or its draft, the content of a version: a write like any other. */
  restore(key: EntryKey, version: string, request: EntryRequest): Promise<EntryAnswer>;
}

/** The same of a single type. */
export interface SingleHistory {
  list(request: EntryRequest): Promise<EntryAnswer>;
  version(version: string, request: EntryRequest): Promise<EntryAnswer>;
  restore(version: string, request: EntryRequest): Promise<EntryAnswer>;
}
