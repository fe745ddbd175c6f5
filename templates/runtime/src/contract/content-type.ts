/**
 * What the runtime knows about a content type: which attributes it has, by which rules, and where each is stored.
 * Generated into `src/generated/database.ts`; every name in it was checked when the server was generated, so these
 * descriptors are the allow-list from which all SQL is built.
 */

import type { ScalarRules } from './attribute-types/attribute-type.ts';
import type { ScalarType } from './attribute-types/scalar-type.ts';
import type { JsonValue } from './values/json.ts';

export type { ApiSettings } from './api-settings.ts';
export type { ScalarType };

/** What is known of attributes of every type. */
interface AttributeBase {
  /** Never shown, filtered or sorted by. Passwords are treated so whether they say it or not. */
  readonly private?: true;
  /** Never taken from a body: hooks and the server set it. */
  readonly writable?: false;
  readonly required?: true;
  /** Localized types only: one value for all locales of an entry. */
  readonly shared?: true;
  readonly description?: string;
}

export interface ScalarAttribute extends AttributeBase, ScalarRules {
  readonly type: ScalarType;
  readonly column: string;
  readonly required?: true;
  readonly unique?: true;
  /** Stored on create where the attribute is missing; in canonical form. */
  readonly default?: JsonValue;
  /** `uid` only: the attribute from which a required value is made when none is given. */
  readonly targetField?: string;
  /** It is in an index: a text has at most 255 characters. */
  readonly indexed?: true;
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

/**
 * The other side of a polymorphic relation: the rows of its table whose column for this type names this entry, each of which has
 * the target in the column `other`. It is read, and written from the side that owns the table.
 */
export interface InverseMorphStorage {
  readonly kind: 'inverseMorph';
  readonly table: string;
  readonly own: string;
  readonly other: string;
}

export const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'oneWay',
  'manyWay',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
] as const;

export type RelationKind = (typeof relationKinds)[number];

/** Whether the targets of relations of this kind are of several types. */
export function isPolymorphic(kind: RelationKind): boolean {
  return kind === 'morphToOne' || kind === 'morphToMany';
}

/** Whether relations of this kind are the other side of polymorphic ones: nobody writes them. */
export function isMorphInverse(kind: RelationKind): boolean {
  return kind === 'morphOne' || kind === 'morphMany';
}

export type RelationStorage =
  ForeignKeyStorage | InverseForeignKeyStorage | LinkStorage | MorphStorage | InverseMorphStorage;

export interface RelationAttribute extends AttributeBase {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly many: boolean;
  /** Singular API id of the target type; absent for morph relations, whose targets are in `storage`. */
  readonly target?: string;
  /** The attribute of the target that is the other side; of those of polymorphic relations the one that owns it. */
  readonly inverse?: string;
  readonly storage: RelationStorage;
}

export interface MediaAttribute extends AttributeBase {
  readonly type: 'media';
  readonly many: boolean;
  readonly allowedTypes?: readonly string[];
  /** One file is a foreign key of the entry's row, several are a link table; both to the built-in type `file`. */
  readonly storage: ForeignKeyStorage | LinkStorage;
}

export interface ComponentAttribute extends AttributeBase {
  readonly type: 'component';
  readonly column: string;
  /** `category.name` */
  readonly component: string;
  readonly repeatable: boolean;
  /** How many items a repeatable one has. */
  readonly min?: number;
  readonly max?: number;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly type: 'dynamiczone';
  readonly column: string;
  readonly components: readonly string[];
  /** How many items it has. */
  readonly min?: number;
  readonly max?: number;
}

export type Attribute =
  ScalarAttribute | RelationAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute;

/** What the schema says of how people see the entries of a type. */
export interface AdminView {
  /** The attribute by which people tell entries apart. */
  readonly mainField?: string;
  /** What lists show. */
  readonly columns?: readonly string[];
  /** Types of one group are shown together. */
  readonly group?: string;
}

/**
 * One content type. Every table has the columns `id`, `created_at`, `updated_at` and `_version`; `published_at` where
 * `draftAndPublish`; `document_id` and `locale` where `localized`; `document_id`
 * where `documentIds`; `singleton` (always 1, unique) for single types.
 */
export interface ContentType {
  /** Singular API id: `article`. */
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** What people call it. */
  readonly displayName?: string;
  readonly description?: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly table: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** Every entry has a document id, in the column `document_id`, by which the v5 format names it. */
  readonly documentIds?: true;
  /** In the schema's order, which is the order of the answer. */
  readonly attributes: Readonly<Record<string, Attribute>>;
  /**
   * The table with the relations and media inside the components and zones of this type, if they have any: columns
   * `owner_id`, `item_id` (of the component item), `attribute`, `position`, and one nullable foreign key a target type.
   */
  readonly componentLinks?: { readonly table: string; readonly targets: Readonly<Record<string, string>> };
  /** `user` only: further attributes that people may give when they register. */
  readonly register?: readonly string[];
  /** Of what the database keeps indexes in the order of answers: names, with `-` before those in descending order. */
  readonly indexes?: readonly (readonly string[])[];
  /** Of the attributes of components that are in an index, such as `seo.metaTitle`, what the index is called. */
  readonly memberIndexes?: Readonly<Record<string, string>>;
  /** Where `_q` searches for words, and the index that has them. Absent: in all texts, without an index. */
  readonly search?: { readonly index: string; readonly attributes: readonly string[] };
  /** How people see its entries, where the schema says it. */
  readonly admin?: AdminView;
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
  /** What people call it. */
  readonly displayName?: string;
  readonly description?: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** All types of one server, by uid. */
export interface ContentTypes {
  readonly types: Readonly<Record<string, ContentType>>;
  readonly components: Readonly<Record<string, Component>>;
  /** The first is the default. */
  readonly locales: readonly string[];
}
