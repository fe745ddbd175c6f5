/** Values for rows whose own are lost: nearest to nothing. */
import type { Column, ColumnType } from '../../storage/storage-model.ts';

/** By type; of a column that may not be empty. */
const NOTHING: Readonly<Record<ColumnType, string | number | boolean>> = {
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

/** The default that a column needs so that it can be added to a table with rows. */
export function withDefault(column: Column): Column & { readonly default: string | number | boolean } {
  return { ...column, default: column.default ?? NOTHING[column.type] };
}

/** Whether the rows of a restored column are told apart by their ids, as it may have to be unique. */
export function isRestoredById({ type, default: given }: Column): boolean {
  return given === undefined && (type === 'string' || type === 'text');
}
