/**
 * The content types of a server with the v5 format: entries are flat and identified by document ids. `T` are the attributes of an
 * entry, including its document id.
 */
import type { Entry, EntryId } from '../../runtime/src/contract/entry.ts';
import type { InLocale, InOrder, Paginated, Selection } from '../../runtime/src/entries/typed/query-types.ts';
import type { Answer, Fields } from '../../runtime/src/entries/typed/selection-types.ts';
import type { EntryList } from '../../runtime/src/entries/typed/answers.ts';
import type { Filters } from '../../runtime/src/entries/typed/filter-types.ts';
import type { ChangeOptions, RequestOptions } from './send.ts';
import type { ConnectionOptions, TaggedEntry } from './types.ts';

/** An entry with its attributes, except those that must be populated. */
export type Document<Attributes> = { readonly id: number } & Attributes;

/** `published`, the default: the published version of each entry; writes publish. `draft`: the version that is being edited. */
export type Status = 'draft' | 'published';

interface InStatus {
  readonly status?: Status;
}

type InLocales<T> = T extends { readonly locale: infer L } ? { readonly locale?: L | '*' } : object;

interface InList extends InStatus {
  /** Only entries of which this locale is published, or is not. */
  readonly hasPublishedVersion?: boolean;
}

/** Selects and sorts entries. */
type OrderedDocuments<T> = InLocales<T> & InList & { readonly filters?: Filters<T> } & InOrder<T>;

/** Selects, sorts and paginates entries. */
export type DocumentQuery<T> = OrderedDocuments<T> & Paginated;

type ReadQuery<T, F extends Fields<T>, P> = InLocale<T> &
  InStatus & { readonly filters?: Filters<T> } & Selection<T, F, P>;
type ActionQuery<T, F extends Fields<T>, P> = InLocale<T> & Selection<T, F, P>;
type WriteQuery<T, F extends Fields<T>, P> = ActionQuery<T, F, P> & InStatus;
type None = readonly [];
type Flat<T, F, P> = Answer<T, F, P, 'flat'>;

/** The entries of a collection type. All methods throw ApiError. */
export interface DocumentCollection<E extends Entry<object>, Create, Update, T = E['attributes']> {
  find<const F extends Fields<T> = None, const P = undefined>(
    query?: DocumentQuery<T> & Selection<T, F, P>,
    options?: RequestOptions,
  ): Promise<EntryList<Flat<T, F, P>>>;
  /** Iterates over all entries, page by page; sorted by id unless `sort` is given. */
  each<const F extends Fields<T> = None, const P = undefined>(
    query?: OrderedDocuments<T> & Selection<T, F, P> & { readonly pageSize?: number },
    options?: RequestOptions,
  ): AsyncGenerator<Flat<T, F, P>, void, undefined>;
  /** The number of entries, up to the server's `maxCount` if it has one. */
  count(query?: OrderedDocuments<T>, options?: RequestOptions): Promise<number>;
  findOne<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    query?: ReadQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  create<const F extends Fields<T> = None, const P = undefined>(
    data: Create,
    query?: WriteQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Attributes missing in `data` stay as they are. Adds the locale if the entry does not have it yet. */
  update<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    data: Update,
    query?: WriteQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Succeeds even if the entry does not exist. */
  delete(documentId: string, query?: InLocales<T>, options?: ChangeOptions): Promise<void>;
  /** Carries types for `Result`; never present at runtime. */
  readonly '~types'?: readonly [T, 'flat'];
}

/** The entry of a single type. All methods throw ApiError. */
export interface DocumentSingle<E extends Entry<object>, Update, T = E['attributes']> {
  find<const F extends Fields<T> = None, const P = undefined>(
    query?: ReadQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Updates the entry, or creates it. */
  save<const F extends Fields<T> = None, const P = undefined>(
    data: Update,
    query?: WriteQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  delete(query?: InLocales<T>, options?: ChangeOptions): Promise<void>;
  /** Carries types for `Result`; never present at runtime. */
  readonly '~types'?: readonly [T, 'flat'];
}

/** The entries of a collection type with drafts. */
export interface DocumentCollectionWithDrafts<
  E extends Entry<object>,
  Create,
  Update,
  T = E['attributes'],
> extends DocumentCollection<E, Create, Update, T> {
  /** Publishes the draft, which must be complete. */
  publish<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Takes back what is published; the draft stays. */
  unpublish<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Replaces the draft by what is published. */
  discardDraft<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
}

/** The entry of a single type with drafts. */
export interface DocumentSingleWithDrafts<E extends Entry<object>, Update, T = E['attributes']> extends DocumentSingle<
  E,
  Update,
  T
> {
  /** Publishes the draft, which must be complete. */
  publish<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Takes back what is published; the draft stays. */
  unpublish<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Replaces the draft by what is published. */
  discardDraft<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
}

export type DocumentClientOptions<Locale extends string = string> = ConnectionOptions<Locale>;

/** A reference to an entry in a request, by document id (with a locale if necessary) or id. `__type`: for several target types. */
export type DocumentLink =
  | { readonly documentId: string; readonly locale?: string; readonly __type?: string }
  | { readonly id: EntryId; readonly __type?: string };

/** The position of a connected entry in the list. */
type DocumentPosition =
  | { readonly before: EntryId | DocumentLink }
  | { readonly after: EntryId | DocumentLink }
  | { readonly start: true }
  | { readonly end: true };

/** One value of an array; on its own it counts as an array of one. */
type OneOrMany<T> = T | readonly T[];

/** The value of a relation or media attribute in a request. */
export type DocumentInput =
  | null
  | OneOrMany<EntryId | DocumentLink>
  | { readonly set: OneOrMany<EntryId | DocumentLink> }
  | {
      readonly connect?: OneOrMany<EntryId | (DocumentLink & { readonly position?: DocumentPosition })>;
      readonly disconnect?: OneOrMany<EntryId | DocumentLink>;
    };
