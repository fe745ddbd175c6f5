/**
 * The content types of a server of the v5 format: entries are flat, and named by document ids. `T` are the attributes of an entry,
 * with its document id.
 */
import type { Entry, EntryId } from '../../runtime/src/contract/entry.ts';
import type { InLocale, InOrder, Paginated, Selection } from '../../runtime/src/entries/typed/query-types.ts';
import type { Answer, Fields } from '../../runtime/src/entries/typed/selection-types.ts';
import type { EntryList } from '../../runtime/src/entries/typed/answers.ts';
import type { Filters } from '../../runtime/src/entries/typed/filter-types.ts';
import type { ChangeOptions, RequestOptions } from './send.ts';
import type { ConnectionOptions, TaggedEntry } from './types.ts';

/** An entry with its attributes, without what has to be populated. */
export type Document<Attributes> = { readonly id: number } & Attributes;

/** `published`, the default: what everybody sees, and a write publishes. `draft`: each entry as it is edited. */
export type Status = 'draft' | 'published';

interface InStatus {
  readonly status?: Status;
}

type InLocales<T> = T extends { readonly locale: infer L } ? { readonly locale?: L | '*' } : object;

/** Which entries, in which order. */
type OrderedDocuments<T> = InLocales<T> & InStatus & { readonly filters?: Filters<T> } & InOrder<T>;

/** Which entries, in which order, and which part of them. */
export type DocumentQuery<T> = OrderedDocuments<T> & Paginated;

type ReadQuery<T, F extends Fields<T>, P> = InLocale<T> &
  InStatus & { readonly filters?: Filters<T> } & Selection<T, F, P>;
type WriteQuery<T, F extends Fields<T>, P> = InLocale<T> & InStatus & Selection<T, F, P>;
type None = readonly [];
type Flat<T, F, P> = Answer<T, F, P, 'flat'>;

/** The entries of a collection type. All methods throw ApiError. */
export interface DocumentCollection<E extends Entry<object>, Create, Update, T = E['attributes']> {
  find<const F extends Fields<T> = None, const P = undefined>(
    query?: DocumentQuery<T> & Selection<T, F, P>,
    options?: RequestOptions,
  ): Promise<EntryList<Flat<T, F, P>>>;
  /** All entries, page by page: without a `sort`, by id. */
  each<const F extends Fields<T> = None, const P = undefined>(
    query?: OrderedDocuments<T> & Selection<T, F, P> & { readonly pageSize?: number },
    options?: RequestOptions,
  ): AsyncGenerator<Flat<T, F, P>, void, undefined>;
  /** How many there are; at most `maxCount` of the server, where it has one. */
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
  /** What is not in `data` stays. A locale that the entry does not have yet is added to it. */
  update<const F extends Fields<T> = None, const P = undefined>(
    documentId: string,
    data: Update,
    query?: WriteQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Flat<T, F, P>>>;
  /** Succeeds where nothing was. */
  delete(documentId: string, query?: InLocales<T>, options?: ChangeOptions): Promise<void>;
  /** For `Result`: never there. */
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
  /** For `Result`: never there. */
  readonly '~types'?: readonly [T, 'flat'];
}

export type DocumentClientOptions<Locale extends string = string> = ConnectionOptions<Locale>;

/** An entry in a request: by its document id or its id, where it has to be said with its locale, or its type if there are several. */
export type DocumentLink =
  | { readonly documentId: string; readonly locale?: string; readonly __type?: string }
  | { readonly id: EntryId; readonly __type?: string };

/** Where a connected entry goes. */
type DocumentPosition =
  | { readonly before: EntryId | DocumentLink }
  | { readonly after: EntryId | DocumentLink }
  | { readonly start: true }
  | { readonly end: true };

/** The value of a relation or media attribute in a request. */
export type DocumentInput =
  | EntryId
  | DocumentLink
  | null
  | readonly (EntryId | DocumentLink)[]
  | { readonly set: readonly (EntryId | DocumentLink)[] }
  | {
      readonly connect?: readonly (EntryId | (DocumentLink & { readonly position?: DocumentPosition }))[];
      readonly disconnect?: readonly (EntryId | DocumentLink)[];
    };
