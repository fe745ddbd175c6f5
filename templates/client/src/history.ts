/** The former versions of entries of types with a history. `Key` is what identifies an entry. */
import type { Entry } from '../../runtime/src/contract/entry.ts';
import type {
  FormerEntry,
  VersionDifferences,
  VersionList,
  VersionQuery,
} from '../../runtime/src/contract/history/history-answers.ts';
import type { InLocale, Selection } from '../../runtime/src/entries/typed/query-types.ts';
import type { Answer, Fields, Format } from '../../runtime/src/entries/typed/selection-types.ts';
import type { ChangeOptions, RequestOptions } from './send.ts';
import type { TaggedEntry } from './types.ts';

type None = readonly [];
type Shown<T, F extends Fields<T>, P> = InLocale<T> & Selection<T, F, P>;
/** `missing: 'ignore'`: entries and files that no longer exist are left out. */
type Restored<T, F extends Fields<T>, P> = Shown<T, F, P> & { readonly missing?: 'ignore' };

export interface CollectionHistory<Key, E extends Entry<object>, X extends Format, T = E['attributes']> {
  /** The versions of an entry, the last one first. */
  versions(id: Key, query?: VersionQuery & InLocale<T>, options?: RequestOptions): Promise<VersionList>;
  /** An entry as it was in a version. */
  version<const F extends Fields<T> = None, const P = undefined>(
    id: Key,
    version: number,
    query?: Shown<T, F, P>,
    options?: RequestOptions,
  ): Promise<FormerEntry<Answer<T, F, P, X>>>;
  /** What differs between two versions. */
  differences(
    id: Key,
    from: number,
    to: number,
    query?: InLocale<T>,
    options?: RequestOptions,
  ): Promise<VersionDifferences>;
  /** Gives an entry, or its draft, the content of a version. */
  restore<const F extends Fields<T> = None, const P = undefined>(
    id: Key,
    version: number,
    query?: Restored<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
}

/** The same of a single type. */
export interface SingleHistory<E extends Entry<object>, X extends Format, T = E['attributes']> {
  versions(query?: VersionQuery & InLocale<T>, options?: RequestOptions): Promise<VersionList>;
  version<const F extends Fields<T> = None, const P = undefined>(
    version: number,
    query?: Shown<T, F, P>,
    options?: RequestOptions,
  ): Promise<FormerEntry<Answer<T, F, P, X>>>;
  differences(from: number, to: number, query?: InLocale<T>, options?: RequestOptions): Promise<VersionDifferences>;
  restore<const F extends Fields<T> = None, const P = undefined>(
    version: number,
    query?: Restored<T, F, P>,
    options?: ChangeOptions,
  ): Promise<TaggedEntry<Answer<T, F, P, X>>>;
}
