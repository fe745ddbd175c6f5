/** Types of indexed values inside of components. */
import type { ColumnType } from './column-type.ts';

/** Without dates and times: engines can't cast text to these in an index expression. */
export type MemberType = Extract<ColumnType, 'text' | 'integer' | 'biginteger' | 'float' | 'decimal' | 'boolean'>;

/** The type as which values of a column type are indexed. Canonical text of dates and times sorts in chronological order. */
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
