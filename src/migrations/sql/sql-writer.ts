/** What statements that are the same on all engines need to know of one. */
import type { ItemPlace, ItemsEdit } from '../history/items-edit.ts';

export interface SqlWriter {
  /** A quoted name. */
  readonly id: (name: string) => string;
  /** A quoted text literal. */
  readonly text: (value: string) => string;
  /** Texts one after the other. */
  readonly concat: (...parts: readonly string[]) => string;
  /** A query, without its statement's end, of the ids of the items at places in the rows of a table; its column is `id`. */
  readonly itemIds: (owner: string, place: ItemPlace) => string;
  /** A query of the text of a member of the items at places in the rows of a table, as `value`; `id` is that of the row. */
  readonly itemValues: (owner: string, place: ItemPlace, member: string) => string;
  /** An UPDATE that edits the items in a column. */
  readonly editItems: (table: string, column: string, edit: ItemsEdit) => readonly string[];
  /** Whether a table that is updated can't be read in the same statement unless it is copied first. */
  readonly copiesToUpdate: boolean;
}

/** Names in parentheses. */
export function nameList({ id }: SqlWriter, names: readonly string[]): string {
  return `(${names.map(id).join(', ')})`;
}
