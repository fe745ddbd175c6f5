/** What the routes of a content type call, and the team's own code through `entries`. */
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { EntryRequest } from '../query/entry-request.ts';

/** The entries of a collection type. Where there is none with an `id`, NotFoundError is thrown. */
export interface CollectionService {
  find(request: EntryRequest): Promise<ListAnswer>;
  findOne(id: number, request: EntryRequest): Promise<EntryAnswer>;
  /** `data` is the body's `data`, not checked yet. */
  create(data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  update(id: number, data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Answers the entry as it was. */
  delete(id: number, request: EntryRequest): Promise<EntryAnswer>;
  /**
   * Adds a locale to an entry of a localized type. `body` is the whole body, `{locale, …attributes}`, and so is the answer,
   * `{id, …attributes, localizations}`.
   */
  createLocalization(id: number, body: unknown, request: EntryRequest): Promise<EntryAnswer>;
}

/** The one entry of a single type; of a localized one, that of each locale: the query names it. */
export interface SingleService {
  find(request: EntryRequest): Promise<EntryAnswer>;
  /** Updates the entry, or creates it. */
  save(data: unknown, request: EntryRequest): Promise<{ readonly answer: EntryAnswer; readonly created: boolean }>;
  delete(request: EntryRequest): Promise<EntryAnswer>;
  /** Adds a locale, as for a collection type. */
  createLocalization(body: unknown, request: EntryRequest): Promise<EntryAnswer>;
}
