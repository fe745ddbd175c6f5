/**
 * Tables, columns and components as migrations plan them: with what they are for, which SQL doesn't tell. The generator compares them
 * with the schema, and `plan.json` records them.
 */
import type { StoredColumn, StoredTable, StoredType } from '../stored-table.ts';

/** The component items in a JSON column. */
export type Holds =
  | { readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  | { readonly kind: 'zone'; readonly components: readonly string[] };

/** The purpose of a column. Columns that belong to no attribute have the same name everywhere. */
export type ColumnRole =
  // In tables of types, for the attribute named by `attribute`:
  | 'attribute' // its value
  | 'foreignKey' // the entry that it points to
  | 'listPosition' // the position of this row in the list of the entry that it points to
  // In tables of types, for the server itself:
  | 'id'
  | 'createdAt'
  | 'updatedAt'
  | 'version' // number of writes to the entry
  | 'publishedAt' // only in types with drafts
  | 'documentId' // identifies the rows of one entry: in localized types, and in all types if the v5 format is served
  | 'locale'
  | 'singleton' // only in single types
  // In link tables:
  | 'owner'
  | 'target' // if there are several target types, one column for each, with its `targetType`
  | 'position' // position in the owner's list
  | 'inversePosition' // position in the target's list
  | 'item' // the component item that has the link
  | 'itemAttribute' // the attribute of that item
  // In the table of the permissions of roles:
  | 'rule' // the rule of the permission, as JSON; only if the schema has rules
  /** Any other purpose: in the server's own tables, or no longer used by an attribute. */
  | 'other';

export interface Column extends StoredColumn {
  readonly role: ColumnRole;
  /** The attribute of the table's type that the column belongs to. */
  readonly attribute?: string;
  /** For a target column in a table with several target types: the uid of its type. */
  readonly targetType?: string;
  /** For a foreign key: the attribute of the target type on the other side of the relation. */
  readonly inverse?: string;
  /** In localized types: whether all locales of an entry have the same value; for a list, at the column of its owner. */
  readonly shared?: boolean;
  /** Refers to entries of a localized type by their first rows: the relation is between entries. */
  readonly entries?: true;
  /** Contains password hashes: its values must never end up in another column. */
  readonly secret?: true;
  readonly holds?: Holds;
  /** For a required attribute with a nullable column: whether all rows have a value, or only published ones. */
  readonly required?: 'all' | 'published';
  /** For an enumeration: its values, sorted. */
  readonly values?: readonly string[];
  readonly exchanged?: ExchangedValues;
}

/** Values of an enumeration that the schema says are exchanged, each by the next: recorded, as this is done once. */
export type ExchangedValues = readonly { readonly from: string; readonly to: string }[];

/** The purpose of a table. */
export type TableIdentity =
  /** The entries of a content type. `builtIn`: a type that every server has. */
  | { readonly kind: 'type'; readonly uid: string; readonly builtIn?: true }
  /** The links of an attribute to entries of one type. `inverse`: the attribute of that type on the other side. */
  | { readonly kind: 'link'; readonly uid: string; readonly attribute: string; readonly inverse?: string }
  /** The links of an attribute to entries of several types. */
  | { readonly kind: 'morph'; readonly uid: string; readonly attribute: string }
  /** The links of all attributes of components in the entries of a type. */
  | { readonly kind: 'componentLinks'; readonly uid: string }
  /** A table for the server itself. */
  | { readonly kind: 'server'; readonly role: ServerTableRole };

/** What a table for the server itself is for. */
export type ServerTableRole =
  | 'rolePermissions'
  | 'apiTokens'
  | 'apiTokenPermissions'
  | 'accessChanges' // the version of roles and permissions
  | 'rateLimits'
  | 'idempotencyKeys'
  | 'outbox' // events that are to be told
  | 'outboxReceivers' // who is told
  | 'auditLog'
  | 'auditChain'
  | 'eventLog'
  | 'eventPositions'
  | 'queuedJobs'
  | 'jobSchedules' // when each schedule has its next turn
  | 'scheduledPublications' // when entries are published or taken back
  | 'trash' // deleted entries that can be restored
  | 'releases' // entries that are published together
  | 'history' // versions of entries
  | 'pendingFiles' // stored files that may not belong to an entry
  | 'uploadFolders' // folders of the media library
  | 'componentIds'
  | 'other'; // of a version that is no longer known

export type Table = TableIdentity & StoredTable<Column>;

/** An attribute of a component as stored: in the JSON of an entry, or in the type's component link table. */
export type ComponentMember =
  | {
      readonly name: string;
      readonly kind: 'value';
      readonly type: StoredType;
      readonly secret?: true;
      /** For an enumeration: its values, sorted. */
      readonly values?: readonly string[];
      readonly exchanged?: ExchangedValues;
      /** Whether items must have a value; absent in histories of version 0.2.0 and older, which don't say. */
      readonly required?: boolean;
    }
  | { readonly name: string; readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  | { readonly name: string; readonly kind: 'links'; readonly targets: readonly string[]; readonly many: boolean };

/** The stored form of a component's items. */
export interface ComponentShape {
  readonly uid: string;
  readonly members: readonly ComponentMember[];
}

/** Whether the column is a required relation: SQLite, which can't add NOT NULL to a foreign key, refuses rows without it by triggers. */
export function isRequiredKey({ role, nullable }: Pick<Column, 'role' | 'nullable'>): boolean {
  return role === 'foreignKey' && !nullable;
}

/** The role of the column of an attribute, by its type. */
export function roleOfAttribute(type: StoredType): ColumnRole {
  if (type === 'id') return 'foreignKey';
  return type === 'position' ? 'listPosition' : 'attribute';
}
