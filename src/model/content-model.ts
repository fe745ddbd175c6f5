/**
 * The content model: what the API looks like. Names are computed once, references and inverses are resolved, and all of
 * it is frozen. Emitters only read it. What the database looks like is another model: `storage/storage-model.ts`.
 */
import type { AdminSettings } from '#contract/admin.ts';
import type { ApiSettings } from '#contract/api-settings.ts';
import type { Bound } from '#contract/attribute-types/attribute-type.ts';
import type { ScalarType } from '#contract/attribute-types/scalar-type.ts';
import type { AdminView, RelationKind } from '#contract/content-type.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';

export type Dialect = 'sqlite' | 'postgres' | 'mysql';

export type { ApiSettings, JsonValue, RelationKind, ScalarType };

/** What attributes of every type have. */
interface AttributeBase {
  readonly name: string;
  readonly required: boolean;
  readonly private: boolean;
  /** False: no body may name it; hooks and the server set it. */
  readonly writable: boolean;
  /** Has a value of its own in each locale. False on types that are not localized. */
  readonly localized: boolean;
  readonly description: string | undefined;
  readonly renamedFrom: string | undefined;
  /** Where it was written, for messages and comments. */
  readonly location: SourceLocation;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly unique: boolean;
  /** Checked against the attribute's own rules; `undefined`: none was written. */
  readonly default: JsonValue | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Compiles with the flag `u`, and matches in linear time. */
  readonly regex: string | undefined;
  /** Of numbers; a decimal text where the type is `biginteger` or `decimal`. */
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
  /** Of `enumeration`, in order. */
  readonly enum: readonly string[];
  /** Of `enumeration`: values that entries had before, and which of `enum` each of them becomes. */
  readonly enumFrom?: readonly { readonly from: string; readonly to: string }[];
  /** Of `uid`. */
  readonly targetField: string | undefined;
  /** It has an index of its own. */
  readonly index?: true;
  /** It is in one of the indexes of its type. */
  readonly indexed?: true;
}

/** An attribute in which `_q` searches, and what a word in it weighs: 1 to 10. */
export interface SearchedAttribute {
  readonly name: string;
  readonly weight: number;
}

/**
 * What an index is sorted by, one after the other: attributes, or `createdAt`, `updatedAt` and `publishedAt`; or alone, an
 * attribute of a component, such as `seo.metaTitle`.
 */
export type TypeIndex = readonly IndexKey[];

export interface IndexKey {
  readonly name: string;
  readonly descending: boolean;
  /** Of an attribute of a component: what type that is. */
  readonly member?: ScalarType;
}

export interface MediaAttribute extends AttributeBase {
  readonly kind: 'media';
  readonly multiple: boolean;
  readonly allowedTypes: readonly ('images' | 'files' | 'videos' | 'audios')[];
}

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component';
  /** `category.name` */
  readonly component: string;
  readonly repeatable: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly kind: 'dynamiczone';
  readonly components: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/**
 * A relation with its ends resolved. `relation` is canonical: a `oneToOne` without another side has become `oneWay`,
 * a `oneToMany` without one `manyWay`.
 */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation';
  readonly relation: RelationKind;
  /** The value is an ordered list. */
  readonly many: boolean;
  /** Singular API ids: one, or several for morph relations. `user` is the built-in type. */
  readonly targets: readonly string[];
  /** Whether this side holds the foreign key or gives the link table its name. */
  readonly owner: boolean;
  /** The attribute of the target that is the other side. */
  readonly inverse: string | undefined;
}

export type Attribute =
  ScalarAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute | RelationAttribute;

/** The names of a thing in generated code, each a valid identifier: `Article`, `article`. */
export interface CodeNames {
  readonly pascal: string;
  readonly camel: string;
}

export interface ContentType {
  /** Singular API id, as in the schema: `work-item`. */
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly pluralName: string;
  readonly tableName: string;
  /** First path segment after `/api/`: the plural API id, of single types the singular one. */
  readonly route: string;
  readonly names: CodeNames;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** Whether every entry has a document id, by which the v5 format names it. Those of localized types always have one. */
  readonly documentIds: boolean;
  readonly renamedFrom: string | undefined;
  /** `user` and `file` where the schema needs them: tables, but no routes of their own here. */
  readonly builtIn: boolean;
  /** Of `user`: the names of attributes that people may give when they register, beside those that everybody gives. */
  readonly register: readonly string[];
  /** Those that the schema asks for, by `index` of attributes and by `indexes`. */
  readonly indexes: readonly TypeIndex[];
  /** Where `_q` searches for words; none: in all texts, character by character. */
  readonly search: readonly SearchedAttribute[];
  /** How people see its entries, where the schema says it. */
  readonly admin: AdminView | undefined;
  /** In the schema's order. */
  readonly attributes: readonly Attribute[];
  readonly location: SourceLocation;
}

export interface Component {
  /** `category.name` */
  readonly uid: string;
  readonly names: CodeNames;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly renamedFrom: string | undefined;
  readonly attributes: readonly Attribute[];
  readonly location: SourceLocation;
}

/** What one role may do: `article.find`, `upload.find`, …; every `'*'` of the schema is resolved. Sorted. */
export interface RolePermissions {
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface ContentModel {
  /** npm name of the generated project. */
  readonly name: string;
  readonly databases: readonly Dialect[];
  /** The first is the default locale. */
  readonly locales: readonly string[];
  readonly api: ApiSettings;
  /** Whether the documentation is served: in production too, in development alone, or nowhere. */
  readonly docs: boolean | 'development';
  /** Whether agents have tools at `/mcp`. */
  readonly mcp: boolean;
  /** The page for editors; undefined: there is none. */
  readonly admin: AdminSettings | undefined;
  /** Sorted by uid (code points), built-in types last. */
  readonly contentTypes: readonly ContentType[];
  /** Sorted by uid. */
  readonly components: readonly Component[];
  /** `public` and `authenticated` first, then by name. */
  readonly roles: readonly RolePermissions[];
}
