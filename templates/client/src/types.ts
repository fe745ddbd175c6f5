/** The content types of a client. `T` are the attributes of an entry, `X` is the response format. */
import type { Entry } from '../../runtime/src/contract/entry.ts';
import type {
  EntryQuery,
  InLocale,
  InStatus,
  ListQuery,
  OrderedQuery,
  Selection,
} from '../../runtime/src/entries/typed/query-types.ts';
import type { Answer, Fields, Format } from '../../runtime/src/entries/typed/selection-types.ts';
import type { EntryList, OneEntry } from '../../runtime/src/entries/typed/answers.ts';
import type { ChangeOptions, RequestOptions, Token } from './send.ts';

type ReadQuery<T, F extends Fields<T>, P> = EntryQuery<T> & Selection<T, F, P>;
type ActionQuery<T, F extends Fields<T>, P> = InLocale<T> & Selection<T, F, P>;
type WriteQuery<T, F extends Fields<T>, P> = ActionQuery<T, F, P> & InStatus<T>;
type None = readonly [];

/** An entry with its ETag, for `ifMatch`. Undefined for cross-origin requests if the server does not expose the header. */
export type TaggedEntry<E> = OneEntry<E> & { readonly etag: string | undefined };

/** The entries of a collection type. All methods throw ApiError. */
export interface Collection<E extends Entry<object>, Create, Update, X extends Format, T = E['attributes']> {
  find<const F extends Fields<T> = None, const P = undefined>(
    query?: ListQuery<T> & Selection<T, F, P>,
    options?: RequestOptions,
  ): Promise<EntryList<Answer<T, F, P, X>>>;
  /** Iterates over all entries, page by page; sorted by id unless `sort` is given. */
  each<const F extends Fields<T> = None, const P = undefined>(
    query?: OrderedQuery<T> & Selection<T, F, P> & { readonly pageSize?: number },
    options?: RequestOptions,
  ): AsyncGenerator<Answer<T, F, P, X>, void, undefined>;
  /** The number of entries, up to the server's `maxCount` if it has one. */
  count(query?: OrderedQuery<T>, options?: RequestOptions): Promise<number>;
  findOne<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    query?: ReadQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  create<const F extends Fields<T> = None, const P = undefined>(
    data: Create,
    query?: WriteQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Attributes missing in `data` stay as they are. */
  update<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    data: Update,
    query?: WriteQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Returns the entry as it was before. */
  delete<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<OneEntry<Answer<T, F, P, X>>>;
  /** Carries types for `Result`; never present at runtime. */
  readonly '~types'?: readonly [T, X];
}

/** The entry of a single type. All methods throw ApiError. */
export interface Single<E extends Entry<object>, Update, X extends Format, T = E['attributes']> {
  find<const F extends Fields<T> = None, const P = undefined>(
    query?: ReadQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Updates the entry, or creates it. */
  save<const F extends Fields<T> = None, const P = undefined>(
    data: Update,
    query?: WriteQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Returns the entry as it was before. */
  delete<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<OneEntry<Answer<T, F, P, X>>>;
  /** Carries types for `Result`; never present at runtime. */
  readonly '~types'?: readonly [T, X];
}

/** The entries of a collection type with drafts. */
export interface CollectionWithDrafts<
  E extends Entry<object>,
  Create,
  Update,
  X extends Format,
  T = E['attributes'],
> extends Collection<E, Create, Update, X, T> {
  /** Publishes the draft, which must be complete. */
  publish<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Takes back what is published; the draft stays. */
  unpublish<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Replaces the draft by what is published. */
  discardDraft<const F extends Fields<T> = None, const P = undefined>(
    id: number,
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
}

/** The entry of a single type with drafts. */
export interface SingleWithDrafts<
  E extends Entry<object>,
  Update,
  X extends Format,
  T = E['attributes'],
> extends Single<E, Update, X, T> {
  /** Publishes the draft, which must be complete. */
  publish<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Takes back what is published; the draft stays. */
  unpublish<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
  /** Replaces the draft by what is published. */
  discardDraft<const F extends Fields<T> = None, const P = undefined>(
    query?: ActionQuery<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
}

/** The type of an entry returned for a query: `Result<Client['articles'], { fields: ['title']; populate: { author: true } }>`. */
export type Result<
  C extends { readonly '~types'?: readonly [unknown, Format] },
  Q extends { readonly fields?: unknown; readonly populate?: unknown } = object,
> = C extends { readonly '~types'?: readonly [infer T, infer X extends Format] }
  ? Answer<
      T,
      Q extends { readonly fields: infer F } ? F : None,
      Q extends { readonly populate: infer P } ? P : undefined,
      X
    >
  : never;

/** How to connect to a server. */
export interface ConnectionOptions<Locale extends string = string> {
  /** Including `/api`: `https://cms.example.com/api`. */
  readonly baseUrl: string;
  /** The `jwt` of a session, or an API token, or a function that is called for each request. */
  readonly token?: Token | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default locale of requests for localized entries. */
  readonly locale?: Locale | undefined;
  /** How often requests are repeated that failed for a passing reason: see `retries` of a request. 3 by default. */
  readonly retries?: number | undefined;
}

export interface ClientOptions<Locale extends string = string> extends ConnectionOptions<Locale> {
  /** Whether to flatten entries, removing `attributes`, and `data` of relations. */
  readonly flatten?: boolean | undefined;
}
