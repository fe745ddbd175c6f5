/** The values of rows and items, in SQL. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { memberType } from '../../contract/attribute-types/member-type.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { memberIndexOf } from '../member-index.ts';
import type { ReadableScalar } from '../readable-attributes.ts';
import type { Compiler } from './compiler.ts';
import { type ItemRows, ownerOf, type Rows } from './rows.ts';

/** A value in a comparable form. */
export function valueOf(compiler: Compiler, rows: Rows, field: ReadableScalar): Sql {
  if (rows.kind === 'item') {
    return compiler.engine.itemValue(field.columnType, rows.json, field.column);
  }
  return field.column === 'id' && rows.id ? rows.id : sql`${rows.alias}.${compiler.id(field.column)}`;
}

/** A value in a comparable form, with its type. */
export interface ComparedValue {
  readonly type: ColumnType;
  readonly value: Sql;
  /** Whether there is an index on it, in its order. */
  readonly isSorted: boolean;
}

/** A member of a component on which the type of its entry has an index. */
function indexedMember(compiler: Compiler, rows: ItemRows, field: ReadableScalar): ComparedValue | undefined {
  const { owner, path } = rows;
  if (!path || field.columnType === 'json') return undefined;
  const index = memberIndexOf(owner.type, [...path, field.name]);
  const [first, ...steps] = path;
  const attribute = owner.type.attributes[first];
  if (index === undefined || attribute?.type !== 'component') return undefined;
  const type = memberType(field.columnType);
  const value = compiler.engine.indexedMember({
    type,
    alias: owner.alias,
    column: compiler.id(attribute.column),
    path: [...steps, field.column],
    index: compiler.id(index),
  });
  return { type, value, isSorted: true };
}

/** A value in a comparable form: the indexed expression, if there is one. */
export function comparedValue(compiler: Compiler, rows: Rows, field: ReadableScalar): ComparedValue {
  const member = rows.kind === 'item' ? indexedMember(compiler, rows, field) : undefined;
  if (member) return member;
  const isSorted = rows.kind === 'table' && (field.sorted === 'first' || field.indexed);
  return { type: field.columnType, value: valueOf(compiler, rows, field), isSorted };
}

/** The item of a component that is not repeatable. */
export function itemOf(compiler: Compiler, rows: Rows, { name, column }: { name: string; column: string }): ItemRows {
  const json = componentJson(compiler, rows, { column });
  const owner = ownerOf(rows);
  if (rows.kind === 'table') return { kind: 'item', json, owner, path: [name] };
  return { kind: 'item', json, owner, ...(rows.path ? { path: [...rows.path, name] } : {}) };
}

/** A value as it is shown: addresses of files are marked. In JSON they are strings of their own. */
export function shownValue(compiler: Compiler, rows: Rows, field: ReadableScalar): Sql {
  const value = valueOf(compiler, rows, field);
  const { marks } = field;
  if (!marks) return value;
  const isJson = field.columnType === 'json';
  const before = isJson ? '"' : '';
  const text = isJson ? compiler.dialect.jsonText(value) : value;
  return marks.bases.reduce((shown, base) => sql`REPLACE(${shown}, ${before + base}, ${before + marks.mark})`, text);
}

/** A value as JSON for the answer. */
export function jsonOf(compiler: Compiler, rows: Rows, field: ReadableScalar): Sql {
  if (field.isUnset) return raw('NULL');
  return rows.kind === 'item'
    ? compiler.engine.itemJson(field.columnType, rows.json, field.column)
    : compiler.dialect.jsonScalar(field.columnType, shownValue(compiler, rows, field));
}

/** The JSON column, or the member of an item, that contains a component or a list of components. */
export function componentJson(compiler: Compiler, rows: Rows, attribute: { column: string }): Sql {
  return rows.kind === 'item'
    ? compiler.engine.itemMember(rows.json, attribute.column)
    : sql`${rows.alias}.${compiler.id(attribute.column)}`;
}
