/**
 * The storage model: what the database looks like, whatever the engine. Only this model is compared between two builds,
 * so that a description or a permission never makes a migration. It says what each table and column is: nothing is read from
 * names. `plan.json` holds pieces of it in the form of `migrations/history/plan-codec.ts`.
 */
import type { StoredColumn, StoredTable, StoredType } from '#contract/stored-table.ts';

export type { ForeignKey, Index, IndexSort } from '#contract/stored-table.ts';

/** What a column holds; each dialect says which type that is. */
export type ColumnType = StoredType;

/** The component items in a JSON column. */
export type Holds =
  | { readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  | { readonly kind: 'zone'; readonly components: readonly string[] };

/** What a column is for. The names of those that are not of an attribute are in `column-names.ts`. */
export type ColumnRole =
  // In tables of types, of the attribute that `attribute` names:
  | 'attribute' // its value
  | 'foreignKey' // the entry that it points to
  | 'listPosition' // the place of the row in the list of the entry that it points to
  // In tables of types, of the server's own:
  | 'id'
  | 'createdAt'
  | 'updatedAt'
  | 'version' // how often the entry was written
  | 'publishedAt' // types with drafts
  | 'documentId' // which rows are one entry: of localized types, and of all where the v5 format is served
  | 'locale'
  | 'singleton' // single types
  // In tables of links:
  | 'owner'
  | 'target' // in tables with targets of several types one column for each, with its `targetType`
  | 'position' // the place in the owner's list
  | 'inversePosition' // the place in the target's list
  | 'item' // the component item that has the link
  | 'itemAttribute' // the attribute of that item
  /** Nothing that the generator tells apart: of the server's own tables, or given up by its attribute. */
  | 'other';

export interface Column extends StoredColumn {
  readonly role: ColumnRole;
  /** The attribute of the table's type that it is of. */
  readonly attribute?: string;
  /** Of a column with the entries of one of several types: that type's uid. */
  readonly targetType?: string;
  /** Of a foreign key: the attribute of the target type that is the other side of the relation. */
  readonly inverse?: string;
  /** Holds hashes: its values are never those of another column. */
  readonly secret?: true;
  readonly holds?: Holds;
  /** Of a required attribute whose column may be empty: which rows have a value, all of them or those that are published. */
  readonly required?: 'all' | 'published';
  /** Of an enumeration: what it may hold, sorted. */
  readonly values?: readonly string[];
}

/** What a table holds. */
export type TableIdentity =
  /** The entries of a content type. `builtIn`: one that every server has. */
  | { readonly kind: 'type'; readonly uid: string; readonly builtIn?: true }
  /** The links of an attribute to entries of one type. `inverse`: the attribute of that type that is the other side. */
  | { readonly kind: 'link'; readonly uid: string; readonly attribute: string; readonly inverse?: string }
  /** The links of an attribute to entries of several types. */
  | { readonly kind: 'morph'; readonly uid: string; readonly attribute: string }
  /** The links of all attributes of the components in the entries of a type. */
  | { readonly kind: 'componentLinks'; readonly uid: string }
  /** What a server needs for itself; `purpose` says for what, to people. */
  | { readonly kind: 'server'; readonly purpose: string };

export type Table = TableIdentity & StoredTable<Column>;

/** The table of a content type. */
export type TypeTable = Extract<Table, { kind: 'type' }>;

/** An attribute of a component, as it is stored inside the JSON of an entry, or in the table of the entry's component links. */
export type ComponentMember =
  | {
      readonly name: string;
      readonly kind: 'value';
      readonly type: ColumnType;
      readonly secret?: true;
      /** Of an enumeration: what it may hold, sorted. */
      readonly values?: readonly string[];
    }
  | { readonly name: string; readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  | { readonly name: string; readonly kind: 'links'; readonly targets: readonly string[]; readonly many: boolean };

/** What the items of a component look like. */
export interface ComponentShape {
  readonly uid: string;
  readonly members: readonly ComponentMember[];
}

export interface StorageModel {
  /** In the order in which they can be created: a table comes after those it references, but for itself and cycles. */
  readonly tables: readonly Table[];
  /** By uid; absent: none. */
  readonly components?: readonly ComponentShape[];
  /** The locales of localized types, the default first; absent: no type is localized. */
  readonly locales?: readonly string[];
}
