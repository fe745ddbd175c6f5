/**
 * How the lists in a statement are kept from growing without bound. A statement that populates lists is compiled in one of two
 * ways: `guarded`, where a list of more than `most` entries is replaced by a marker, so that the reader learns that it has to
 * count first; or `cut`, where every list is left out and named by a marker, to be read by statements of its own.
 */
import type { ContentType } from '../../contract/content-type.ts';
import type { Population } from '../read-query.ts';

/** What is populated as a list of entries. */
export type ListPopulation = Population & { readonly kind: 'relation' | 'morph' };

/** A list that was left out of a statement. */
export interface CutList {
  readonly population: ListPopulation;
  /** The type of the entry that has it, itself or in one of its component items. */
  readonly owner: ContentType;
  readonly ofItem: boolean;
}

export type ListBounds =
  | {
      readonly kind: 'guarded';
      /** Entries of a list at most. */
      readonly most: number;
      /** Bytes of the answer at most. */
      readonly size: number;
    }
  | { readonly kind: 'cut'; readonly lists: CutList[] };
