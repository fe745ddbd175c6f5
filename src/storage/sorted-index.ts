/** Indexes requested in the schema: their order matches that of responses sorted by the same attributes. */
import type { ColumnType } from '#contract/attribute-types/column-type.ts';
import { columnTypeOf, type ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { memberType } from '#contract/attribute-types/member-type.ts';
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import { snakeCase } from '../model/naming.ts';
import type { ContentType, IndexKey, TypeIndex } from '../model/content-model.ts';
import { constraintName } from './database-name.ts';
import type { TypeLayout } from './layout.ts';
import type { Index, IndexSort } from './storage-model.ts';

const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['createdAt', NAMES.createdAt],
  ['updatedAt', NAMES.updatedAt],
  ['publishedAt', NAMES.publishedAt],
]);

/** The column of an attribute, or of a system attribute, in the table of its type. Throws if it has no single column. */
export function columnOf({ attributes }: TypeLayout, name: string): string {
  const stored = attributes.get(name);
  if (stored?.kind === 'column' || stored?.kind === 'foreignKey') return stored.column;
  const column = SYSTEM.get(name);
  if (column === undefined) throw new Error(`there is no column of ${name}, which is in an index`);
  return column;
}

function sortBy(type: ColumnType | undefined, { descending }: IndexKey): IndexSort {
  const by = type === 'text' || type === 'decimal' ? type : 'value';
  return { by, ...(descending ? { descending } : {}) };
}

function sortOf({ attributes }: ContentType, key: IndexKey): IndexSort {
  const attribute = attributes.find((one) => one.name === key.name);
  return sortBy(attribute?.kind === 'scalar' ? columnTypeOf(attribute.type) : undefined, key);
}

/** The index of a component attribute: the column of the component, and the path within it. */
function memberIndex(layout: TypeLayout, key: IndexKey, scalar: ScalarType): Index {
  const [attribute = '', ...path] = key.name.split('.');
  const columnType = columnTypeOf(scalar);
  const [first] = path;
  if (first === undefined || columnType === 'json') throw new Error(`${key.name} can't be in an index`);
  const type = memberType(columnType);
  const column = columnOf(layout, attribute);
  return {
    name: constraintName(layout.table, [column, ...path.map(snakeCase)], 'sort'),
    columns: [column, NAMES.id],
    unique: false,
    sorts: [sortBy(type, key)],
    member: { path: [first, ...path.slice(1)], type },
  };
}

/** The index names of component attributes, by path: `seo.metaTitle`. */
export function memberIndexNames(type: ContentType, layout: TypeLayout): Readonly<Record<string, string>> {
  const members = type.indexes.filter(([key]) => key?.member !== undefined);
  return Object.fromEntries(members.map((index) => [index[0]?.name ?? '', sortedIndex(type, layout, index).name]));
}

/** The sort directions as a part of the name; empty if all are ascending. */
function directions(index: TypeIndex): string {
  if (!index.some(({ descending }) => descending)) return '';
  return `_${index.map(({ descending }) => (descending ? 'd' : 'a')).join('')}`;
}

/** The id comes last, as in responses: entries with equal values are sorted by id. */
export function sortedIndex(type: ContentType, layout: TypeLayout, index: TypeIndex): Index {
  const [first] = index;
  if (first?.member !== undefined) return memberIndex(layout, first, first.member);
  const columns = index.map(({ name }) => columnOf(layout, name));
  return {
    ...(first !== undefined && first.name === type.tenant ? { within: 1 as const } : {}),
    name: constraintName(layout.table, columns, `sort${directions(index)}`),
    columns: [...columns, NAMES.id],
    unique: false,
    sorts: index.map((key) => sortOf(type, key)),
  };
}
