/** What the routes of a content type call, and the team's own code through `entries`. */
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { EntryKey } from '../query/entry-id.ts';
import type { EntryRequest } from '../query/entry-request.ts';

/** The entries of a collection type. Where there is none with a `key`, NotFoundError is thrown. Requests of the v5 format name a document. */
export interface CollectionService {
  find(request: EntryRequest): Promise<ListAnswer>;
  findOne(key: EntryKey, request: EntryRequest): Promise<EntryAnswer>;
  /** `data` is the body's `data`, not checked yet. */
  create(data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  update(key: EntryKey, data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Answers the entry as it was; in the v5 format nothing, also where there was none. */
  delete(key: EntryKey, request: EntryRequest): Promise<EntryAnswer>;
  /**
   * Adds a locale to an entry of a localized type. `body` is the whole body, `{locale, …attributes}`, and so is the answer,
   * `{id, …attributes, localizations}`.
   */
  createLocalization(key: EntryKey, body: unknown, request: EntryRequest): Promise<EntryAnswer>;
}

/** The one entry of a single type; of a localized one, that of each locale: the query names it. */
export interface SingleService {
  find(request: EntryRequest): Promise<EntryAnswer>;
  /** Updates the entry, or creates it, of which the v5 format makes nothing: `created` is false then. */
  save(data: unknown, request: EntryRequest): Promise<{ readonly answer: EntryAnswer; readonly created: boolean }>;
  delete(request: EntryRequest): Promise<EntryAnswer>;
  /** Adds a locale, as for a collection type. */
  createLocalization(body: unknown, request: EntryRequest): Promise<EntryAnswer>;
}
