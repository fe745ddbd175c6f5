/** Converts rows of this server to entities of Strapi. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import { CROP_ATTRIBUTE } from '#contract/crop.ts';
import { PLACEHOLDER_ATTRIBUTE } from '#contract/placeholder.ts';
import { FOLDER_ATTRIBUTE } from '#contract/upload-folders.ts';
import { TAG_TEXT_ATTRIBUTE, TAGS_ATTRIBUTE } from '#contract/upload-tags.ts';
import { columnTypeOf } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType, ContentTypes, ScalarAttribute } from '#contract/content-type.ts';
import { componentOf, type ItemAttribute, itemsOf, kindsOf, type Values } from '#contract/item-attributes.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { Cell } from '#contract/content-transfer.ts';
import { isExported, type Major } from './strapi-schema.ts';

const STAYING = [FOLDER_ATTRIBUTE, CROP_ATTRIBUTE, PLACEHOLDER_ATTRIBUTE, TAGS_ATTRIBUTE, TAG_TEXT_ATTRIBUTE];

export type CellsByName = Readonly<Record<string, Cell>>;
type Data = Record<string, JsonValue>;

/**
 * A version of a row. Strapi 5 stores an entry with drafts as two rows, so that each row and each component item has two ids in the
 * archive.
 */
export interface Version {
  readonly isDraft: boolean;
  /** Whether the row has two versions. */
  readonly hasTwoVersions: boolean;
}

/** The archive id of a version of a row or component item. */
export function versionId(id: number, { isDraft, hasTwoVersions }: Version): number {
  if (!hasTwoVersions) return id;
  return id * 2 + (isDraft ? 0 : 1);
}

const BCRYPT = /^\$2[aby]\$/u;

function scalar({ type }: ScalarAttribute, value: JsonValue): JsonValue {
  if (value === null) return null;
  if (type === 'timestamp') return typeof value === 'string' ? String(Date.parse(value)) : null;
  if (type === 'decimal') return Number(value);
  return value;
}

function scalarOfCell(attribute: ScalarAttribute, cell: Cell): JsonValue {
  if (cell === null) return null;
  return scalar(attribute, columnTypeOf(attribute.type) === 'json' ? (JSON.parse(String(cell)) as JsonValue) : cell);
}

function itemOf(types: ContentTypes, attribute: ItemAttribute, item: Values, version: Version): Data | undefined {
  const component = componentOf(types, attribute, item);
  if (!component) return undefined;
  const data: Data = attribute.type === 'dynamiczone' ? { __component: component.uid } : {};
  data['id'] = versionId(Number(item['id']), version);
  const { scalars, items } = kindsOf(component.attributes);
  for (const [name, one] of scalars) data[name] = scalar(one, (item[one.column] ?? null) as JsonValue);
  for (const [name, one] of items) data[name] = itemsValue(types, one, item[one.column], version);
  return data;
}

function itemsValue(types: ContentTypes, attribute: ItemAttribute, stored: unknown, version: Version): JsonValue {
  const items = itemsOf(stored).flatMap((item) => itemOf(types, attribute, item, version) ?? []);
  return attribute.type === 'dynamiczone' || attribute.repeatable ? items : (items[0] ?? null);
}

/** The `data` of an entity. Calls `onSecret` for passwords with a hash that only this server can verify; they are left out. */
export function dataOf(
  types: ContentTypes,
  type: ContentType,
  cells: CellsByName,
  { major, version, onSecret }: { readonly major: Major; readonly version: Version; readonly onSecret: () => void },
): Data {
  const data: Data = {};
  const { scalars, items } = kindsOf(type.attributes);
  for (const [name, attribute] of scalars) {
    if (!isExported(type, name)) continue;
    const value = scalarOfCell(attribute, cells[attribute.column] ?? null);
    const isForeign = attribute.type === 'password' && typeof value === 'string' && !BCRYPT.test(value);
    if (isForeign) onSecret();
    data[name] = isForeign ? null : value;
  }
  for (const [name, attribute] of items) {
    const cell = cells[attribute.column] ?? null;
    data[name] = itemsValue(types, attribute, cell === null ? null : JSON.parse(String(cell)), version);
  }
  const published = type.draftAndPublish
    ? version.hasTwoVersions && version.isDraft
      ? null
      : (cells[NAMES.publishedAt] ?? null)
    : (cells[NAMES.createdAt] ?? null);
  data['createdAt'] = cells[NAMES.createdAt] ?? null;
  data['updatedAt'] = cells[NAMES.updatedAt] ?? null;
  if (type.draftAndPublish || major === 5) data['publishedAt'] = published;
  if (type.localized || major === 5) data['locale'] = cells[NAMES.locale] ?? null;
  const document = cells[NAMES.documentId];
  // If it is missing, Strapi generates one.
  if (major === 5 && typeof document === 'string') data['documentId'] = document;
  // Folders stay here: there, a file's is a relation. Crops, placeholders and tags are not known there.
  if (type.uid === 'file') {
    for (const name of STAYING) delete data[name];
    data['folderPath'] = '/';
  }
  return data;
}

/** System attributes of entities that have no row on this server. */
export function systemData(major: Major): Data {
  const time = new Date(0).toISOString();
  return { createdAt: time, updatedAt: time, ...(major === 5 ? { publishedAt: time, locale: null } : {}) };
}
