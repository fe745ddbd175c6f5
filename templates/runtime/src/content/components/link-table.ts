/** The table with the relations and media inside the components of a type, and what is written to it. */
import type { ContentType } from '../../contract/content-type.ts';
import type { EntryRef } from '../relations/relation-change.ts';
import type { DraftItem } from './merge-items.ts';

/** The table of the links of a type's components, and its column for each type of target. */
export interface LinkTable {
  readonly table: string;
  readonly targets: readonly { readonly type: string; readonly column: string }[];
}

/** Throws where the descriptors name none: a defect. */
export function linkTableOf({ uid, componentLinks }: ContentType): LinkTable {
  if (!componentLinks) throw new Error(`${uid} has no links of components`);
  const targets = Object.entries(componentLinks.targets).map(([type, column]) => ({ type, column }));
  return { table: componentLinks.table, targets };
}

/** A new row. Its item may not have its id yet. */
export interface NewLink extends EntryRef {
  readonly item: DraftItem;
  readonly attribute: string;
  readonly position: number;
}

/** What is to be written, of all lists together. */
export interface LinkWrites {
  /** Ids of rows. */
  readonly remove: readonly number[];
  readonly move: readonly { readonly id: number; readonly position: number }[];
  readonly insert: readonly NewLink[];
}
