/** The entries of a server as the team's own code calls them: queries and answers are objects, typed by the content type. */
import type { Entry } from '../../contract/entry.ts';
import type { EntryList, VersionedEntry } from './answers.ts';
import type { FieldName, LinkName } from './filter-types.ts';
import type { EntryQuery, InLocale, ListQuery, Selection } from './query-types.ts';
import type { Answer, Fields } from './selection-types.ts';

/** An entry of any content type. */
type AnyEntry = Entry<object>;

/** An entry with the fields `F` of its type, and the links `P`, that were populated: `Populated<PopulatedArticle, 'author'>`. */
export type Populated<
  E extends AnyEntry,
  P extends LinkName<E['attributes']> = never,
  F extends FieldName<E['attributes']> = FieldName<E['attributes']>,
> = Entry<Pick<E['attributes'], F> & Required<Pick<E['attributes'], P>>>;

/** What is answered of an entry that is written. `locale` is that of a new one, where its data names none. */
type WriteOptions<T, F extends Fields<T>, P> = Selection<T, F, P> & InLocale<T>;

/** The same of a change. Of an entry that is in none of the versions of `ifMatch`, nothing is changed. */
type ChangeOptions<T, F extends Fields<T>, P> = WriteOptions<T, F, P> & {
  readonly ifMatch?: number | readonly number[];
};

/** What is answered of one entry; one that the filters leave out is not found. */
type ReadOptions<T, F extends Fields<T>, P> = Selection<T, F, P> & EntryQuery<T>;

/**
 * The entries of a collection type, as the server or by the rights of a caller. `ServerOnly` are attributes that are refused of
 * callers other than the server. What a request over HTTP is checked for is checked here too, and the hooks are called.
 * All throw ForbiddenError where the caller may not do this, or may not find what is to be populated, BadRequestError for a
 * query that makes no sense, NotFoundError for an id that does not exist, PreconditionFailedError for one in another version, and
 * ValidationError for data that is not valid.
 */
export interface CollectionEntries<
  E extends AnyEntry,
  Create,
  Update,
  ServerOnly = unknown,
  T extends object = E['attributes'],
> {
  find<const F extends Fields<T> = readonly [], const P = undefined>(
    query?: ListQuery<T> & Selection<T, F, P>,
  ): Promise<EntryList<Answer<T, F, P>>>;
  findOne<const F extends Fields<T> = readonly [], const P = undefined>(
    id: number,
    options?: ReadOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
  create<const F extends Fields<T> = readonly [], const P = undefined>(
    data: Create & ServerOnly,
    options?: WriteOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
  update<const F extends Fields<T> = readonly [], const P = undefined>(
    id: number,
    data: Update & ServerOnly,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
  /** Answers the entry as it was. */
  delete<const F extends Fields<T> = readonly [], const P = undefined>(
    id: number,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
}

/** The entry of a single type; of a localized one, that of each locale. Throws as those of collection types do. */
export interface SingleEntries<E extends AnyEntry, Update, ServerOnly = unknown, T extends object = E['attributes']> {
  find<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ReadOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
  /** Updates the entry, or creates it. */
  save<const F extends Fields<T> = readonly [], const P = undefined>(
    data: Update & ServerOnly,
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>> & { readonly created: boolean }>;
  /** Answers the entry as it was. */
  delete<const F extends Fields<T> = readonly [], const P = undefined>(
    options?: ChangeOptions<T, F, P>,
  ): Promise<VersionedEntry<Answer<T, F, P>>>;
}
