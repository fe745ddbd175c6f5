/** Which types of columns can become which others with their values. */
import type { ColumnType } from '../../storage/storage-model.ts';

/**
 * - `same`: nothing is to be done;
 * - `safe`: every value has one value of the other type, and back;
 * - `narrowing`: values that don't fit would be refused.
 */
export type Conversion = 'same' | 'safe' | 'narrowing';

const SAFE: Partial<Readonly<Record<ColumnType, readonly ColumnType[]>>> = {
  string: ['text'],
  integer: ['biginteger', 'float', 'decimal', 'text', 'string'],
  biginteger: ['decimal', 'text', 'string'],
  float: ['text', 'string'],
  decimal: ['text'],
  boolean: ['integer', 'biginteger', 'text', 'string'],
  date: ['datetime', 'text', 'string'],
  time: ['text', 'string'],
  datetime: ['text', 'string'],
};

/** How values of a type become those of another; undefined where they can't. */
export function conversionOf(from: ColumnType, to: ColumnType): Conversion | undefined {
  if (from === to) return 'same';
  if (from === 'text' && to === 'string') return 'narrowing';
  return SAFE[from]?.includes(to) === true ? 'safe' : undefined;
}
