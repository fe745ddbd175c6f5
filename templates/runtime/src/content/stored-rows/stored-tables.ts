/** The tables of content, derived from the descriptors, and those of an export: content, files, users, roles and tokens. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import {
  type Attribute,
  type ContentType,
  type ContentTypes,
  type ForeignKeyStorage,
  isEnforced,
} from '../../contract/content-type.ts';
import type { CellType, TransferColumn, TransferTable } from '../../contract/content-transfer.ts';
import { entriesTable, publishedTypes } from '../../contract/states.ts';
import { FOLDER_ATTRIBUTE, FOLDERS_TABLE } from '../../contract/upload-folders.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import type { SchemaRoles } from '../../access/role-rows.ts';
import { VERSION_COLUMN } from '../../write/version.ts';
import { columnTypeOf } from '../../contract/attribute-types/scalar-type.ts';

/**
 * Roles and their permissions: created by the first start of a server, and so the only rows that an import replaces.
 */
export const ROLE_TABLES: readonly string[] = ['user_roles', 'user_role_permissions'];

const ID: TransferColumn = { name: 'id', type: 'key' };

function keyTo(name: string, references: string): TransferColumn {
  return { name, type: 'key', references };
}

function column(name: string, type: CellType): TransferColumn {
  return { name, type };
}

type TableOf = (uid: string) => string;

function foreignKey(
  { published, ...storage }: ForeignKeyStorage,
  references: string,
  required = false,
): readonly TransferColumn[] {
  const places = [storage, ...(published ? [published] : [])];
  return places.flatMap(({ column: name, position }, index) => {
    // What is published may lack what it refers to.
    const isRequired = required && index === 0;
    const key = { ...keyTo(name, references), ...(isRequired && ({ required } as const)) };
    return [key, ...(position === undefined ? [] : [column(position, 'key')])];
  });
}

/** The columns of an attribute in the table of its type. */
function columnsOf(type: ContentType, attribute: Attribute, tableOf: TableOf): readonly TransferColumn[] {
  switch (attribute.type) {
    case 'component':
    case 'dynamiczone':
      return [column(attribute.column, 'json')];
    case 'media':
      return attribute.storage.kind === 'foreignKey' ? foreignKey(attribute.storage, tableOf('file')) : [];
    case 'relation':
      return attribute.storage.kind === 'foreignKey'
        ? foreignKey(attribute.storage, tableOf(attribute.target ?? ''), isEnforced(type, attribute))
        : [];
    default:
      return [column(attribute.column, columnTypeOf(attribute.type))];
  }
}

function entryTable(type: ContentType, tableOf: TableOf): TransferTable {
  const { kind, draftAndPublish, localized, documentIds } = type;
  return {
    name: type.table,
    key: ['id'],
    entries: true,
    columns: [
      entriesTable(type) === type.table ? ID : { ...keyTo('id', entriesTable(type)), required: true },
      ...Object.values(type.attributes).flatMap((attribute) => columnsOf(type, attribute, tableOf)),
      column(NAMES.createdAt, 'datetime'),
      column(NAMES.updatedAt, 'datetime'),
      column(VERSION_COLUMN, 'integer'),
      ...(draftAndPublish ? [column(NAMES.publishedAt, 'datetime')] : []),
      ...(localized || documentIds ? [column(NAMES.documentId, 'text')] : []),
      ...(localized ? [column(NAMES.locale, 'text')] : []),
      ...(kind === 'singleType' ? [column(NAMES.singleton, 'integer')] : []),
    ],
  };
}

function targetColumns(targets: Readonly<Record<string, string>>, tableOf: TableOf): readonly TransferColumn[] {
  return Object.entries(targets).map(([uid, name]) => keyTo(name, tableOf(uid)));
}

/** The join table of a relation, from either of its sides. */
function linkTables(attribute: Attribute, owner: string, tableOf: TableOf): readonly TransferTable[] {
  if (attribute.type !== 'relation' && attribute.type !== 'media') return [];
  const { storage } = attribute;
  if (storage.kind === 'morph') {
    const fixed = [ID, keyTo(storage.own, owner), column(storage.position, 'key')];
    return [{ name: storage.table, key: ['id'], columns: [...fixed, ...targetColumns(storage.targets, tableOf)] }];
  }
  if (storage.kind !== 'link') return [];
  const target = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const ends = [keyTo(storage.own, owner), keyTo(storage.other, tableOf(target))];
  ends.sort((a, b) => (a.name < b.name ? -1 : 1));
  const positionNames = [storage.position, ...(storage.otherPosition === undefined ? [] : [storage.otherPosition])];
  const positions = positionNames.sort().map((name) => column(name, 'key'));
  return [{ name: storage.table, key: ends.map(({ name }) => name), columns: [...ends, ...positions] }];
}

function componentLinks(type: ContentType, tableOf: TableOf): readonly TransferTable[] {
  const { componentLinks: links } = type;
  if (!links) return [];
  const fixed = [
    ID,
    keyTo(NAMES.owner, entriesTable(type)),
    column(NAMES.item, 'key'),
    column(NAMES.itemAttribute, 'text'),
    column(NAMES.position, 'key'),
  ];
  return [{ name: links.table, key: ['id'], columns: [...fixed, ...targetColumns(links.targets, tableOf)] }];
}

function permissionTable(name: string, owner: string, owners: string): TransferTable {
  return { name, key: [owner, 'action'], columns: [keyTo(owner, owners), column('action', 'text')] };
}

const ROLE_PERMISSIONS = permissionTable('user_role_permissions', 'role_id', 'user_roles');

/** Tables of every server with users. Sign-in attempts and the access version are transient, and not exported. */
const accessTables = (hasRules: boolean): readonly TransferTable[] => [
  hasRules ? { ...ROLE_PERMISSIONS, columns: [...ROLE_PERMISSIONS.columns, column('rule', 'text')] } : ROLE_PERMISSIONS,
  {
    name: 'api_tokens',
    key: ['id'],
    columns: [
      ID,
      column('name', 'text'),
      column('kind', 'text'),
      column('hash', 'text'),
      column(NAMES.createdAt, 'datetime'),
      column('expires_at', 'datetime'),
      column('last_used_at', 'datetime'),
      keyTo('user_id', 'users'),
    ],
  },
  permissionTable('api_token_permissions', 'token_id', 'api_tokens'),
];

/** Has no rows: it only provides the id sequence of component items. */
const COMPONENT_IDS: TransferTable = { name: 'component_ids', key: ['id'], columns: [ID] };

/** The folders of the media library. */
const FOLDERS: TransferTable = {
  name: FOLDERS_TABLE,
  key: ['id'],
  columns: [ID, keyTo('parent_id', FOLDERS_TABLE), column('name', 'text'), column('sibling_key', 'text')],
};

/** The tables of types in one of the states. Those that both states share occur in both. */
function tablesIn({ types }: ContentTypes, tableOf: TableOf): readonly TransferTable[] {
  const all = Object.values(types);
  return [
    ...all.map((type) => entryTable(type, tableOf)),
    ...all.flatMap((type) => [
      ...Object.values(type.attributes).flatMap((attribute) => linkTables(attribute, entriesTable(type), tableOf)),
      ...componentLinks(type, tableOf),
    ]),
  ];
}

function tableOfIn({ types }: ContentTypes): TableOf {
  return (uid) => {
    const type = types[uid];
    if (!type) throw new Error(`The descriptors refer to ${uid}, which they don't have`);
    return type.table;
  };
}

/** The tables of content in both states, each once. */
export function contentTables(types: ContentTypes): readonly TransferTable[] {
  const tableOf = tableOfIn(types);
  // Those that both states share have the columns of both in the state of drafts, which therefore takes the place of the other.
  const tables = [...tablesIn(publishedTypes(types), tableOf), ...tablesIn(types, tableOf)];
  // A bidirectional relation is found from both sides.
  return [...new Map(tables.map((table) => [table.name, table])).values()];
}

/** The tables, and the columns of other tables, in which only what is published is stored. */
export function publishedTables(types: ContentTypes): readonly TransferTable[] {
  const tableOf = tableOfIn(types);
  const withoutPublished = Object.values(types.types).map((type) => {
    const attributes = Object.entries(type.attributes).map(([name, attribute]) => {
      if (!isLinkAttribute(attribute)) return [name, attribute] as const;
      const { published: _, ...storage } = attribute.storage;
      return [name, { ...attribute, storage } as Attribute] as const;
    });
    return [type.uid, { ...type, attributes: Object.fromEntries(attributes) }] as const;
  });
  const drafts = tablesIn({ ...types, types: Object.fromEntries(withoutPublished) }, tableOf);
  const ofDrafts = new Map(drafts.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
  const published = new Map(tablesIn(publishedTypes(types), tableOf).map((table) => [table.name, table]));
  return [...published.values()].flatMap((table) => {
    const shared = ofDrafts.get(table.name);
    if (!shared) return [table];
    const own = table.columns.filter(({ name }) => table.key.includes(name) || !shared.has(name));
    const columns = [...new Map(own.map((one) => [one.name, one])).values()];
    return columns.length > table.key.length ? [{ ...table, columns }] : [];
  });
}

/** All exported tables, each once: those of drafts, and those of what is published. */
export function transferTables(
  contentTypes: ContentTypes,
  { rules }: Pick<SchemaRoles, 'rules'>,
): readonly TransferTable[] {
  const { types, components } = contentTypes;
  return [
    ...contentTables(contentTypes),
    ...(Object.hasOwn(types, 'user-role') ? accessTables(rules !== undefined) : []),
    ...(types['file']?.attributes[FOLDER_ATTRIBUTE] ? [FOLDERS] : []),
    ...(Object.keys(components).length > 0 ? [COMPONENT_IDS] : []),
  ];
}
