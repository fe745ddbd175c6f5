/** The envelopes of responses. */

/**
 * The pagination of a list, in the form of the request; `total` and `pageCount` unless `withCount` is false. With keyset
 * pagination, `next` is null on the last page.
 */
type PaginationMeta =
  | { readonly page: number; readonly pageSize: number; readonly pageCount?: number; readonly total?: number }
  | { readonly start: number; readonly limit: number; readonly total?: number }
  | { readonly pageSize: number; readonly next: string | null; readonly total?: number };

/** A page of a list. */
export interface EntryList<E> {
  readonly data: readonly E[];
  readonly meta: { readonly pagination: PaginationMeta };
}

/** The response for one entry. */
export interface OneEntry<E> {
  readonly data: E;
}

/** The result for one entry in the server's own code, with the version of the entry, for `ifMatch`. */
export interface VersionedEntry<E> extends OneEntry<E> {
  readonly version: number;
}
