/**
 * Limits the lists in a statement. A statement that populates lists is compiled in one of two ways: `guarded`, which replaces a
 * list of more than `most` entries by a marker, so that the reader knows that it must count first; or `deferred`, which replaces every
 * list by a marker that names it, and reads it with separate statements.
 */
import type { ContentType } from '../../contract/content-type.ts';
import type { Population } from '../read-query.ts';

/** A populated list of entries. */
export type ListPopulation = Population & { readonly kind: 'relation' | 'morph' };

/** A list that was left out of a statement. */
export interface DeferredList {
  readonly population: ListPopulation;
  /** The type of the entry that has the list, directly or in a component item. */
  readonly owner: ContentType;
  readonly ofItem: boolean;
}

export type ListBounds =
  | {
      readonly kind: 'guarded';
      /** Maximum number of entries in a list. */
      readonly most: number;
      /** Maximum size of the answer in bytes. */
      readonly size: number;
    }
  | { readonly kind: 'deferred'; readonly lists: DeferredList[] };
