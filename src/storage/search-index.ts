/** The full-text index for `_q`. */
import type { ContentType } from '../model/content-model.ts';
import { constraintName } from './database-name.ts';
import type { TypeLayout } from './layout.ts';
import type { Index } from './storage-model.ts';

/** Undefined if the schema requests none. */
export function searchIndex({ search }: ContentType, { table, attributes }: TypeLayout): Index | undefined {
  if (search.length === 0) return undefined;
  const columns = search.map(({ name }) => {
    const stored = attributes.get(name);
    if (stored?.kind !== 'column') throw new Error(`${name} is searched, and has no column`);
    return stored.column;
  });
  return {
    name: constraintName(table, columns, 'search'),
    columns,
    unique: false,
    search: search.map(({ weight }) => weight),
  };
}
