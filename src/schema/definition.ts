/** A schema as written, with the locations needed for later messages. References are not resolved yet. */
import type { RuntimePlace } from './runtime-places.ts';
import type { Kept } from '#contract/history/kept.ts';
import type { ScalarType } from '#contract/attribute-types/scalar-type.ts';
import type { DeleteRule, RelationKind } from '#contract/content-type.ts';
import type { Translations } from '#contract/panel-texts.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { cacheTagOptions } from './cache-tag-options.ts';
import type { costsOptions } from './costs-options.ts';
import type { graphqlOptions } from './graphql-options.ts';
import type { UploadsDefinition } from './upload-options.ts';
import type { WebhookDefinition } from './webhook-options.ts';
import type { adminOptions, adminViewOptions } from './admin-options.ts';
import type { adminFieldOptions } from './attribute-options.ts';
import type { EngineName } from '#contract/engines.ts';
import type { MediaType } from './keywords.ts';
import type { Located, WrittenDefault, WrittenNumber } from './located.ts';
import type { OptionValues } from './option.ts';
import type { PanelTextMap } from './panel-text.ts';
import type { apiOptions } from './root-options.ts';
import type { WrittenJson } from './written-json.ts';

export type { JsonValue, Located, WrittenNumber };

interface AttributeBase {
  readonly name: string;
  /** Location of the name. */
  readonly location: SourceLocation;
  readonly required: boolean;
  readonly private: boolean;
  readonly writable: boolean;
  readonly unique: Located<boolean> | undefined;
  readonly visible: WrittenDefault | undefined;
  readonly default: WrittenDefault | undefined;
  readonly localized: Located<boolean> | undefined;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly texts?: Translations | undefined;
  readonly renamedFrom: Located<string> | undefined;
}

export interface ScalarDefinition extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly minLength: Located<number> | undefined;
  readonly maxLength: Located<number> | undefined;
  readonly regex: Located<string> | undefined;
  readonly min: WrittenNumber | undefined;
  readonly max: WrittenNumber | undefined;
  readonly enum: readonly Located<string>[];
  /** Former values, each located at its key, and the values that replace them. */
  readonly enumFrom: readonly { readonly from: Located<string>; readonly to: Located<string> }[];
  /** Each located at its key: the names of values. */
  readonly enumLabels?: PanelTextMap | undefined;
  readonly targetField: Located<string> | undefined;
  readonly index: Located<boolean> | undefined;
  readonly admin?: OptionValues<typeof adminFieldOptions> | undefined;
}

export interface MediaDefinition extends AttributeBase {
  readonly kind: 'media';
  readonly multiple: boolean;
  readonly allowedTypes: readonly Located<MediaType>[] | undefined;
}

export interface ComponentUseDefinition extends AttributeBase {
  readonly kind: 'component';
  readonly component: Located<string>;
  readonly repeatable: boolean;
  readonly min: Located<number> | undefined;
  readonly max: Located<number> | undefined;
}

export interface DynamicZoneDefinition extends AttributeBase {
  readonly kind: 'dynamiczone';
  readonly components: readonly Located<string>[];
  readonly min: Located<number> | undefined;
  readonly max: Located<number> | undefined;
}

export interface RelationDefinition extends AttributeBase {
  readonly kind: 'relation';
  readonly relation: Located<RelationKind>;
  readonly target: Located<string> | undefined;
  /** For morph relations. */
  readonly targets: readonly Located<string>[] | undefined;
  readonly mappedBy: Located<string> | undefined;
  readonly inversedBy: Located<string> | undefined;
  readonly onDelete: Located<DeleteRule> | undefined;
  /** For the inverse side of a morph relation. */
  readonly morphBy: Located<string> | undefined;
}

export type AttributeDefinition =
  ScalarDefinition | MediaDefinition | ComponentUseDefinition | DynamicZoneDefinition | RelationDefinition;

export interface ContentTypeDefinition {
  /** The key: the singular API id. */
  readonly uid: string;
  /** Location of the key. */
  readonly location: SourceLocation;
  readonly kind: 'collectionType' | 'singleType';
  readonly pluralName: Located<string> | undefined;
  readonly tableName: Located<string> | undefined;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly texts?: Translations | undefined;
  readonly draftAndPublish: boolean;
  /** Which versions are kept; undefined if the type has no history. */
  readonly history?: Kept | undefined;
  /** For how many days deleted entries are kept. */
  readonly trash?: number | undefined;
  /** Entries have `createdBy` and `updatedBy`. */
  readonly creatorFields?: true;
  readonly localized: boolean;
  readonly renamedFrom: Located<string> | undefined;
  /** Lists of attributes, each prefixed with `-` if descending. */
  readonly indexes: readonly Located<readonly Located<string>[]>[];
  /** Lists of attributes whose values together are unique. */
  readonly unique: readonly Located<readonly Located<string>[]>[];
  /** The attribute by which requests also find an entry. */
  readonly key?: Located<string> | undefined;
  /** The relation to what an entry belongs to. */
  readonly tenant?: Located<string> | undefined;
  /** The attribute of the tenant that is the host of a request. */
  readonly tenantHost?: Located<string> | undefined;
  /** Names of attributes, optionally followed by `^` and a weight. */
  readonly search: readonly Located<string>[] | undefined;
  readonly admin: AdminViewDefinition | undefined;
  readonly attributes: readonly AttributeDefinition[];
}

/** The schema's additions to the built-in type `user`. */
export interface UsersDefinition {
  /** Location of the key `users`. */
  readonly location: SourceLocation;
  readonly attributes: readonly AttributeDefinition[];
  /** Names of attributes that can be set on registration. */
  readonly register: readonly Located<string>[];
}

export interface ComponentDefinition {
  /** `category.name` */
  readonly uid: string;
  readonly location: SourceLocation;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly texts?: Translations | undefined;
  readonly renamedFrom: Located<string> | undefined;
  readonly attributes: readonly AttributeDefinition[];
}

/** An action, and its rule if it has one. */
export interface ActionDefinition extends Located<string> {
  /** As written: it is checked once all types are known. */
  readonly rule?: WrittenJson;
}

/** The actions allowed under one key of a role. */
export interface PermissionDefinition {
  /** A type, a built-in endpoint, or `*`. */
  readonly subject: Located<string>;
  readonly actions: '*' | readonly ActionDefinition[];
}

export interface RoleDefinition {
  readonly role: Located<string>;
  /** Roles whose permissions this role inherits. */
  readonly extends: readonly Located<string>[];
  readonly permissions: readonly PermissionDefinition[];
}

/** The settings under `api:`, if written. Numbers are integers; `bodyLimit` and `maxAnswerSize` are in bytes. */
export type ApiDefinition = OptionValues<typeof apiOptions>;

/** The settings under `graphql:`, if written. */
export type CacheTagsDefinition = OptionValues<typeof cacheTagOptions>;

export type GraphqlDefinition = OptionValues<typeof graphqlOptions>;

/** The settings under `costs:`, if written. */
export type CostsDefinition = OptionValues<typeof costsOptions>;

/** The settings under `admin:`, if written. */
export type AdminDefinition = OptionValues<typeof adminOptions>;

/** The settings under `admin:` of a content type, if written. */
export type AdminViewDefinition = OptionValues<typeof adminViewOptions>;

export interface SchemaDefinition {
  /** As written, or else derived from the name of the first file. */
  readonly name: Located<string>;
  /** Located at the key; `undefined` if absent. */
  readonly databases: Located<readonly Located<EngineName>[]> | undefined;
  readonly locales: Located<readonly Located<string>[]> | undefined;
  readonly api: ApiDefinition;
  readonly docs: Located<boolean | 'development'> | undefined;
  readonly mcp: Located<boolean> | undefined;
  readonly graphql: Located<boolean | GraphqlDefinition> | undefined;
  readonly admin: Located<boolean | AdminDefinition> | undefined;
  readonly webhooks: Located<readonly Located<WebhookDefinition>[]> | undefined;
  readonly uploads: Located<UploadsDefinition> | undefined;
  readonly runtime: Located<RuntimePlace> | undefined;
  readonly jobs: Located<boolean> | undefined;
  readonly schedules: Located<boolean> | undefined;
  readonly cacheTags: Located<boolean | CacheTagsDefinition> | undefined;
  readonly costs: Located<boolean | CostsDefinition> | undefined;
  readonly audit: Located<boolean> | undefined;
  readonly events: Located<boolean> | undefined;
  /** In the order of files and lines. */
  readonly contentTypes: readonly ContentTypeDefinition[];
  readonly components: readonly ComponentDefinition[];
  readonly users: UsersDefinition | undefined;
  /** Only the roles in the schema files. */
  readonly roles: readonly RoleDefinition[];
}
