/** What indexes of values inside of components compare. */
import type { ColumnType } from './column-type.ts';

/** Days, times and moments are not among them: engines don't cast text to these within an index. */
export type MemberType = Extract<ColumnType, 'text' | 'integer' | 'biginteger' | 'float' | 'decimal' | 'boolean'>;

/** What an index has of the values of a type: of days, times and moments their canonical text, which is in their order. */
export function memberType(type: Exclude<ColumnType, 'json'>): MemberType {
  switch (type) {
    case 'date':
    case 'time':
    case 'datetime':
      return 'text';
    case 'text':
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
    case 'boolean':
      return type;
  }
}
