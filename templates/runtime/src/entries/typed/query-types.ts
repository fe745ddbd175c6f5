/** Queries as objects, typed by the attributes `T` of the entries they select. */
import type { Filters, Sort } from './filter-types.ts';
import type { Checked, Fields, PublicationState } from './selection-types.ts';

/** The locales of localized entries, for reads. */
type Locales<T> = T extends { readonly locale: infer L } ? { readonly locale?: L | 'all' } : object;

/** The locale of a localized entry. */
export type InLocale<T> = T extends { readonly locale: infer L } ? { readonly locale?: L } : object;

/** What a write of an entry with drafts does: `draft` changes the draft alone, and what is published stays as it is. */
export type InStatus<T> = T extends { readonly publishedAt: infer At }
  ? null extends At
    ? { readonly status?: 'draft' | 'published' }
    : object
  : object;

/** Which entries, in which locale and publication state. */
export type EntryQuery<T> = Locales<T> & {
  readonly filters?: Filters<T>;
  readonly publicationState?: PublicationState;
  /** The time of which the answer is, such as `2026-11-01T00:00:00Z`; for types with a history. */
  readonly asOf?: string;
  /** The id of a release: the answer is what it will be once that is published. */
  readonly release?: number;
};

/**
 * A part of a list, by page number, by offset or by keyset: `after` is empty for the first page, and for any other page the
 * `meta.pagination.next` of the page before. Counting stops at `maxCount`.
 */
type Pagination = { readonly withCount?: boolean; readonly maxCount?: number } & (
  | NumberedPage
  | { readonly start?: number; readonly limit?: number; readonly page?: never; readonly pageSize?: never }
  | { readonly after: string; readonly pageSize?: number; readonly page?: never; readonly start?: never }
);

interface NumberedPage {
  readonly page?: number;
  readonly pageSize?: number;
  readonly start?: never;
  readonly limit?: never;
  readonly after?: never;
}

/** The order of a list, and a search. */
export interface InOrder<T> {
  readonly sort?: Sort<T>;
  /** Finds entries with a text attribute that contains this, ignoring case; with a full-text index, those with all of its words. */
  readonly _q?: string;
  /** Only the entries that this action of the caller may change, by the rule of its permission. */
  readonly permitted?: 'update' | 'draft' | 'delete';
}

/** The part of a list. */
export interface Paginated {
  readonly pagination?: Pagination;
}

/** Which entries, in which order. */
export type OrderedQuery<T> = EntryQuery<T> & InOrder<T>;

/** Which entries, in which order, and which part of them. */
export type ListQuery<T> = OrderedQuery<T> & Paginated;

/** What to return of each entry: the fields in `F`, or all if it names none, and what `P` populates. See `Answer`. */
export interface Selection<T, F extends Fields<T>, P> {
  readonly fields?: F;
  readonly populate?: Checked<P, T>;
}
