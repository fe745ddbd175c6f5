/** Which column types can be converted to which others. */
import type { ColumnType } from '../../storage/storage-model.ts';

/**
 * - `same`: no conversion is needed;
 * - `safe`: the conversion is lossless, and can be undone;
 * - `narrowing`: it fails for values that don't fit.
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

/** A column type in messages: attributes of several types are stored in columns of the same one. */
export function typeInWords(type: ColumnType): string {
  return type === 'string' ? 'text' : type;
}

/** The kind of conversion between two types; undefined if there is none. */
export function conversionOf(from: ColumnType, to: ColumnType): Conversion | undefined {
  if (from === to) return 'same';
  if (from === 'text' && to === 'string') return 'narrowing';
  return SAFE[from]?.includes(to) === true ? 'safe' : undefined;
}
