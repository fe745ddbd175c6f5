/** What attributes are read from: a row of a table, or an item of a component. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Sql } from '../../database/sql.ts';

export interface TableRows {
  readonly kind: 'table';
  readonly alias: Sql;
  readonly type: ContentType;
  /** Where the id stands when the table itself is not in the statement. */
  readonly id?: Sql;
}

export interface ItemRows {
  readonly kind: 'item';
  /** The item as JSON. */
  readonly json: Sql;
  /** The entry that has it. */
  readonly owner: TableRows;
  /** The names of the attributes that lead to it from the entry, where none is a list. */
  readonly path?: readonly [string, ...string[]];
  /** Where the id of the item stands when the item itself is not in the statement. */
  readonly id?: Sql;
}

export type Rows = TableRows | ItemRows;

/** The entry of rows: its own row, or that of the entry which has the item. */
export function ownerOf(rows: Rows): TableRows {
  return rows.kind === 'table' ? rows : rows.owner;
}
