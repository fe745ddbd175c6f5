/** The entries of a server as the team's own code calls them: queries and answers are objects, typed by the content type. */
import type { Entry } from '../../contract/entry.ts';
import type { EntryQuery, FieldName, LinkName, ListQuery, Selection } from './query-types.ts';

/** An entry of any content type. */
type AnyEntry = Entry<object>;

/** An entry with the fields `F` of its type, and the links `P`, that were populated: `Populated<PopulatedArticle, 'author'>`. */
export type Populated<
  E extends AnyEntry,
  P extends LinkName<E['attributes']> = never,
  F extends FieldName<E['attributes']> = FieldName<E['attributes']>,
> = Entry<Pick<E['attributes'], F> & Required<Pick<E['attributes'], P>>>;

/** Of a list, as it was asked for; `total` and `pageCount` unless `withCount` is false. */
type PaginationMeta =
  | { readonly page: number; readonly pageSize: number; readonly pageCount?: number; readonly total?: number }
  | { readonly start: number; readonly limit: number; readonly total?: number };

/** A page of a list. */
export interface EntryList<E> {
  readonly data: readonly E[];
  readonly meta: { readonly pagination: PaginationMeta };
}

/** The answer about one entry. */
export interface OneEntry<E> {
  readonly data: E;
}

/** What is answered of an entry that is written. `locale` is that of a new one, where its data names none. */
type WriteOptions<T, F extends FieldName<T>, P extends LinkName<T>> = Selection<T, F, P> &
  Pick<EntryQuery<T>, 'locale'>;

/** What is answered of one entry; one that the filters leave out is not found. */
type ReadOptions<T, F extends FieldName<T>, P extends LinkName<T>> = Selection<T, F, P> & EntryQuery<T>;

/**
 * The entries of a collection type, as the server or by the rights of a caller. `ServerOnly` are attributes that are refused of
 * callers other than the server. What a request over HTTP is checked for is checked here too, and the hooks are called.
 * All throw ForbiddenError where the caller may not do this, or may not find what is to be populated, BadRequestError for a
 * query that makes no sense, NotFoundError for an id that does not exist, and ValidationError for data that is not valid.
 */
export interface CollectionEntries<
  E extends AnyEntry,
  Create,
  Update,
  ServerOnly = unknown,
  T extends object = E['attributes'],
> {
  find<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    query?: ListQuery<T> & Selection<T, F, P>,
  ): Promise<EntryList<Answer<T, F, P>>>;
  findOne<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    id: number,
    options?: ReadOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
  create<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    data: Create & ServerOnly,
    options?: WriteOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
  update<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    id: number,
    data: Update & ServerOnly,
    options?: WriteOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
  /** Answers the entry as it was. */
  delete<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    id: number,
    options?: WriteOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
}

type Answer<T, F extends keyof T, P extends keyof T> = Entry<Pick<T, F> & Required<Pick<T, P>>>;

/** The entry of a single type; of a localized one, that of each locale. Throws as those of collection types do. */
export interface SingleEntries<E extends AnyEntry, Update, ServerOnly = unknown, T extends object = E['attributes']> {
  find<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    options?: ReadOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
  /** Updates the entry, or creates it. */
  save<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    data: Update & ServerOnly,
    options?: WriteOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>> & { readonly created: boolean }>;
  /** Answers the entry as it was. */
  delete<F extends FieldName<T> = FieldName<T>, P extends LinkName<T> = never>(
    options?: WriteOptions<T, F, P>,
  ): Promise<OneEntry<Answer<T, F, P>>>;
}
