/** Indexes that the schema asks for: in the order in which answers are sorted by the same attributes. */
import { columnTypeOf } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType, TypeIndex } from '../model/content-model.ts';
import { COLUMN_NAMES as NAMES } from './column-names.ts';
import { constraintName } from './database-name.ts';
import type { TypeLayout } from './layout.ts';
import type { Index, IndexSort } from './storage-model.ts';

const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['createdAt', NAMES.createdAt],
  ['updatedAt', NAMES.updatedAt],
  ['publishedAt', NAMES.publishedAt],
]);

function columnOf({ attributes }: TypeLayout, name: string): string {
  const stored = attributes.get(name);
  if (stored?.kind === 'column' || stored?.kind === 'foreignKey') return stored.column;
  const column = SYSTEM.get(name);
  if (column === undefined) throw new Error(`there is no column of ${name}, which is in an index`);
  return column;
}

function sortOf({ attributes }: ContentType, { name, descending }: TypeIndex[number]): IndexSort {
  const attribute = attributes.find((one) => one.name === name);
  const type = attribute?.kind === 'scalar' ? columnTypeOf(attribute.type) : undefined;
  const by = type === 'text' || type === 'decimal' ? type : 'value';
  return { by, ...(descending ? { descending } : {}) };
}

/** Which keys are descending, as a part of a name: none where none is. */
function directions(index: TypeIndex): string {
  if (!index.some(({ descending }) => descending)) return '';
  return `_${index.map(({ descending }) => (descending ? 'd' : 'a')).join('')}`;
}

/** Entries with equal values are in the order of their ids, as they are in answers. */
export function sortedIndex(type: ContentType, layout: TypeLayout, index: TypeIndex): Index {
  const columns = index.map(({ name }) => columnOf(layout, name));
  return {
    name: constraintName(layout.table, columns, `sort${directions(index)}`),
    columns: [...columns, NAMES.id],
    unique: false,
    sorts: index.map((key) => sortOf(type, key)),
  };
}
