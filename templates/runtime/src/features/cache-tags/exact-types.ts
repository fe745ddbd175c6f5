/**
 * The types whose writes are compared with what was there before, so that only the answers are purged that it changes: those that are not
 * localized. Of a type with drafts, what is published counts.
 */
import { attributeType, columnTypeOf, type ScalarType } from '../../contract/attribute-types/scalar-type.ts';
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { Attribute, ContentType, ContentTypes, ScalarAttribute } from '../../contract/content-type.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import { publishedTypes } from '../../contract/states.ts';
import { VERSION_COLUMN } from '../../write/version.ts';

/** A column whose values are compared. */
export interface ExactColumn {
  readonly column: string;
  /** The name by which answers that depend on it know it. */
  readonly key: string;
  /** Whether lists of the entries with one of its values are told apart. */
  readonly isBucket: boolean;
  /** Whether such lists usually have many entries: then it is told apart by what they are ordered and further chosen, too. */
  readonly isGroup: boolean;
}

/** A column of the entry to which a column refers: lists of the entries that refer to such are told apart by its value. */
export interface ReferredColumn {
  readonly reference: string;
  /** The name by which answers that depend on it know it. */
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** The name under which the value is read. */
  readonly as: string;
}

/** Rows that relate an entry to others: a link table, or the rows of another type that refer to it. */
export interface ExactLinks {
  /** The name by which answers that depend on it know it. */
  readonly key: string;
  readonly table: string;
  readonly own: string;
  readonly other: string;
  readonly position: string | undefined;
  /** The type of the others. */
  readonly target: string;
  /** The others store the relation. */
  readonly isInverse: boolean;
}

export interface ExactType {
  readonly uid: string;
  readonly table: string;
  readonly columns: readonly ExactColumn[];
  /** Column → the type that it refers to. */
  readonly references: ReadonlyMap<string, string>;
  readonly links: readonly ExactLinks[];
  readonly referred: readonly ReferredColumn[];
}

/** The name of a column of the entries that a column refers to. */
export const referredKey = (reference: string, column: string): string => `${reference}>${column}`;

/** The name of a column, for answers that depend on it. */
export const columnKey = (table: string, column: string): string => `${table}.${column}`;

const TIMES = [NAMES.createdAt, NAMES.updatedAt];

/** The columns that are equal exactly if their values are, on each engine. */
const BUCKETS: ReadonlySet<ColumnType> = new Set(['text', 'integer', 'biginteger', 'boolean']);

/** Whether values can be compared: they are short, and no secret. */
function isComparable(type: ScalarType): boolean {
  const { isSecret, isLong, columnType } = attributeType(type);
  return isSecret !== true && isLong !== true && columnType !== 'json';
}

function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  const { type } = attribute;
  return type !== 'relation' && type !== 'media' && type !== 'component' && type !== 'dynamiczone';
}

/** Whether many entries usually have the same value. */
function isShared(type: ScalarType): boolean {
  const { options, columnType } = attributeType(type);
  return columnType === 'boolean' || options.includes('enum');
}

function columnOf(table: string, attribute: Attribute): readonly ExactColumn[] {
  if (attribute.type === 'relation' || attribute.type === 'media') {
    const { storage } = attribute;
    if (storage.kind !== 'foreignKey') return [];
    return [{ column: storage.column, key: columnKey(table, storage.column), isBucket: true, isGroup: true }];
  }
  if (attribute.type === 'component' || attribute.type === 'dynamiczone') return [];
  const { column, type } = attribute;
  if (!isComparable(type)) return [];
  const key = columnKey(table, column);
  return [{ column, key, isBucket: BUCKETS.has(columnTypeOf(type)), isGroup: isShared(type) }];
}

function linksOf(type: ContentType, attribute: Attribute): readonly ExactLinks[] {
  if (attribute.type !== 'relation' && attribute.type !== 'media') return [];
  const target = attribute.type === 'media' ? 'file' : attribute.target;
  if (target === undefined) return [];
  const { storage } = attribute;
  if (storage.kind === 'link') {
    const { table, own, other, position } = storage;
    return [{ key: table, table, own, other, position, target, isInverse: storage.isInverse === true }];
  }
  return [];
}

/** Rows that refer to an entry appear in their answers once it is published, although they don't change. */
function referrersOf(types: ContentTypes, type: ContentType): readonly ExactLinks[] {
  if (!type.draftAndPublish) return [];
  return Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.type !== 'relation' || attribute.storage.kind !== 'inverseForeignKey') return [];
    const { target, storage } = attribute;
    const owner = target === undefined ? undefined : types.types[target];
    if (!owner) return [];
    const { table } = owner;
    return [
      {
        key: columnKey(table, storage.column),
        table,
        own: storage.column,
        other: 'id',
        position: undefined,
        target: owner.uid,
        isInverse: true,
      },
    ];
  });
}

/** By the text of related entries, such as a name or a slug, lists are usually found. */
function referredOf(
  types: ContentTypes,
  own: string,
  references: ReadonlyMap<string, string>,
): readonly ReferredColumn[] {
  return [...references].flatMap(([reference, uid], index) => {
    const target = types.types[uid];
    if (!target || target.localized || uid === 'file' || SUBJECTS.has(uid)) return [];
    const columns = Object.values(target.attributes).flatMap((one) =>
      isScalar(one) && isComparable(one.type) && columnTypeOf(one.type) === 'text' ? [one.column] : [],
    );
    const { table } = target;
    return columns.map((column, place) => {
      const key = referredKey(columnKey(own, reference), column);
      return { reference, key, table, column, as: `r${index}_${place}` };
    });
  });
}

/** By uid. */
export function exactTypes(all: ContentTypes): ReadonlyMap<string, ExactType> {
  const types = publishedTypes(all);
  const exact = Object.values(types.types).filter(
    ({ uid, localized }) => !localized && (uid === 'file' || !SUBJECTS.has(uid)),
  );
  const made = exact.map((type): [string, ExactType] => {
    const attributes = Object.values(type.attributes);
    const references = attributes.flatMap((attribute): [string, string][] => {
      if (attribute.type !== 'relation' && attribute.type !== 'media') return [];
      const target = attribute.type === 'media' ? 'file' : attribute.target;
      return attribute.storage.kind === 'foreignKey' && target !== undefined
        ? [[attribute.storage.column, target]]
        : [];
    });
    const keys = type.documentIds ? [NAMES.id, NAMES.documentId] : [NAMES.id];
    const times = [...TIMES, ...(type.draftAndPublish ? [NAMES.publishedAt] : [])];
    const { table } = type;
    const keyed = (column: string, isBucket: boolean): ExactColumn => ({
      column,
      key: columnKey(table, column),
      isBucket,
      isGroup: false,
    });
    const own = [
      ...keys.map((column) => keyed(column, true)),
      ...[...times, VERSION_COLUMN].map((column) => keyed(column, false)),
    ];
    const links = [...attributes.flatMap((one) => linksOf(type, one)), ...referrersOf(types, type)];
    return [
      type.uid,
      {
        uid: type.uid,
        table,
        columns: [...own, ...attributes.flatMap((attribute) => columnOf(table, attribute))],
        references: new Map(references),
        referred: referredOf(types, table, new Map(references)),
        links,
      },
    ];
  });
  return new Map(made);
}

/** Whether a relation is stored by rows without drafts although it leads to some with drafts: publishing those changes it. */
export function isPublishedElsewhere(types: ContentTypes, type: ContentType, attribute: Attribute): boolean {
  if (attribute.type !== 'relation') return false;
  const { storage, target } = attribute;
  if (storage.kind === 'foreignKey') return !type.draftAndPublish && storage.published !== undefined;
  if (storage.kind !== 'inverseForeignKey') return false;
  const owner = target === undefined ? undefined : types.types[target];
  return owner?.draftAndPublish !== true && storage.published !== undefined;
}
