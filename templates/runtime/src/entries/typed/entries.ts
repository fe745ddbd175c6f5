/** The types of `entries` for the project's own code: queries and results are objects, typed by the content type. */
import type { Entry } from '../../contract/entry.ts';
import type {
  FormerEntry,
  VersionDifferences,
  VersionList,
  VersionQuery,
} from '../../contract/history/history-answers.ts';
import type { EntryList, VersionedEntry } from './answers.ts';
import type { FieldName, LinkName } from './filter-types.ts';
import type { EntryQuery, InLocale, InOrder, InStatus, ListQuery, OrderedQuery, Selection } from './query-types.ts';
import type { Answer, Documented, Fields } from './selection-types.ts';

/** An entry of any content type. */
type AnyEntry = Entry<object>;

/** An entry with the fields `F` of its type and the populated links `P`: `Populated<PopulatedArticle, 'author'>`. */
export type Populated<
  E extends AnyEntry,
  P extends LinkName<E['attributes']> = never,
  F extends FieldName<E['attributes']> = FieldName<E['attributes']>,
> = Entry<Pick<E['attributes'], F> & Required<Pick<E['attributes'], P>>>;

/** What identifies an entry: its id or, if its type has document ids, its document id. */
type KeyOf<E> = E extends { readonly documentId: string } ? number | string : number;

/** A caller is not an option, but `entries.as(caller)`: found also in options that are spread into others. */
interface NoCaller {
  readonly caller?: never;
}

/** What to return of the written entry. `locale` is that of a new entry, unless its data contains one. */
type WriteOptions<T, F extends Fields<T>, P> = Selection<T, F, P> & InLocale<T> & NoCaller;

/** Options of a new entry. */
type CreateOptions<T, F extends Fields<T>, P> = WriteOptions<T, F, P> & InStatus<T>;

/** Options of a change. If the entry has none of the versions in `ifMatch`, nothing is changed. */
type ChangeOptions<T, F extends Fields<T>, P> = WriteOptions<T, F, P> & {
  readonly ifMatch?: number | readonly number[];
};

type UpdateOptions<T, F extends Fields<T>, P> = ChangeOptions<T, F, P> & InStatus<T>;

/** What to return of one entry. An entry that the filters exclude is not found. */
type ReadOptions<T, F extends Fields<T>, P> = Selection<T, F, P> & EntryQuery<T> & NoCaller;

/**
 * The entries of a collection type, with the rights of the server or of a caller. `ServerOnly` are attributes that only the
 * server may set. Requests are validated as over HTTP, and hooks run. All methods throw ForbiddenError if the caller lacks the
 * permission, or may not find what is to be populated; BadRequestError for an invalid query; NotFoundError for an id that does
 * not exist; PreconditionFailedError for an entry with another version; and ValidationError for invalid data.
 */
export interface CollectionEntries<
  E extends AnyEntry,
  Create,
  Update,
  ServerOnly = unknown,
  T extends object = E['attributes'],
> {
  find<const F extends Fields<T> = readonly [], const P = undefined>(
    query?: ListQuery<T> & Selection<T, F, P> & NoCaller,
  ): Promise<EntryList<Answer<T, F, P> & Documented<E>>>;
  findOne<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    options?: ReadOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** The number of entries. */
  count(query?: EntryQuery<T> & Pick<InOrder<T>, '_q'> & NoCaller): Promise<number>;
  /** Whether there is such an entry. */
  exists(query?: EntryQuery<T> & Pick<InOrder<T>, '_q'> & NoCaller): Promise<boolean>;
  /** All entries of a list, one after the other, read in pages: memory is bounded, but it is not a snapshot. */
  stream<const F extends Fields<T> = readonly [], const P = undefined>(
    query?: OrderedQuery<T> & Selection<T, F, P> & NoCaller,
  ): AsyncIterable<Answer<T, F, P> & Documented<E>>;
  create<const F extends Fields<T> = readonly [], const P = undefined>(
    data: Create & ServerOnly,
    options?: CreateOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  update<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    data: Update & ServerOnly,
    options?: UpdateOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** Returns the entry as it was. */
  delete<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** Creates entries in one transaction, all or none; resolves to their ids. */
  createMany(all: readonly (Create & ServerOnly)[], options?: InLocale<T> & NoCaller): Promise<readonly number[]>;
  /** Updates all entries that the query finds, in one transaction; resolves to their number. */
  updateMany(query: EntryQuery<T> & NoCaller, data: Update & ServerOnly): Promise<number>;
  /** Deletes all entries that the query finds, in one transaction; resolves to their number. */
  deleteMany(query: EntryQuery<T> & NoCaller): Promise<number>;
}

/** The entries of a collection type with drafts. Actions return the entry as it is afterwards, and throw what changes throw. */
export interface CollectionEntriesWithDrafts<
  E extends AnyEntry,
  Create,
  Update,
  ServerOnly = unknown,
  T extends object = E['attributes'],
> extends CollectionEntries<E, Create, Update, ServerOnly, T> {
  /** Publishes the draft, which must be complete. */
  publish<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** Takes back what is published; the draft stays. */
  unpublish<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** Replaces the draft by what is published. Throws BadRequestError if nothing is. */
  discardDraft<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
}

/** The former versions of entries of a collection type with a history. All methods throw NotFoundError for a version that does not exist. */
export interface CollectionEntryHistory<E extends AnyEntry, T extends object = E['attributes']> {
  /** The versions, the last one first. */
  versions(key: KeyOf<E>, query?: VersionQuery & InLocale<T>): Promise<VersionList>;
  /** The entry as it was in a version. */
  version<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    version: number,
    options?: WriteOptions<T, F, P>,
  ): Promise<FormerEntry<Answer<T, F, P> & Documented<E>>>;
  /** What differs between two versions. */
  differences(key: KeyOf<E>, from: number, to: number, query?: InLocale<T>): Promise<VersionDifferences>;
  /** Gives the entry, or its draft, the content of a version. `missing`: leaves out what no longer exists, which otherwise is a ValidationError. */
  restore<const F extends Fields<T> = readonly [], const P = undefined>(
    key: KeyOf<E>,
    version: number,
    options?: ChangeOptions<T, F, P> & { readonly missing?: 'ignore' },
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
}

/** The former versions of the entry of a single type. */
export interface SingleEntryHistory<E extends AnyEntry, T extends object = E['attributes']> {
  versions(query?: VersionQuery & InLocale<T>): Promise<VersionList>;
  version<const F extends Fields<T> = readonly [], const P = undefined>(
    version: number,
    options?: WriteOptions<T, F, P>,
  ): Promise<FormerEntry<Answer<T, F, P> & Documented<E>>>;
  differences(from: number, to: number, query?: InLocale<T>): Promise<VersionDifferences>;
  restore<const F extends Fields<T> = readonly [], const P = undefined>(
    version: number,
    options?: ChangeOptions<T, F, P> & { readonly missing?: 'ignore' },
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
}

/** The entry of a single type, one per locale if it is localized. Throws the same errors as those of collection types. */
export interface SingleEntries<E extends AnyEntry, Update, ServerOnly = unknown, T extends object = E['attributes']> {
  find<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ReadOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  /** Updates the entry, or creates it. */
  save<const F extends Fields<T> = readonly [], const P = undefined>(
    data: Update & ServerOnly,
    options?: UpdateOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>> & { readonly created: boolean }>;
  /** Returns the entry as it was. */
  delete<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
}

/** The entry of a single type with drafts, and the actions of collection types with drafts. */
export interface SingleEntriesWithDrafts<
  E extends AnyEntry,
  Update,
  ServerOnly = unknown,
  T extends object = E['attributes'],
> extends SingleEntries<E, Update, ServerOnly, T> {
  publish<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  unpublish<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
  discardDraft<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P> & Documented<E>>>;
}
