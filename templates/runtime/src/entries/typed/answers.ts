/** The envelopes of entries. */

/**
 * Of a list, as it was asked for; `total` and `pageCount` unless `withCount` is false. `next` of pages by key: null on the last one.
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

/** The answer about one entry. */
export interface OneEntry<E> {
  readonly data: E;
}

/** The same of the server's own code, with the entry's version: what `ifMatch` takes. */
export interface VersionedEntry<E> extends OneEntry<E> {
  readonly version: number;
}
