/** What the routes of a content type call. Every answer is the JSON text that is sent; that of a list, its bytes in UTF-8. */
import type { EntryRequest } from '../query/entry-request.ts';

/**
 * The entries of a collection type. Answers are the JSON of a body: a list, which is long, as its bytes in UTF-8. `id` is the path
 * segment as it came; throws NotFoundError if there is none such.
 */
export interface CollectionService {
  find(request: EntryRequest): Promise<Buffer>;
  findOne(id: string, request: EntryRequest): Promise<string>;
  /** `data` is the body's `data`, not checked yet. */
  create(data: unknown, request: EntryRequest): Promise<string>;
  update(id: string, data: unknown, request: EntryRequest): Promise<string>;
  /** Answers the entry as it was. */
  delete(id: string, request: EntryRequest): Promise<string>;
  /**
   * Adds a locale to an entry of a localized type. `body` is the whole body, `{locale, …attributes}`, and so is the answer,
   * `{id, …attributes, localizations}`.
   */
  createLocalization(id: string, body: unknown, request: EntryRequest): Promise<string>;
}

/** The one entry of a single type; of a localized one, that of each locale: the query names it. */
export interface SingleService {
  find(request: EntryRequest): Promise<string>;
  /** Updates the entry, or creates it. */
  save(data: unknown, request: EntryRequest): Promise<{ readonly body: string; readonly created: boolean }>;
  delete(request: EntryRequest): Promise<string>;
  /** Adds a locale, as for a collection type. */
  createLocalization(body: unknown, request: EntryRequest): Promise<string>;
}
