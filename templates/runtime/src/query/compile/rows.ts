/** The source of attributes in a statement: a row of a table, or an item of a component. */
import type { ContentType } from '../../contract/content-type.ts';
import { type Sql, sql } from '../../database/sql.ts';

export interface TableRows {
  readonly kind: 'table';
  readonly alias: Sql;
  readonly type: ContentType;
  /** The id, if the table itself is not in the statement. */
  readonly id?: Sql;
}

export interface ItemRows {
  readonly kind: 'item';
  /** The item as JSON. */
  readonly json: Sql;
  /** The entry that contains the item. */
  readonly owner: TableRows;
  /** The path of attribute names from the entry to the item, unless it goes through a list. */
  readonly path?: readonly [string, ...string[]];
  /** The id of the item, if the item itself is not in the statement. */
  readonly id?: Sql;
}

export type Rows = TableRows | ItemRows;

/** The row of an entry: the row itself, or that of the entry which contains the item. */
export function ownerOf(rows: Rows): TableRows {
  return rows.kind === 'table' ? rows : rows.owner;
}

/** The id of a row. */
export function idOf({ id, alias }: TableRows): Sql {
  return id ?? sql`${alias}.id`;
}
