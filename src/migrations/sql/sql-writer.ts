/** The engine-specific parts of statements that all engines share. */
import type { ItemPlace, ItemsEdit } from '#contract/migrations/items-edit.ts';
import { sqlName } from './text/sql-text.ts';

export interface SqlWriter {
  /** A quoted name. */
  readonly id: (name: string) => string;
  /** A quoted text literal. */
  readonly text: (value: string) => string;
  /** Concatenates strings. */
  readonly concat: (...parts: readonly string[]) => string;
  /** A query, without a semicolon, for the ids of the items at a place in the rows of a table; its column is `id`. */
  readonly itemIds: (owner: string, place: ItemPlace) => string;
  /** A query for the text of a member of the items at a place in the rows of a table, as `value`; `id` is the row's id. */
  readonly itemValues: (owner: string, place: ItemPlace, member: string) => string;
  /** An UPDATE that edits the items in a column. */
  readonly editItems: (table: string, column: string, edit: ItemsEdit) => readonly string[];
  /** An UPDATE of the rows of a table by those of a query; `rows`: the query in parentheses with its alias. */
  readonly updateFrom: (update: {
    readonly table: string;
    readonly set: string;
    readonly rows: string;
    readonly where: string;
  }) => string;
  /** Whether an UPDATE can read its own table only through a materialized copy. */
  readonly copiesToUpdate: boolean;
}

/** `updateFrom` of engines with `UPDATE … FROM`. */
export const updateFrom: SqlWriter['updateFrom'] = ({ table, set, rows, where }) =>
  `UPDATE ${sqlName(table)}\n  SET ${set}\n  FROM ${rows}\n  WHERE ${where};`;

/** Names in parentheses. */
export function nameList({ id }: SqlWriter, names: readonly string[]): string {
  return `(${names.map(id).join(', ')})`;
}
