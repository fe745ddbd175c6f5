/**
 * What the runtime knows about a content type: which attributes it has and where each is stored.
 * Generated into `src/generated/database.ts`; every name in it was checked when the server was generated, so these
 * descriptors are the allow-list from which all SQL is built.
 */

import type { ScalarType } from './attribute-types/scalar-type.ts';

export type { ScalarType };

export interface ScalarAttribute {
  readonly type: ScalarType;
  readonly column: string;
  /** Never shown, filtered or sorted by. Passwords are treated so whether they say it or not. */
  readonly private?: true;
  /** Never taken from a body: hooks and the server set it. */
  readonly writable?: false;
  readonly required?: true;
  readonly unique?: true;
  /** Localized types only: one value for all locales of an entry. */
  readonly shared?: true;
  /** `uid` only: the attribute from which a required value is made when none is given. */
  readonly targetField?: string;
}

/** A column of the owner's own row that holds the id of the one target. */
export interface ForeignKeyStorage {
  readonly kind: 'foreignKey';
  readonly column: string;
  /** The other side is a list: this row's place in it. */
  readonly position?: string;
  /** One-to-one: at most one owner a target. */
  readonly unique?: true;
}

/** The other side of a foreign key: the rows of the target's table whose `column` names this entry. */
export interface InverseForeignKeyStorage {
  readonly kind: 'inverseForeignKey';
  /** Column of the target's table. */
  readonly column: string;
  /** Column of the target's table with its place in this entry's list; absent for one-to-one. */
  readonly position?: string;
}

/** A link table: one row a pair, primary key (owner, target). */
export interface LinkStorage {
  readonly kind: 'link';
  readonly table: string;
  /** The column with the id of the entry that has this attribute, and the one with the id of its target. */
  readonly own: string;
  readonly other: string;
  /** The place of the target in this entry's list. */
  readonly position: string;
  /** The place of this entry in the target's list; absent where the target has none. */
  readonly otherPosition?: string;
}

/** A link table whose targets are of several types: one nullable foreign key a type, exactly one of them set. */
export interface MorphStorage {
  readonly kind: 'morph';
  readonly table: string;
  readonly own: string;
  readonly position: string;
  /** Singular API id of the target type → column. */
  readonly targets: Readonly<Record<string, string>>;
}

export type RelationKind =
  'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany' | 'oneWay' | 'manyWay' | 'morphToOne' | 'morphToMany';

export type RelationStorage = ForeignKeyStorage | InverseForeignKeyStorage | LinkStorage | MorphStorage;

export interface RelationAttribute {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly many: boolean;
  /** Singular API id of the target type; absent for morph relations, whose targets are in `storage`. */
  readonly target?: string;
  readonly storage: RelationStorage;
  readonly private?: true;
  readonly writable?: false;
  readonly required?: true;
  readonly shared?: true;
}

export interface MediaAttribute {
  readonly type: 'media';
  readonly many: boolean;
  readonly allowedTypes?: readonly string[];
  /** One file is a foreign key of the entry's row, several are a link table; both to the built-in type `file`. */
  readonly storage: ForeignKeyStorage | LinkStorage;
  readonly private?: true;
  readonly writable?: false;
  readonly required?: true;
  readonly shared?: true;
}

export interface ComponentAttribute {
  readonly type: 'component';
  readonly column: string;
  /** `category.name` */
  readonly component: string;
  readonly repeatable: boolean;
  readonly private?: true;
  readonly writable?: false;
  readonly required?: true;
  readonly shared?: true;
}

export interface DynamicZoneAttribute {
  readonly type: 'dynamiczone';
  readonly column: string;
  readonly components: readonly string[];
  readonly private?: true;
  readonly writable?: false;
  readonly required?: true;
  readonly shared?: true;
}

export type Attribute =
  ScalarAttribute | RelationAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute;

/**
 * One content type. Every table has the columns `id`, `created_at` and `updated_at`; `published_at` where
 * `draftAndPublish`; `document_id` and `locale` where `localized`; `singleton` (always 1, unique) for single types.
 */
export interface ContentType {
  /** Singular API id: `article`. */
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly singularName: string;
  readonly pluralName: string;
  readonly table: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** In the schema's order, which is the order of the answer. */
  readonly attributes: Readonly<Record<string, Attribute>>;
  /**
   * The table with the relations and media inside the components and zones of this type, if they have any: columns
   * `owner_id`, `item_id` (of the component item), `attribute`, `position`, and one nullable foreign key a target type.
   */
  readonly componentLinks?: { readonly table: string; readonly targets: Readonly<Record<string, string>> };
}

/**
 * One component: its attributes live inside the JSON column of the entry that uses it, each `column` being a key of the
 * JSON. The relations and media among them are links whose `table` is empty: it is the `componentLinks` of the entry's type.
 * Each item has an `id`, which it keeps as long as it is there and no other item of the server ever gets: those of the table
 * `component_ids`, in which no row stays.
 */
export interface Component {
  /** `category.name` */
  readonly uid: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** All types of one server, by uid. */
export interface ContentTypes {
  readonly types: Readonly<Record<string, ContentType>>;
  readonly components: Readonly<Record<string, Component>>;
  /** The first is the default. */
  readonly locales: readonly string[];
}

/** Limits of the API, from the schema's `api:`. */
export interface ApiSettings {
  readonly unknownAttributes: 'reject' | 'ignore';
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  /** As far as the entries of a list are counted: of more of them `total` says this number. Not set: all are counted. */
  readonly maxCount?: number;
  readonly maxPopulateDepth: number;
  readonly maxPopulatedPaths: number;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Entries of one answer, with all that it populates. */
  readonly maxAnswerEntries: number;
  /** Bytes of one answer. */
  readonly maxAnswerSize: number;
}
