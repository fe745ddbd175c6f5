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

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Canonical text or JSON of the default for rows that exist already; columns are otherwise filled by the server. */
  readonly default?: string | number | boolean;
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
  /** `id` (generated, never reused) or, of link tables, the pair of keys. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
}

export interface StorageModel {
  /** In the order in which they can be created: a table comes after those it references, but for itself and cycles. */
  readonly tables: readonly Table[];
}
