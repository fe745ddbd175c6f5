/** What is asked of the entries of a type, before it is checked: a tree of parameters, whose shape tells alike queries. */
import type { QueryObject } from './query-value.ts';

/**
 * A query: made by `parseQuery` of a query string, or by `queryOf` of an object. Queries of one shape differ in nothing but the
 * texts that their filters compare with, so that what was compiled of one of them answers the others too.
 */
export interface EntryQuery {
  /** Undefined where the query is too long to be remembered. */
  readonly shape: string | undefined;
  /**
   * Whether it is refused with ForbiddenError where it populates, by name, what the caller may not find, rather than answered
   * without that. The shape says so, too.
   */
  readonly refusesHidden?: boolean;
  /** The texts that filters and search compare with, none of them empty, by slot. */
  readonly values: readonly string[];
  /**
   * The parameters: `filters`, `sort`, `fields`, `populate`, `pagination`, `publicationState`, `locale`, `_q`, and whatever else
   * was sent. Each of `values` is a `Slot` in it. Throws BadRequestError for a query string that can't be parsed.
   */
  tree(): QueryObject;
  /** Type → filters that its entries have to meet as well, wherever the query comes upon them; with slots, too. */
  readonly narrowing?: QueryObject;
}

/** Longer queries hardly come twice; those of pages built of many blocks, which are always the same, are shorter. */
export const MAX_SHAPE_LENGTH = 16 * 1024;

/** The query without any parameter. */
export const EMPTY_QUERY: EntryQuery = { shape: '', values: [], tree: () => ({}) };
