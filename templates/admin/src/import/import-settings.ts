/** What the columns of a file become, and how. */
import { CREATOR_FIELDS } from '../../../runtime/src/contract/creator-fields.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import {
  type Attribute,
  type ContentType,
  isPolymorphic,
  isScalar,
  isWritable,
  labelOf,
  type ScalarAttribute,
} from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { Table } from './read-file.ts';

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface ImportSettings {
  /** Column → attribute, with the attribute of the target by which a relation names it. */
  readonly columns: Readonly<Record<number, { readonly name: string; readonly by?: string }>>;
  readonly decimal: '.' | ',';
  readonly dates: DateOrder;
  readonly locale?: string | undefined;
  readonly isDraft: boolean;
  /** Entries with the same value of this attribute are updated. */
  readonly updateBy?: string | undefined;
}

/** By which attributes of the target a relation can name it. The first is the one that people know. */
export function namesOfTarget(attribute: Attribute | undefined, index: ModelIndex): readonly string[] {
  if (attribute?.type !== 'relation') return [];
  const target = index.type(attribute.target);
  if (!target) return ['id'];
  const unique = Object.entries(target.attributes).filter(([, one]) => canBeKey(one));
  return [...new Set([target.mainField, ...unique.map(([name]) => name), 'id'])];
}

/** Whether entries can be found by their value of an attribute. */
function canBeKey(attribute: Attribute): boolean {
  if (!isScalar(attribute) || attribute.private === true) return false;
  if (attributeType(attribute.type).isSecret === true) return false;
  return attribute.unique === true || attribute.type === 'uid';
}

/** The attributes that a column can become. */
export function importable({ attributes }: ContentType, action: 'create' | 'draft'): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (CREATOR_FIELDS.has(name) || !isWritable(attribute) || attribute.refusedIn?.includes(action) === true) return [];
    if (isScalar(attribute)) return [name];
    return attribute.type === 'relation' && !isPolymorphic(attribute) ? [name] : [];
  });
}

/** The attributes that no column can become though forms have fields for them. */
export function leftOut({ attributes }: ContentType): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (isScalar(attribute) || (attribute.type === 'relation' && !isPolymorphic(attribute))) return [];
    return isWritable(attribute) ? [labelOf(name, attribute)] : [];
  });
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Columns are guessed by the names and labels of attributes; each attribute is taken once. */
function guessedColumns({ header }: Table, type: ContentType, names: readonly string[], index: ModelIndex) {
  const columns: Record<number, { name: string; by?: string }> = {};
  const taken = new Set<string>();
  for (const [at, title] of header.entries()) {
    const wanted = plain(title);
    const name = names.find((one) => {
      const labels = [plain(one), plain(labelOf(one, type.attributes[one]))];
      return !taken.has(one) && labels.includes(wanted);
    });
    if (name === undefined || wanted === '') continue;
    taken.add(name);
    const [by] = namesOfTarget(type.attributes[name], index);
    columns[at] = by === undefined ? { name } : { name, by };
  }
  return columns;
}

export function guessedSettings(
  table: Table,
  type: ContentType,
  {
    names,
    index,
    locale,
    isDraft,
  }: {
    readonly names: readonly string[];
    readonly index: ModelIndex;
    readonly locale: string | undefined;
    readonly isDraft: boolean;
  },
): ImportSettings {
  // Where commas are in numbers, semicolons are between cells.
  const decimal = table.delimiter === ';' ? ',' : '.';
  return {
    columns: guessedColumns(table, type, names, index),
    decimal,
    dates: decimal === ',' ? 'dmy' : 'ymd',
    locale: type.localized ? locale : undefined,
    isDraft,
  };
}

/** The attributes among the columns by which existing entries can be found. */
export function possibleKeys({ attributes }: ContentType, { columns }: ImportSettings): readonly string[] {
  return Object.values(columns).flatMap(({ name }) => {
    const attribute = attributes[name];
    return attribute && canBeKey(attribute) ? [name] : [];
  });
}

/** The attributes of which no two rows can have the same value. */
export function uniqueColumns(
  { attributes }: ContentType,
  { columns }: ImportSettings,
): readonly [number, ScalarAttribute][] {
  return Object.entries(columns).flatMap(([at, { name }]) => {
    const attribute = attributes[name];
    return attribute && isScalar(attribute) && attribute.unique === true ? [[Number(at), attribute]] : [];
  });
}
