/** The link table of a type's components: it stores the relations and media inside them. */
import type { ContentType } from '../../contract/content-type.ts';
import type { EntryRef } from '../relations/relation-change.ts';
import type { DraftItem } from './merge-items.ts';

/** A link table, with its foreign key column for each target type. */
export interface LinkTable {
  readonly table: string;
  readonly targets: readonly { readonly type: string; readonly column: string }[];
}

/** The link table of a type. Throws if its descriptor has none, which is a defect. */
export function linkTableOf({ uid, componentLinks }: ContentType): LinkTable {
  if (!componentLinks) throw new Error(`${uid} has no link table for its components`);
  const targets = Object.entries(componentLinks.targets).map(([type, column]) => ({ type, column }));
  return { table: componentLinks.table, targets };
}

/** A row to insert. Its item may not have an id yet. */
export interface NewLink extends EntryRef {
  readonly item: DraftItem;
  readonly attribute: string;
  readonly position: number;
}

/** The rows to delete, update and insert, for all lists together. */
export interface LinkWrites {
  /** Row ids. */
  readonly remove: readonly number[];
  readonly move: readonly { readonly id: number; readonly position: number }[];
  readonly insert: readonly NewLink[];
}
