/** Builds tables from the content model and its layout. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import { FILE_TYPE } from './component-targets.ts';
import { columnDefault } from './column-default.ts';
import { columnType, componentShape, holdsOf, valuesOf } from './component-shape.ts';
import { inCreationOrder } from './creation-order.ts';
import {
  COMPONENT_IDS,
  componentLinkTable,
  foreignKeyOf,
  indexOf,
  linkTable,
  morphTable,
  roleColumn,
  type TargetColumn,
} from './table-parts.ts';
import { hasFolders } from '../model/built-in-types.ts';
import type {
  Attribute,
  ContentModel,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../model/content-model.ts';
import { combinationsOf, indexesOf } from '../model/within-tenant.ts';
import { publishedAttribute, publishedLabel, publishedLayout } from './published-layout.ts';
import { searchIndex } from './search-index.ts';
import { columnOf, sortedIndex } from './sorted-index.ts';
import { PENDING_FILES, serverTables, UPLOAD_FOLDERS } from './server-tables.ts';
import type { AttributeLayout, Layout, TypeLayout } from './layout.ts';
import type { Column, ForeignKey, Index, StorageModel, Table, TypeTable } from './storage-model.ts';

/** The contribution of one attribute to the database. */
interface Contribution {
  readonly columns?: readonly Column[];
  readonly foreignKeys?: readonly ForeignKey[];
  readonly indexes?: readonly Index[];
  readonly tables?: readonly Table[];
}

interface Context {
  readonly layout: Layout;
  readonly type: ContentType;
  /** In the state that is stored. */
  readonly typeLayout: TypeLayout;
  /** The label of the type, or of its published state. */
  readonly uid: string;
  /** Whether drafts are stored, which may repeat unique values. */
  readonly isDraft: boolean;
  /** Whether what is published is stored: it keeps no other entry from being deleted, and is not deleted with others. */
  readonly isPublished: boolean;
  /** The table with all entries, to which links refer. */
  readonly entries: string;
}

function typeLayoutOf(layout: Layout, uid: string): TypeLayout {
  const typeLayout = layout.get(uid);
  if (!typeLayout) throw new Error(`the layout has no type ${uid}`);
  return typeLayout;
}

/**
 * Unique within a locale if the type is localized. The column comes first, so that the index also serves look-ups by
 * it.
 */
function uniqueIndex({ type, typeLayout }: Context, column: string): Index {
  return indexOf(typeLayout.table, type.localized ? [column, NAMES.locale] : [column], true);
}

/** The column of the tenant, within which values are unique. */
function tenantColumn({ type, typeLayout }: Context): readonly string[] {
  return type.tenant === undefined ? [] : [columnOf(typeLayout, type.tenant)];
}

/** The index of a unique value: within its tenant, if the type has one, and within its locale. Drafts may repeat it. */
function valueIndex(context: Context, column: string): Index {
  const { type, typeLayout, isDraft } = context;
  const columns = [...tenantColumn(context), column];
  return indexOf(typeLayout.table, type.localized && !isDraft ? [...columns, NAMES.locale] : columns, !isDraft);
}

/**
 * A combination of attributes that is unique: within a locale in localized types, since all rows of an entry repeat the
 * values that its locales share.
 */
function combinedIndex({ type, typeLayout, isDraft }: Context, names: readonly string[]): Index {
  const columns = names.map((name) => columnOf(typeLayout, name));
  return indexOf(typeLayout.table, type.localized ? [...columns, NAMES.locale] : columns, !isDraft);
}

/** A column for the server, by which a value that all locales of an entry share is unique. */
function claimed(context: Context, attribute: ScalarAttribute, claim: string): Contribution {
  const { typeLayout, isDraft } = context;
  return {
    columns: [{ name: claim, type: columnType(attribute), role: 'other', nullable: true }],
    indexes: isDraft ? [] : [indexOf(typeLayout.table, [...tenantColumn(context), claim], true)],
  };
}

/** Whether the rows of a type must have a value. Drafts may lack any, and so may a locale that is being added to an entry. */
function presence(
  { draftAndPublish, localized }: ContentType,
  required: boolean,
): Pick<Column, 'nullable' | 'required'> {
  if (!required) return { nullable: true };
  if (!draftAndPublish && !localized) return { nullable: false };
  return { nullable: true, required: draftAndPublish ? 'published' : 'all' };
}

function scalar(
  context: Context,
  attribute: ScalarAttribute,
  { column, claim }: Extract<AttributeLayout, { kind: 'column' }>,
): Contribution {
  const { type } = context;
  const claims = claim === undefined ? {} : claimed(context, attribute, claim);
  const given = columnDefault(attribute);
  const { nullable, ...label } = presence(type, attribute.required);
  const unique = attribute.unique || attribute.type === 'uid';
  return {
    columns: [
      {
        name: column,
        type: columnType(attribute),
        role: 'attribute',
        nullable,
        ...(given === undefined ? {} : { default: given }),
        attribute: attribute.name,
        ...(attribute.type === 'password' ? { secret: true } : {}),
        ...label,
        ...(attribute.type === 'enumeration' ? valuesOf(attribute) : {}),
      },
      ...(claims.columns ?? []),
    ],
    indexes: [...(unique ? [valueIndex(context, column)] : []), ...(claims.indexes ?? [])],
  };
}

function foreignKey(
  context: Context,
  stored: Extract<AttributeLayout, { kind: 'foreignKey' }>,
  attribute: MediaAttribute | RelationAttribute,
  target: string,
): Contribution {
  const { layout, typeLayout: own } = context;
  const { column, position, published, ...rest } = stored;
  const { name } = attribute;
  if (published) {
    const further = { ...attribute, name: publishedLabel(name) };
    const states = [
      foreignKey(context, { ...rest, column, ...(position !== undefined && { position }) }, attribute, target),
      foreignKey({ ...context, isPublished: true }, { ...rest, ...published }, further, target),
    ];
    return {
      columns: states.flatMap(({ columns = [] }) => columns),
      foreignKeys: states.flatMap(({ foreignKeys = [] }) => foreignKeys),
      indexes: states.flatMap(({ indexes = [] }) => indexes),
    };
  }
  const isRelation = attribute.kind === 'relation';
  // A deleted file leaves the entries that have it, also where they must have one.
  const onDelete = isRelation && !context.isPublished ? attribute.onDelete : 'setNull';
  // What is published loses a relation without its draft being there to be corrected first.
  const isRequired = isRelation && attribute.required && !context.isPublished;
  const { nullable, ...label } = presence(context.type, isRequired);
  const key: Column = {
    name: column,
    type: 'id',
    role: 'foreignKey',
    nullable,
    attribute: name,
    ...inverseOf(attribute),
    ...entriesOf(attribute, typeLayoutOf(layout, target)),
    ...label,
  };
  const listPosition = (own: string): Column => ({
    name: own,
    type: 'position',
    role: 'listPosition',
    nullable: true,
    attribute: name,
  });
  const listed = position === undefined ? [column] : [column, position, NAMES.id];
  return {
    columns: [key, ...(position === undefined ? [] : [listPosition(position)])],
    foreignKeys: [foreignKeyOf(own.table, column, typeLayoutOf(layout, target).table, onDelete)],
    indexes: [stored.unique ? uniqueIndex(context, column) : indexOf(own.table, listed, false)],
  };
}

function inverseOf(attribute: MediaAttribute | RelationAttribute): { readonly inverse?: string } {
  return attribute.kind === 'relation' && attribute.inverse !== undefined ? { inverse: attribute.inverse } : {};
}

/** Whether references are to entries of a localized type, whatever row they name. */
function entriesOf(
  attribute: MediaAttribute | RelationAttribute,
  { localized }: TypeLayout,
): { readonly entries?: true } {
  return attribute.kind === 'relation' && attribute.shared && localized ? { entries: true } : {};
}

function targetTables(layout: Layout, targets: Readonly<Record<string, string>>): readonly TargetColumn[] {
  return Object.entries(targets).map(([uid, column]) => ({ uid, column, table: typeLayoutOf(layout, uid).table }));
}

function onDeleteOf({ isPublished }: Context, { onDelete }: RelationAttribute): RelationAttribute['onDelete'] {
  return isPublished ? 'setNull' : onDelete;
}

function relation(context: Context, attribute: RelationAttribute, stored: AttributeLayout): Contribution {
  const { layout, uid, entries } = context;
  const target = attribute.targets[0] ?? '';
  switch (stored.kind) {
    case 'inverseForeignKey':
    case 'inverseMorph':
      return {};
    case 'foreignKey':
      return foreignKey(context, stored, attribute, target);
    case 'link': {
      if (!attribute.owner) return {};
      const bidirectional = stored.otherPosition !== undefined;
      const targetLayout = typeLayoutOf(layout, target);
      const onDelete = onDeleteOf(context, attribute);
      const table = { name: stored.table, owner: entries, target: targetLayout.table, bidirectional, onDelete };
      const labels = { ...inverseOf(attribute), ...entriesOf(attribute, targetLayout) };
      return { tables: [linkTable({ ...table, uid, attribute: attribute.name, ...labels })] };
    }
    case 'morph': {
      const targets = targetTables(layout, stored.targets).map((one) => ({
        ...one,
        ...entriesOf(attribute, typeLayoutOf(layout, one.uid)),
      }));
      const { name, many } = attribute;
      const onDelete = onDeleteOf(context, attribute);
      const table = { name: stored.table, uid, attribute: name, owner: entries, targets, many, onDelete };
      return { tables: [morphTable(table)] };
    }
    case 'column':
      throw new Error(`the relation ${uid}.${attribute.name} can't be a plain column`);
  }
}

function media(context: Context, attribute: MediaAttribute, stored: AttributeLayout): Contribution {
  const { layout, type, uid, entries } = context;
  if (stored.kind === 'foreignKey') return foreignKey(context, stored, attribute, FILE_TYPE);
  if (stored.kind !== 'link') {
    throw new Error(`the media attribute ${type.uid}.${attribute.name} can't be a ${stored.kind}`);
  }
  const table = linkTable({
    name: stored.table,
    uid,
    attribute: attribute.name,
    owner: entries,
    target: typeLayoutOf(layout, FILE_TYPE).table,
    bidirectional: false,
  });
  return { tables: [table] };
}

function contribution(context: Context, attribute: Attribute): Contribution {
  const stored = context.typeLayout.attributes.get(attribute.name);
  if (!stored) throw new Error(`the layout lacks ${context.type.uid}.${attribute.name}`);
  switch (attribute.kind) {
    case 'relation':
      return relation(context, attribute, stored);
    case 'media':
      return media(context, attribute, stored);
    case 'scalar':
    case 'component':
    case 'dynamiczone':
      break;
  }
  if (stored.kind !== 'column') throw new Error(`${context.type.uid}.${attribute.name} must be a column`);
  if (attribute.kind === 'scalar') return scalar(context, attribute, stored);
  const items: Column = {
    name: stored.column,
    type: 'json',
    role: 'attribute',
    nullable: true,
    attribute: attribute.name,
    holds: holdsOf(attribute),
  };
  return { columns: [items] };
}

/** Says at a column of an attribute, or at the owner of its links, whether all locales share it. */
function withSharing(type: ContentType, attribute: Attribute, given: Contribution): Contribution {
  if (!type.localized) return given;
  const { tables, columns, ...rest } = given;
  const shared = !attribute.localized;
  const isOwn = ({ role }: Column): boolean => role === 'attribute' || role === 'foreignKey' || role === 'owner';
  const marked = (all: readonly Column[]): readonly Column[] =>
    all.map((column) => (isOwn(column) ? { ...column, shared } : column));
  return {
    ...rest,
    ...(columns && { columns: marked(columns) }),
    ...(tables && { tables: tables.map((table) => ({ ...table, columns: marked(table.columns) })) }),
  };
}

/** The columns and indexes that the server itself needs. */
function systemParts({ type, typeLayout }: Context): {
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
} {
  const single = type.kind === 'singleType';
  const { localized, documentIds } = type;
  const document = localized ? [NAMES.documentId, NAMES.locale] : [NAMES.documentId];
  const isDocument = localized || documentIds;
  return {
    columns: [
      roleColumn('createdAt', 'datetime'),
      roleColumn('updatedAt', 'datetime'),
      { ...roleColumn('version', 'integer'), default: 1 },
      ...(type.draftAndPublish ? [{ ...roleColumn('publishedAt', 'datetime'), nullable: true }] : []),
      ...(isDocument ? [roleColumn('documentId', 'string')] : []),
      ...(localized ? [roleColumn('locale', 'string')] : []),
      ...(single ? [{ ...roleColumn('singleton', 'integer'), default: 1 }] : []),
    ],
    indexes: [
      ...(isDocument ? [indexOf(typeLayout.table, document, true)] : []),
      ...(single
        ? [indexOf(typeLayout.table, localized ? [NAMES.singleton, NAMES.locale] : [NAMES.singleton], true)]
        : []),
    ],
  };
}

/** The tables of a type, its main table first; with drafts, also those of published versions. */
function tablesOf(layout: Layout, type: ContentType): readonly Table[] {
  const typeLayout = typeLayoutOf(layout, type.uid);
  const { uid } = type;
  const entries = typeLayout.table;
  const published = publishedLayout(typeLayout);
  const label = publishedLabel(uid);
  return [
    ...tablesIn({ layout, type, typeLayout, uid, isDraft: published !== undefined, isPublished: false, entries }),
    ...(published
      ? tablesIn({ layout, type, typeLayout: published, uid: label, isDraft: false, isPublished: true, entries })
      : publishedLinks({ layout, type, typeLayout, uid: label, isDraft: false, isPublished: true, entries })),
  ];
}

/** The tables of the published state, in a type without drafts, of relations that are also attributes of types with drafts. */
function publishedLinks(context: Context): readonly Table[] {
  return context.type.attributes.flatMap((attribute) => {
    const stored = context.typeLayout.attributes.get(attribute.name);
    if (attribute.kind !== 'relation' || stored?.kind !== 'link' || stored.published === undefined) return [];
    return withSharing(context.type, attribute, relation(context, attribute, publishedAttribute(stored))).tables ?? [];
  });
}

/** The tables of a type in one state. */
function tablesIn(context: Context): readonly Table[] {
  const { layout, type, typeLayout, uid, isPublished, entries } = context;
  const system = systemParts(context);
  const parts = type.attributes.map((attribute) => withSharing(type, attribute, contribution(context, attribute)));
  const searched = searchIndex(type, typeLayout);
  const table: TypeTable = {
    name: typeLayout.table,
    kind: 'type',
    uid,
    ...(type.builtIn ? { builtIn: true } : {}),
    primaryKey: [NAMES.id],
    columns: [roleColumn('id', 'id'), ...parts.flatMap(({ columns = [] }) => columns), ...system.columns],
    foreignKeys: [
      ...(isPublished ? [foreignKeyOf(typeLayout.table, NAMES.id, entries, 'cascade')] : []),
      ...parts.flatMap(({ foreignKeys = [] }) => foreignKeys),
    ],
    indexes: [
      ...system.indexes,
      ...parts.flatMap(({ indexes = [] }) => indexes),
      ...combinationsOf(type).map((names) => combinedIndex(context, names)),
      ...indexesOf(type).map((index) => sortedIndex(type, typeLayout, index)),
      ...(searched ? [searched] : []),
    ],
  };
  const links = typeLayout.componentLinks && {
    name: typeLayout.componentLinks.table,
    uid,
    owner: entries,
    targets: targetTables(layout, typeLayout.componentLinks.targets),
  };
  return [table, ...parts.flatMap(({ tables = [] }) => tables), ...(links ? [componentLinkTable(links)] : [])];
}

/**
 * The storage model for a content model.
 *
 * `required` makes a column NOT NULL only in types without drafts and locales: a draft may lack any value, and a new
 * locale of an entry starts with only the values shared by all locales. In these types only the server enforces it.
 * `unique` and one-to-one constraints hold within each locale of a localized type, since values shared by all locales
 * are repeated in each row.
 */
export function buildStorageModel(model: ContentModel, layout: Layout): StorageModel {
  const hasUsers = model.contentTypes.some(({ uid }) => uid === 'user-role');
  const hasFiles = model.contentTypes.some(({ uid }) => uid === FILE_TYPE);
  const tables = inCreationOrder(model.contentTypes.flatMap((type) => tablesOf(layout, type)));
  return {
    tables: [
      ...tables,
      ...(hasUsers ? serverTables(model) : []),
      ...(hasFiles ? [PENDING_FILES] : []),
      ...(hasFolders(model.contentTypes) ? [UPLOAD_FOLDERS] : []),
      ...(model.components.length > 0 ? [COMPONENT_IDS] : []),
    ],
    ...(model.components.length > 0 ? { components: model.components.map(componentShape) } : {}),
    ...(model.contentTypes.some(({ localized }) => localized) ? { locales: model.locales } : {}),
  };
}
