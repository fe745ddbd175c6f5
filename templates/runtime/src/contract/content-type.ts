/**
 * Descriptor of a content type: its attributes, the rules of their values, and where they are stored. Generated into
 * `src/generated/database.ts`. All names in it were checked when the server was generated, so the descriptors are the
 * allow-list of identifiers in SQL.
 */

import type { ScalarRules } from './attribute-types/attribute-type.ts';
import type { ScalarType } from './attribute-types/scalar-type.ts';
import type { Kept } from './history/kept.ts';
import type { Rename } from './migrations/rename.ts';
import type { Translations } from './panel-texts.ts';
import type { AdminView } from './panel-view.ts';
import type { JsonValue } from './values/json.ts';
import type { Visibility } from './visibility.ts';

export type { ApiSettings } from './api-settings.ts';
export type { AdminView, ScalarType };

/** Members that attributes of all types have. */
interface AttributeBase {
  /** Never in a response, and can't be filtered or sorted by. Passwords are always private, with or without this flag. */
  readonly private?: true;
  /** Not accepted in request bodies: set by hooks and by the server. */
  readonly writable?: false;
  readonly required?: true;
  /**
   * All locales of an entry have the same value. A relation is shared by both of its sides, if one of them says so: it is then
   * between entries, whatever locales they have.
   */
  readonly shared?: true;
  /** The name that people see. */
  readonly displayName?: string;
  readonly description?: string;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  /** Takes a value only while a condition on other attributes holds. Then `required` is part of the condition. */
  readonly visible?: Visibility;
}

export interface ScalarAttribute extends AttributeBase, ScalarRules {
  readonly type: ScalarType;
  readonly column: string;
  readonly required?: true;
  readonly unique?: true;
  /** Stored on create if the body lacks the attribute. In canonical form. */
  readonly default?: JsonValue;
  /** `uid` only: the attribute from which a missing required value is generated. */
  readonly targetField?: string;
  /** `enumeration` only: the names that people see of its values. */
  readonly enumLabels?: Readonly<Record<string, string>>;
  /** The name of a field of the team's own in the admin panel. */
  readonly field?: string;
  /**
   * Unique attributes that all locales share: the column that has the value in one row of each entry, so that an index on it keeps
   * the value unique although all rows of the entry have it.
   */
  readonly claim?: string;
  /** Part of an index, so text is limited to 255 characters. */
  readonly indexed?: true;
}

/** A column in the owner's row with the id of the one target. */
export interface ForeignKeyStorage {
  readonly kind: 'foreignKey';
  readonly column: string;
  /** Column with this row's position in the list on the other side; absent unless that is a list. */
  readonly position?: string;
  /** One-to-one: a target has at most one owner. */
  readonly unique?: true;
  /** The columns of the published state, in a type without drafts whose relation is also an attribute of a type with drafts. */
  readonly published?: PlaceColumns;
}

/** The columns of a foreign key, and of the row's position in the list on the other side. */
export interface PlaceColumns {
  readonly column: string;
  readonly position?: string;
}

/** The inverse side of a foreign key: the rows of the target's table whose `column` refers to this entry. */
export interface InverseForeignKeyStorage {
  readonly kind: 'inverseForeignKey';
  /** Column of the target's table. */
  readonly column: string;
  /** Column of the target's table with the target's position in this entry's list; absent for one-to-one. */
  readonly position?: string;
  /** See `ForeignKeyStorage`. */
  readonly published?: PlaceColumns;
}

/** A join table: one row per pair, primary key (owner, target). */
export interface LinkStorage {
  readonly kind: 'link';
  readonly table: string;
  /** Columns with the id of the entry that has this attribute, and of its target. */
  readonly own: string;
  readonly other: string;
  /** Column with the target's position in this entry's list. */
  readonly position: string;
  /** Column with this entry's position in the target's list; absent if the target has no list. */
  readonly otherPosition?: string;
  /** The other side owns the relation. */
  readonly isInverse?: true;
  /** The table of the published state, if the relation is an attribute of a type with drafts. */
  readonly published?: string;
}

/** A join table with targets of several types: one nullable foreign key per type, of which exactly one is set. */
export interface MorphStorage {
  readonly kind: 'morph';
  readonly table: string;
  readonly own: string;
  readonly position: string;
  /** Singular API id of the target type → column. */
  readonly targets: Readonly<Record<string, string>>;
  /** The table of the published state, if the type that owns the relation has drafts. */
  readonly published?: string;
}

/**
 * The inverse side of a polymorphic relation: the rows of its join table whose column for this type refers to this entry. Their
 * column `other` refers to the target. Read-only: the owning side writes the table.
 */
export interface InverseMorphStorage {
  readonly kind: 'inverseMorph';
  readonly table: string;
  readonly own: string;
  readonly other: string;
  /** See `MorphStorage`. */
  readonly published?: string;
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

/** Whether relations of this kind have targets of several types. */
export function isPolymorphic(kind: RelationKind): boolean {
  return kind === 'morphToOne' || kind === 'morphToMany';
}

/** Whether relations of this kind are the inverse side of polymorphic ones, which is read-only. */
export function isMorphInverse(kind: RelationKind): boolean {
  return kind === 'morphOne' || kind === 'morphMany';
}

/** Whether the other side owns the relation: its rows, or those of its table, refer to the entries of this side. */
export function isInverseStorage(storage: RelationStorage): boolean {
  switch (storage.kind) {
    case 'inverseForeignKey':
    case 'inverseMorph':
      return true;
    case 'link':
      return storage.isInverse === true;
    case 'foreignKey':
    case 'morph':
      return false;
  }
}

export type RelationStorage =
  ForeignKeyStorage | InverseForeignKeyStorage | LinkStorage | MorphStorage | InverseMorphStorage;

/**
 * What deleting an entry does to the entries that refer to it by a relation: it deletes them, is refused while there are any, or takes
 * the relation from them.
 */
export const deleteRules = ['cascade', 'restrict', 'setNull'] as const;

export type DeleteRule = (typeof deleteRules)[number];

export interface RelationAttribute extends AttributeBase {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly many: boolean;
  /** Singular API id of the target type; absent for morph relations, whose targets are in `storage`. */
  readonly target?: string;
  /** The target's attribute on the other side; for the inverse side of a polymorphic relation, the owning attribute. */
  readonly inverse?: string;
  /** On the owning side. Absent: `setNull`; an entry that is deleted leaves all lists. */
  readonly onDelete?: Exclude<DeleteRule, 'setNull'>;
  readonly storage: RelationStorage;
}

export interface MediaAttribute extends AttributeBase {
  readonly type: 'media';
  readonly many: boolean;
  readonly allowedTypes?: readonly string[];
  /** A foreign key in the entry's row for one file, a join table for several; both refer to the built-in type `file`. */
  readonly storage: ForeignKeyStorage | LinkStorage;
}

export interface ComponentAttribute extends AttributeBase {
  readonly type: 'component';
  readonly column: string;
  /** `category.name` */
  readonly component: string;
  readonly repeatable: boolean;
  /** Bounds of the number of items, if repeatable. */
  readonly min?: number;
  readonly max?: number;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly type: 'dynamiczone';
  readonly column: string;
  readonly components: readonly string[];
  /** Bounds of the number of items. */
  readonly min?: number;
  readonly max?: number;
}

export type Attribute =
  ScalarAttribute | RelationAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute;

/**
 * One content type. Every table has the columns `id`, `created_at`, `updated_at` and `_version`. Further columns:
 * `published_at` with `draftAndPublish`, `document_id` and `locale` with `localized`, `document_id` with `documentIds`,
 * and `singleton` (always 1, unique) for single types.
 */
export interface ContentType {
  /** Singular API id: `article`. */
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** The name that people see. */
  readonly displayName?: string;
  readonly description?: string;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  readonly singularName: string;
  readonly pluralName: string;
  readonly table: string;
  readonly draftAndPublish: boolean;
  /** Drafts can be published, and taken back, at a time. */
  readonly schedules?: true;
  /** For how many days deleted entries are kept; absent if they are gone at once. */
  readonly trash?: number;
  /** Which versions of its entries are kept; absent if it has no history. */
  readonly history?: Kept;
  readonly localized: boolean;
  /** Every entry has a document id, which identifies it in the v5 format, in the column `document_id`. */
  readonly documentIds?: true;
  /** The attribute by which `GET` also finds an entry. */
  readonly key?: string;
  /** The required relation to one entry, such as a site, within which unique values are unique. */
  readonly tenant?: string;
  /** In the schema's order, which is also the order in responses. */
  readonly attributes: Readonly<Record<string, Attribute>>;
  /**
   * The table with the relations and media inside of this type's components and dynamic zones, if they have any. Columns:
   * `owner_id`, `item_id` (of the component item), `attribute`, `position`, and one nullable foreign key per target type.
   */
  readonly componentLinks?: { readonly table: string; readonly targets: Readonly<Record<string, string>> };
  /** `user` only: further attributes that are accepted on registration. */
  readonly register?: readonly string[];
  /** Combinations of attributes that are unique, each with a unique index. */
  readonly unique?: readonly (readonly string[])[];
  /** Attributes of the indexes that serve sorted lists; names in descending order have the prefix `-`. */
  readonly indexes?: readonly (readonly string[])[];
  /** Indexed attributes of components, such as `seo.metaTitle` → name of the index. */
  readonly memberIndexes?: Readonly<Record<string, string>>;
  /** The attributes that `_q` searches, and their full-text index. Absent: `_q` searches all text attributes, without an index. */
  readonly search?: { readonly index: string; readonly attributes: readonly string[] };
  /** Absent if the schema doesn't set it. */
  readonly admin?: AdminView;
  /**
   * With `draftAndPublish`: where the published versions of entries are, while `table` has their drafts, which all entries have. A
   * published version has the id of its entry. Links refer to ids, whatever state these entries are in.
   */
  readonly published?: PublishedStorage;
}

/** The tables and indexes of published versions. They have the same columns as those of the drafts. */
export interface PublishedStorage {
  readonly table: string;
  readonly componentLinks?: string;
  readonly search?: string;
  readonly memberIndexes?: Readonly<Record<string, string>>;
}

/** Whether the database refuses rows of the type without the relation: those of drafts and of new locales may lack it. */
export function isEnforced(
  { draftAndPublish, localized }: Pick<ContentType, 'draftAndPublish' | 'localized'>,
  attribute: Attribute,
): boolean {
  if (attribute.type !== 'relation' || attribute.required !== true || draftAndPublish || localized) return false;
  return attribute.storage.kind === 'foreignKey';
}

/**
 * One component. Its attributes are stored in the JSON column of the entry that uses it: `column` is a key of that JSON.
 * Relations and media are links with an empty `table`: their rows are in `componentLinks` of the entry's type.
 * Each item has an `id` that never changes and is never reused by another item of the server. The ids are generated by the
 * table `component_ids`, whose rows are deleted at once.
 */
export interface Component {
  /** `category.name` */
  readonly uid: string;
  /** The name that people see. */
  readonly displayName?: string;
  readonly description?: string;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** All types of one server, by uid. */
export interface ContentTypes {
  readonly types: Readonly<Record<string, ContentType>>;
  readonly components: Readonly<Record<string, Component>>;
  /** The first is the default. */
  readonly locales: readonly string[];
  /** The renames of each migration that has any, which the content of former versions may not have seen; absent if none has. */
  readonly renames?: readonly (readonly Rename[])[];
}
