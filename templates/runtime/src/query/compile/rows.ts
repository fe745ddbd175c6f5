/** What attributes are read from: a row of a table, or an item of a component. */
import type { ContentType } from '../../contract/content-type.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { ReadableScalar } from '../readable-attributes.ts';
import type { Compiler } from './compiler.ts';

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
  /** Where the id of the item stands when the item itself is not in the statement. */
  readonly id?: Sql;
}

export type Rows = TableRows | ItemRows;

/** The entry of rows: its own row, or that of the entry which has the item. */
export function ownerOf(rows: Rows): TableRows {
  return rows.kind === 'table' ? rows : rows.owner;
}

/** A value to compare with. */
export function valueOf(compiler: Compiler, rows: Rows, field: ReadableScalar): Sql {
  if (rows.kind === 'item') {
    return compiler.engine.itemValue(field.columnType, rows.json, field.column);
  }
  return field.column === 'id' && rows.id ? rows.id : sql`${rows.alias}.${compiler.id(field.column)}`;
}

/** A value as JSON of the answer. */
export function jsonOf(compiler: Compiler, rows: Rows, field: ReadableScalar): Sql {
  if (field.isUnset) return raw('NULL');
  return rows.kind === 'item'
    ? compiler.engine.itemJson(field.columnType, rows.json, field.column)
    : compiler.dialect.jsonScalar(field.columnType, valueOf(compiler, rows, field));
}

/** The JSON column, or member of an item, that holds a component or a list of them. */
export function componentJson(compiler: Compiler, rows: Rows, attribute: { column: string }): Sql {
  return rows.kind === 'item'
    ? compiler.engine.itemMember(rows.json, attribute.column)
    : sql`${rows.alias}.${compiler.id(attribute.column)}`;
}
