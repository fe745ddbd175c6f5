/**
 * The content model describes the API. Names are computed once, references and inverses are resolved, and everything is
 * frozen; emitters only read it. The database has a model of its own: `storage/storage-model.ts`.
 */
import type { AdminSettings } from '#contract/admin.ts';
import type { ApiSettings } from '#contract/api-settings.ts';
import type { Bound } from '#contract/attribute-types/attribute-type.ts';
import type { ScalarType } from '#contract/attribute-types/scalar-type.ts';
import type { AdminView, DeleteRule, RelationKind } from '#contract/content-type.ts';
import type { Webhook } from '#contract/events/webhook.ts';
import type { ImageSize } from '#contract/image-sizes.ts';
import type { Kept } from '#contract/history/kept.ts';
import type { CostSettings } from '#contract/costs.ts';
import type { GraphqlSettings } from '#contract/graphql/settings.ts';
import type { EngineName } from '#contract/engines.ts';
import type { Rules } from '#contract/policy/rule.ts';
import type { Translations } from '#contract/panel-texts.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { Visibility } from '#contract/visibility.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { RuntimePlace } from '../schema/runtime-places.ts';

export type { ApiSettings, JsonValue, RelationKind, ScalarType };
export type Dialect = EngineName;

/** Members common to all attributes. */
interface AttributeBase {
  readonly name: string;
  /** False where `visible` says when it is required. */
  readonly required: boolean;
  /** The condition under which it takes a value. */
  readonly visible?: Visibility;
  readonly private: boolean;
  /** False: requests can't set it, only hooks and the server can. */
  readonly writable: boolean;
  /** Whether each locale has its own value. False for types that are not localized. */
  readonly localized: boolean;
  /** The name shown to people; never part of requests, responses or messages of the server. */
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  readonly renamedFrom: string | undefined;
  /** Its location in the schema, for messages and comments. */
  readonly location: SourceLocation;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly unique: boolean;
  /** Satisfies the attribute's own rules; `undefined`: there is none. */
  readonly default: JsonValue | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Compiles with the flag `u`, and matches in linear time. */
  readonly regex: string | undefined;
  /** For numbers; a decimal string for `biginteger` and `decimal`. */
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
  /** For `enumeration`: its values, in order. */
  readonly enum: readonly string[];
  /** For `enumeration`: former values, and the current value that replaces each. */
  readonly enumFrom?: readonly { readonly from: string; readonly to: string }[];
  /** For `enumeration`: the names that people see of its values. */
  readonly enumLabels?: Readonly<Record<string, string>>;
  /** The name of a field of the team's own in the admin panel. */
  readonly field?: string;
  /** For `uid`. */
  readonly targetField: string | undefined;
  /** Whether it has an index of its own. */
  readonly index?: true;
  /** Whether it is part of one of the indexes of its type. */
  readonly indexed?: true;
}

/** An attribute that `_q` searches, and its weight: 1 to 10. */
export interface SearchedAttribute {
  readonly name: string;
  readonly weight: number;
}

/**
 * The keys of an index, in order: attributes, or `createdAt`, `updatedAt` and `publishedAt`; or a single attribute of a
 * component, such as `seo.metaTitle`.
 */
export type TypeIndex = readonly IndexKey[];

export interface IndexKey {
  readonly name: string;
  readonly descending: boolean;
  /** The type of the attribute, if it is an attribute of a component. */
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
 * A relation with its ends resolved. `relation` is canonical: without an inverse, `oneToOne` becomes `oneWay`, and
 * `oneToMany` becomes `manyWay`.
 */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly many: boolean;
  /** Singular API ids: one, or several for morph relations. `user` is the built-in type. */
  readonly targets: readonly string[];
  /** Whether this side holds the foreign key or names the link table. */
  readonly owner: boolean;
  /** The attribute on the other side, in the target type. */
  readonly inverse: string | undefined;
  /** What deleting the related entry does. `setNull` on sides that don't own the relation. */
  readonly onDelete: DeleteRule;
  /** Whether one of its sides is shared by all locales: the relation is then between entries, whatever locales they have. */
  readonly shared: boolean;
}

export type Attribute =
  ScalarAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute | RelationAttribute;

/** The names of a type or component in generated code, each a valid identifier: `Article`, `article`. */
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
  /** First path segment after `/api/`: the plural API id, or the singular one for single types. */
  readonly route: string;
  readonly names: CodeNames;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  readonly draftAndPublish: boolean;
  /** Whether its drafts can be published at a time. */
  readonly schedules?: true;
  /** Which versions are kept; undefined if the type has no history. */
  readonly history?: Kept | undefined;
  /** For how many days deleted entries are kept. */
  readonly trash?: number | undefined;
  readonly localized: boolean;
  /**
   * Whether entries have document ids, which identify them in the v5 format. Entries of localized types always have
   * one.
   */
  readonly documentIds: boolean;
  readonly renamedFrom: string | undefined;
  /**
   * Whether this is a built-in type, such as `user` or `file`: it has a table, but its routes are not those of content
   * types.
   */
  readonly builtIn: boolean;
  /** For `user`: the names of attributes that can be set on registration, in addition to the standard ones. */
  readonly register: readonly string[];
  /** The indexes requested in the schema, by `index` of attributes and by `indexes`. */
  readonly indexes: readonly TypeIndex[];
  /** Combinations of attributes that are unique, each of at least two. */
  readonly unique: readonly (readonly string[])[];
  /** The attribute by which requests also find an entry. */
  readonly key?: string | undefined;
  /** The required relation to one entry, such as a site, within which unique values are unique. */
  readonly tenant?: string | undefined;
  /** The unique attribute of the tenant that is the host of a request. */
  readonly tenantHost?: string | undefined;
  /** The attributes that `_q` searches for words. Empty: it searches all text attributes for substrings. */
  readonly search: readonly SearchedAttribute[];
  /** How the admin panel shows its entries, if the schema says so. */
  readonly admin: AdminView | undefined;
  /** In schema order. */
  readonly attributes: readonly Attribute[];
  readonly location: SourceLocation;
}

export interface Component {
  /** `category.name` */
  readonly uid: string;
  readonly names: CodeNames;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  /** The texts in other languages of the admin panel. */
  readonly texts?: Translations;
  readonly renamedFrom: string | undefined;
  readonly attributes: readonly Attribute[];
  readonly location: SourceLocation;
}

/** The permissions of a role: `article.find`, `upload.find`, …; every `'*'` of the schema is expanded. Sorted. */
export interface RolePermissions {
  readonly role: string;
  readonly permissions: readonly string[];
  /** The rules of permissions that have one; absent if there are none. */
  readonly rules?: Rules;
}

export interface ContentModel {
  /** npm name of the generated project. */
  readonly name: string;
  readonly databases: readonly Dialect[];
  /** The first is the default locale. */
  readonly locales: readonly string[];
  readonly api: ApiSettings;
  /** Whether the documentation is served: always (`true`), only in development, or never. */
  readonly docs: boolean | 'development';
  /** Whether there are tools for agents at `/mcp`. */
  readonly mcp: boolean;
  /** The GraphQL endpoint; undefined if there is none. */
  readonly graphql: GraphqlSettings | undefined;
  /** The admin panel; undefined if there is none. */
  readonly admin: AdminSettings | undefined;
  /** Who is told of events; undefined if nobody is. */
  readonly webhooks: readonly Webhook[] | undefined;
  /** The versions that images get; undefined: those of Strapi. */
  readonly imageSizes: readonly ImageSize[] | undefined;
  /** Whether uploads can continue where they were cut off. */
  readonly resumableUploads: boolean;
  /** Whether the project has jobs. */
  readonly jobs: boolean;
  /** Whether answers name what they depend on, for caches. */
  readonly cacheTags: boolean;
  /** What requests may cost; undefined if that is not counted. */
  readonly costs: CostSettings | undefined;
  /** Whether it is recorded who did what. */
  readonly audit: boolean;
  /** Whether clients can wait for events. */
  readonly events: boolean;
  /** Where the code is that all projects share. */
  readonly runtime: RuntimePlace;
  /** Sorted by uid (code points), built-in types last. */
  readonly contentTypes: readonly ContentType[];
  /** Sorted by uid. */
  readonly components: readonly Component[];
  /** `public` and `authenticated` first, then by name. */
  readonly roles: readonly RolePermissions[];
}
