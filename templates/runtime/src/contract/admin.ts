/** What the admin page is told: the answers of `/api/admin/session` and `/api/admin/model`. */
import type { ScalarRules } from './attribute-types/attribute-type.ts';
import type { ScalarType } from './attribute-types/scalar-type.ts';
import type { FormatName } from './api-settings.ts';
import type { RelationKind } from './content-type.ts';
import type { JsonValue } from './values/json.ts';

/** Whether a server has the page, and what the schema says of all of it. */
export type AdminSettings =
  | true
  | {
      /** Where an entry can be looked at: a URL with `{type}`, `{id}` and names of attributes. */
      readonly previewUrl: string;
    };

/** The cookie of a session, of the project `name`. Behind TLS it has the prefix `__Host-`. */
export function adminCookie(name: string): string {
  // Servers of several projects may share a host, and cookies know no ports.
  return `${name.replaceAll(/[^\w-]/gu, '_')}_admin`;
}

/** With `1`, a request counts by the cookie of the page; other sites can't send it. */
export const ADMIN_HEADER = 'X-Admin-Session';

/** Who is signed in, and what they may do. */
export interface AdminSession {
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
  readonly role: { readonly name: string; readonly type: string };
  /** By the uid of a type, or what the schema calls an endpoint (`upload`, `users`): the actions. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  /** Codes; the first is the default. */
  readonly locales: readonly string[];
}

interface AdminAttributeBase {
  readonly required?: true;
  /** It can be set, and is never answered. */
  readonly private?: true;
  /** No request sets it. */
  readonly writable?: false;
  /** Of localized types: false where one value is for all locales. */
  readonly localized?: false;
  readonly description?: string;
}

export interface AdminScalar extends AdminAttributeBase, Omit<ScalarRules, 'required' | 'unique'> {
  readonly type: ScalarType;
  readonly unique?: true;
  readonly default?: JsonValue;
  /** `uid`: the attribute that it is made from. */
  readonly targetField?: string;
}

export interface AdminRelation extends AdminAttributeBase {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly multiple: boolean;
  /** The uid of the other type. Absent: there are several. */
  readonly target?: string;
  /** `/api/authors` */
  readonly targetEndpoint?: string;
  /** Of relations to several types: those that the caller may find. */
  readonly targets?: readonly string[];
  /** The attribute of the target that is the other side, which has the column (`mappedBy`), or has not (`inversedBy`). */
  readonly inversedBy?: string;
  readonly mappedBy?: string;
  /** The attribute of the target that is a relation to several types, of which this is the other side; nobody writes it. */
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
  /** How many items it has. */
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

export interface AdminType {
  /** `article`: by it permissions and targets name the type. */
  readonly uid: string;
  /** `api::article.article`: by it entries of relations to several types name the type, as `__type`. */
  readonly name: string;
  readonly kind: 'collection' | 'single';
  /** `/api/articles` */
  readonly endpoint: string;
  readonly singular: string;
  readonly plural: string;
  /** For people. */
  readonly displayName: string;
  readonly description?: string;
  readonly group?: string;
  /** An attribute, or `id`. */
  readonly mainField: string;
  /** Names of attributes, or of what every entry has, such as `updatedAt`. */
  readonly columns: readonly string[];
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: AdminAttributes;
}

export interface AdminComponent {
  /** `category.name` */
  readonly uid: string;
  readonly displayName: string;
  readonly description?: string;
  readonly attributes: AdminAttributes;
}

/** What the caller may see of a server's content types. */
export interface AdminModel {
  /** The name of the project. */
  readonly name: string;
  /** Of the schema, in its order by uid. */
  readonly types: readonly AdminType[];
  /** The accounts, where the caller may find them: their answers and bodies have no envelope. */
  readonly users?: AdminType;
  readonly components: readonly AdminComponent[];
  readonly previewUrl?: string;
  /** Absent: the server has no files. `sizeLimit` is in bytes. */
  readonly upload?: { readonly sizeLimit: number };
  /** `total` of a list is never larger: then nobody knows where the list ends. */
  readonly maxCount?: number;
  /** The format of requests that name none. */
  readonly format: FormatName;
  /** Whether every entry has a document id, and both formats are served. */
  readonly documentIds: boolean;
}
