/** A query for the entries of a type, not yet validated: a tree of parameters, with a shape that serves as cache key. */
import type { Caller } from '../contract/policy/caller.ts';
import type { QueryObject } from './query-value.ts';

/**
 * A query, created by `parseQuery` from a query string or by `queryOf` from an object. Queries of the same shape differ only in
 * the strings that their filters compare with, so they can share one compiled query.
 */
export interface EntryQuery {
  /** Undefined if the query is too long to be cached. */
  readonly shape: string | undefined;
  /**
   * If true, populating by name what the caller may not find throws ForbiddenError; otherwise it is silently left out. Part of
   * the shape.
   */
  readonly refusesHidden?: boolean;
  /** If true, names in `populate` may be `alias:name`: the answer then has the attribute under that name. Part of the shape. */
  readonly aliases?: boolean;
  /** The strings that filters and search compare with, by slot. None of them is empty. */
  readonly values: readonly string[];
  /**
   * The parameters: `filters`, `sort`, `fields`, `populate`, `pagination`, `publicationState`, `locale`, `_q`, and any others
   * that were sent. Each of `values` is a `Slot` in it. Throws BadRequestError if the query string can't be parsed.
   */
  tree(): QueryObject;
  /** What narrows the query: all of it must be met. Always the same objects. */
  readonly narrowings?: () => readonly Narrowing[];
}

/** What a query is for: a list, one entry by its id, or the answer of a write. */
export type ReadKind = 'many' | 'one' | 'written';

/** Filters that entries must also match wherever a query reaches them. They may contain slots. */
export interface Narrowing {
  /** Who narrows, for messages. */
  readonly by: string;
  /** Type → filter. */
  readonly ofType: QueryObject;
  /** That of the entries that the query asks for, in place of the filter of their type. */
  readonly ofRoot?: QueryObject;
  /** Type → filter of its drafts. */
  readonly ofDrafts?: QueryObject;
  /** Whose view `usedBy: visible` of files is about; only the permissions matter. */
  readonly viewer?: Caller;
}

/** Longer queries rarely repeat. Those of pages built from many blocks, which do repeat, are shorter. */
export const MAX_SHAPE_LENGTH = 16 * 1024;

/** The query without parameters. */
export const EMPTY_QUERY: EntryQuery = { shape: '', values: [], tree: () => ({}) };
