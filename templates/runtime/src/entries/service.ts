/** The services behind the routes of a content type, and behind `entries` in the project's own code. */
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { EntryKey, NamedKey } from '../query/entry-id.ts';
import type { CollectionHistory, SingleHistory } from './history/history-types.ts';
import type { EntryRequest } from '../query/entry-request.ts';

/** What can be done with the published version beside a draft. */
export type PublicationAction = 'publish' | 'unpublish' | 'discard-draft';

/**
 * The entries of a collection type. Throws NotFoundError if there is none with the `key`. Requests in the v5 format use document
 * ids.
 */
export interface CollectionService {
  find(request: EntryRequest): Promise<ListAnswer>;
  /** The number of entries in all pages of the list. */
  count(request: EntryRequest): Promise<number>;
  findOne(key: EntryKey | NamedKey, request: EntryRequest): Promise<EntryAnswer>;
  /** `data` is the body's `data`, not yet validated. */
  create(data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Creates entries in one transaction, all or none; resolves to their ids. */
  createMany(all: readonly unknown[], request: EntryRequest): Promise<readonly number[]>;
  /**
   * Creates entries and answers each, as `create` would one after the other, with fewer statements; all or none. Absent if code of the
   * project takes part in their creation. Throws UniqueViolation as it is.
   */
  readonly createEach?:
    ((all: readonly unknown[], request: EntryRequest) => Promise<readonly EntryAnswer[]>) | undefined;
  update(key: EntryKey, data: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Returns the entry as it was; in the v5 format nothing, even if there was none. */
  delete(key: EntryKey, request: EntryRequest): Promise<EntryAnswer>;
  /**
   * Publishes an entry, takes it back, or discards its draft. The locale is that of the query. Throws NotFoundError for types that keep
   * no published versions beside drafts.
   */
  act(key: EntryKey, action: PublicationAction, request: EntryRequest): Promise<EntryAnswer>;
  /**
   * Adds a locale to an entry of a localized type. `body` is the whole body, `{locale, …attributes}`, and the answer is the whole
   * response, `{id, …attributes, localizations}`.
   */
  createLocalization(key: EntryKey, body: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** The former versions of entries, if the type keeps them. */
  readonly history: CollectionHistory;
}

/** The entry of a single type. A localized type has one per locale; the query names the locale. */
export interface SingleService {
  find(request: EntryRequest): Promise<EntryAnswer>;
  /** Updates or creates the entry. `created` is always false in the v5 format, which does not distinguish the two. */
  save(data: unknown, request: EntryRequest): Promise<{ readonly answer: EntryAnswer; readonly created: boolean }>;
  delete(request: EntryRequest): Promise<EntryAnswer>;
  /** Publishes the entry, takes it back, or discards its draft, as for a collection type. */
  act(action: PublicationAction, request: EntryRequest): Promise<EntryAnswer>;
  /** Adds a locale, as for a collection type. */
  createLocalization(body: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** The former versions of the entry, as for a collection type. */
  readonly history: SingleHistory;
}
