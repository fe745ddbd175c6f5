/** What the admin page loads: the response bodies of `/api/admin`. */
import type { ScalarRules } from './attribute-types/attribute-type.ts';
import type { ScalarType } from './attribute-types/scalar-type.ts';
import type { FormatName } from './api-settings.ts';
import type { RelationKind } from './content-type.ts';
import type { Translations } from './panel-texts.ts';
import type { ListView, PanelIcon, PanelLayout } from './panel-view.ts';
import type { WriteAction } from './policy/caller.ts';
import type { RuleFilter } from './policy/rule.ts';
import type { JsonValue } from './values/json.ts';
import type { Visibility } from './visibility.ts';

/** The admin page of a server: with its settings in the schema, or `true`. */
export type AdminSettings =
  | true
  | {
      /** URL of an entry's preview, with `{type}`, `{id}` and names of attributes as placeholders. */
      readonly previewUrl?: string;
      /** The uids of types in the order of the menu; the others follow. */
      readonly order?: readonly string[];
    };

/** The preview URL of a project; undefined if it has none. */
export function previewUrlOf(admin: AdminSettings | undefined): string | undefined {
  return typeof admin === 'object' ? admin.previewUrl : undefined;
}

/** Name of the session cookie of the project `name`. Behind TLS it is prefixed with `__Host-`. */
export function adminCookie(name: string): string {
  // Cookies are shared by all ports of a host, and each port may have the server of another project.
  return `${name.replaceAll(/[^\w-]/gu, '_')}_admin`;
}

/** Request header: the session cookie is accepted only together with the value `1`, because other sites can't send it. */
export const ADMIN_HEADER = 'X-Admin-Session';

/** The signed-in user with their permissions. */
export interface AdminSession {
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
  readonly role: { readonly name: string; readonly type: string };
  /** Uid of a type, or name of an endpoint in the schema (`upload`, `users`) → permitted actions. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  /** Locale codes; the first is the default. */
  readonly locales: readonly string[];
}

/** Where the page finds the team's own fields, pages and buttons. */
export interface AdminOwnPart {
  /** The module that defines them: `/admin/extensions/…/index.js`. */
  readonly module: string;
  /** Where the server says which version it has, during development. */
  readonly version?: string;
}

/** What the sign-in offers: the response body of `/api/admin/sign-in`. */
export interface AdminSignIn {
  /** Whether the server can mail a code for a new password. */
  readonly passwordReset: boolean;
  /** The team's own part of the page, with its name, logo and colours; absent if there is none. */
  readonly own?: AdminOwnPart;
}

interface AdminAttributeBase {
  readonly required?: true;
  /** The condition under which it takes a value. */
  readonly visible?: Visibility;
  /** Can be set, but is never part of a response. */
  readonly private?: true;
  /** Can't be set by requests. */
  readonly writable?: false;
  /** The writes whose rule, of the caller's role, doesn't let a request name it. */
  readonly refusedIn?: readonly WriteAction[];
  /** Localized types only. False: one value for all locales. */
  readonly localized?: false;
  /** The name that people see. Absent: derived from the name of the attribute. */
  readonly displayName?: string;
  readonly description?: string;
  readonly texts?: Translations;
}

export interface AdminScalar extends AdminAttributeBase, Omit<ScalarRules, 'required' | 'unique'> {
  readonly type: ScalarType;
  readonly unique?: true;
  readonly default?: JsonValue;
  /** `uid` only: the attribute that the value is generated from. */
  readonly targetField?: string;
  readonly enumLabels?: Readonly<Record<string, string>>;
  /** The name of a field of the team's own. */
  readonly field?: string;
}

export interface AdminRelation extends AdminAttributeBase {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly multiple: boolean;
  /** Uid of the target type. Absent if there are several. */
  readonly target?: string;
  /** `/api/authors` */
  readonly targetEndpoint?: string;
  /** Relations to several types: the ones that the caller may find. */
  readonly targets?: readonly string[];
  /** The target's attribute on the other side of the relation: `mappedBy` if that side has the column, else `inversedBy`. */
  readonly inversedBy?: string;
  readonly mappedBy?: string;
  /** This is the read-only inverse side of a polymorphic relation: the target's attribute that owns the relation. */
  readonly morphBy?: string;
}

export interface AdminMedia extends AdminAttributeBase {
  readonly type: 'media';
  readonly multiple: boolean;
  /** `images`, `files`, `videos`, `audios`; absent: all. */
  readonly allowedTypes?: readonly string[];
}

export interface AdminComponentUse extends AdminAttributeBase {
  readonly type: 'component';
  /** The uid of the component. */
  readonly component: string;
  readonly repeatable: boolean;
  /** Bounds of the number of items. */
  readonly min?: number;
  readonly max?: number;
}

export interface AdminZone extends AdminAttributeBase {
  readonly type: 'dynamiczone';
  readonly components: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

export type AdminAttribute = AdminScalar | AdminRelation | AdminMedia | AdminComponentUse | AdminZone;

/** Attributes by name, in the schema's order. */
export type AdminAttributes = Readonly<Record<string, AdminAttribute>>;

/** Which entries of a type the rules of the caller's role let the caller change. */
export interface AdminRules {
  /** Actions that reach only some entries, each with the filter of the rule: `{ author: '$user' }`. */
  readonly where: Readonly<Partial<Record<WriteAction | 'delete', RuleFilter>>>;
}

/** What the caller's rules permit with one entry: the response body of `/api/admin/rights/{type}/{id}`. */
export interface AdminEntryRights {
  readonly update: boolean;
  readonly draft: boolean;
  readonly delete: boolean;
}

export interface AdminType {
  /** `article`: identifies the type in permissions and relations. */
  readonly uid: string;
  /** `api::article.article`: the `__type` of its entries in relations to several types. */
  readonly name: string;
  readonly kind: 'collection' | 'single';
  /** `/api/articles` */
  readonly endpoint: string;
  readonly singular: string;
  readonly plural: string;
  /** The name that people see. */
  readonly displayName: string;
  /** The name of several entries; absent if the schema has none. */
  readonly pluralDisplayName?: string;
  readonly description?: string;
  readonly texts?: Translations;
  readonly group?: string;
  readonly icon?: PanelIcon;
  /** Absent: all attributes below each other, in the schema's order. */
  readonly layout?: PanelLayout;
  /** The attribute that identifies an entry to people, or `id`. */
  readonly mainField: string;
  /** The columns of lists: names of attributes, and of fields that every entry has, such as `updatedAt`. */
  readonly columns: readonly string[];
  /** The views of its list that are for the caller; absent if there are none. */
  readonly views?: readonly ListView[];
  readonly draftAndPublish: boolean;
  /** Drafts can be published at a time. */
  readonly schedules?: true;
  /** For how many days deleted entries can be restored. */
  readonly trash?: number;
  /** The versions of its entries are kept. */
  readonly history?: true;
  readonly localized: boolean;
  /** Absent: the caller's permissions hold for every entry. */
  readonly rules?: AdminRules;
  readonly attributes: AdminAttributes;
}

export interface AdminComponent {
  /** `category.name` */
  readonly uid: string;
  readonly displayName: string;
  readonly description?: string;
  readonly texts?: Translations;
  readonly attributes: AdminAttributes;
}

/** The part of a server's content model that the caller may see. */
export interface AdminModel {
  /** The name of the project. */
  readonly name: string;
  /** The types of the schema, in the order that it gives them, then by uid. */
  readonly types: readonly AdminType[];
  /** Whether the schema gives the types an order. */
  readonly isOrdered?: true;
  /** The users, if the caller may find them. Their request and response bodies have no envelope. */
  readonly users?: AdminType;
  readonly components: readonly AdminComponent[];
  readonly previewUrl?: string;
  /** The team's own part of the page; absent if there is none. */
  readonly own?: AdminOwnPart;
  /** Absent if the server has no files. `sizeLimit` is in bytes, `trash` in days; `folders` if the role sees them, `focalPoints` and
   * `crops` if images have them, `resumable` if uploads that are cut off can continue, `tags` if
   * files have them. */
  readonly upload?: {
    readonly sizeLimit: number;
    readonly trash?: number;
    readonly folders?: true;
    readonly focalPoints?: true;
    readonly crops?: true;
    readonly resumable?: true;
    readonly tags?: true;
  };
  /** Whether it is recorded who did what. */
  readonly audit?: true;
  /** Whether anybody is told of events, and whether there are jobs. */
  readonly webhooks?: true;
  readonly jobs?: true;
  /** The limit of a list's `total`: a list with this `total` may be longer. */
  readonly maxCount?: number;
  /** The format of requests that don't name one. */
  readonly format: FormatName;
  /** Whether every entry has a document id, and both formats are served. */
  readonly documentIds: boolean;
}
