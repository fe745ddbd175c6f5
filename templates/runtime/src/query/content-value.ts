/** The values of attributes in stored content. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { Content } from './content-text.ts';
import type { ReadableScalar } from './readable-attributes.ts';

/** The value of an attribute; undefined if the content has none. Types without drafts are published when they are created. */
export function valueIn(content: Content, { name, column }: Pick<ReadableScalar, 'name' | 'column'>): unknown {
  return content[column === COLUMN_NAMES.createdAt ? 'createdAt' : name];
}

/** A value of stored content as answers have it: decimals, which are stored as text, are numbers there. */
export function shownScalar(type: string, value: unknown): unknown {
  return type === 'decimal' && typeof value === 'string' ? Number(value) : value;
}
