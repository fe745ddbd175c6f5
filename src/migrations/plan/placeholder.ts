/** Placeholders for lost values, such as '' or 0. */
import type { Column, ColumnType } from '../../storage/storage-model.ts';

/** By type, for columns that are not nullable. */
const PLACEHOLDERS: Readonly<Record<ColumnType, string | number | boolean>> = {
  id: 0,
  string: '',
  text: '',
  integer: 0,
  biginteger: '0',
  float: 0,
  decimal: '0',
  boolean: false,
  date: '1970-01-01',
  time: '00:00:00.000',
  datetime: '1970-01-01T00:00:00.000Z',
  json: 'null',
  position: 0,
};

/** A column with a default, which is needed to add it to a table with rows. */
export function withDefault(column: Column): Column & { readonly default: string | number | boolean } {
  return { ...column, default: column.default ?? PLACEHOLDERS[column.type] };
}

/** Types that a restored column can be filled with ids in, which are distinct: the column may have to be unique. */
const HOLDS_IDS: ReadonlySet<ColumnType> = new Set(['string', 'text', 'integer', 'biginteger', 'float', 'decimal']);

/** Whether a restored column is filled with the ids of its rows. */
export function isRestoredById({ type, default: given }: Column): boolean {
  return given === undefined && HOLDS_IDS.has(type);
}
