/**
 * The storage model: what the database looks like, whatever the engine. Only this model is compared between two builds,
 * so that a description or a permission never makes a migration. It is plain JSON: `plan.json` holds pieces of it.
 */

/** What a column holds. Each dialect says which type that is. */
export type ColumnType =
  | 'id' // a key of a row of this or another table
  | 'string' // short text that can be indexed: at most 255 characters
  | 'text'
  | 'integer'
  | 'biginteger'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'json'
  | 'position'; // the place in a list: a 64-bit integer

/** The component items in a JSON column. */
export type Holds =
  | { readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  | { readonly kind: 'zone'; readonly components: readonly string[] };

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Canonical text or JSON of the default for rows that exist already; columns are otherwise filled by the server. */
  readonly default?: string | number | boolean;
  /**
   * What it is, so that a rename can be told from another thing: the attribute of the table's type, or in tables with targets
   * of several types the target's uid. Absent on columns of the server's own.
   */
  readonly origin?: string;
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

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: 'cascade' | 'setNull';
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

export interface Table {
  readonly name: string;
  /** What it is for, for comments: `article`, `article.tags`. */
  readonly origin: string;
  /** Of a type that every server has. */
  readonly builtIn?: true;
  /** Of a link table: the attribute of the target type that is the other side of the relation. */
  readonly inverse?: string;
  /** `id` (generated, never reused) or, of link tables, the pair of keys. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
}

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
