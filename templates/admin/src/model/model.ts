/** The response of `GET /api/admin/model`: the types of the schema that the role may see. */
import type { Visibility } from './visibility.ts';

export interface AttributeRules {
  readonly required?: boolean;
  readonly visible?: Visibility;
  readonly unique?: boolean;
  readonly private?: boolean;
  readonly writable?: boolean;
  readonly localized?: boolean;
  readonly default?: unknown;
  readonly displayName?: string;
  readonly description?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: string;
  readonly enum?: readonly string[];
  readonly targetField?: string;
}

export const SCALAR_TYPES = [
  'string',
  'text',
  'richtext',
  'blocks',
  'email',
  'password',
  'uid',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'date',
  'time',
  'datetime',
  'timestamp',
  'boolean',
  'enumeration',
  'json',
] as const;

export interface ScalarAttribute extends AttributeRules {
  readonly type: (typeof SCALAR_TYPES)[number];
}

export interface MediaAttribute extends AttributeRules {
  readonly type: 'media';
  readonly multiple?: boolean;
  readonly allowedTypes?: readonly string[];
}

export type RelationKind =
  | 'oneToOne'
  | 'oneToMany'
  | 'manyToOne'
  | 'manyToMany'
  | 'oneWay'
  | 'manyWay'
  | 'morphToOne'
  | 'morphToMany'
  | 'morphOne'
  | 'morphMany';

export interface RelationAttribute extends AttributeRules {
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Whether the value is an ordered list. */
  readonly multiple: boolean;
  /** The uid of the target type; absent for polymorphic relations. */
  readonly target?: string;
  readonly targets?: readonly string[];
  readonly inversedBy?: string;
  readonly mappedBy?: string;
  /** The attribute of the target that owns the polymorphic relation; this side is read-only. */
  readonly morphBy?: string;
}

export interface ComponentAttribute extends AttributeRules {
  readonly type: 'component';
  readonly component: string;
  readonly repeatable?: boolean;
}

export interface ZoneAttribute extends AttributeRules {
  readonly type: 'dynamiczone';
  readonly components: readonly string[];
}

export type Attribute = ScalarAttribute | MediaAttribute | RelationAttribute | ComponentAttribute | ZoneAttribute;

export type Attributes = Readonly<Record<string, Attribute>>;

export interface ContentType {
  /** `article` */
  readonly uid: string;
  /** `api::article.article`, as in responses. */
  readonly name: string;
  readonly kind: 'collection' | 'single';
  /** `/api/articles` */
  readonly endpoint: string;
  readonly singular: string;
  readonly plural: string;
  readonly displayName: string;
  readonly description?: string;
  readonly group?: string;
  /** The attribute shown as an entry's title, or `id`. */
  readonly mainField: string;
  readonly columns: readonly string[];
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: Attributes;
}

export interface Component {
  readonly uid: string;
  readonly displayName: string;
  readonly attributes: Attributes;
}

export interface Model {
  /** The name of the project. */
  readonly name: string;
  readonly types: readonly ContentType[];
  /** The user type, if the role may read users. */
  readonly users?: ContentType;
  readonly components: readonly Component[];
  readonly previewUrl?: string;
  /** The server's default response format. */
  readonly format: 'v4' | 'v5';
  /** Whether entries have a `documentId`, which responses in the v5 format contain. */
  readonly documentIds: boolean;
  readonly upload?: { readonly sizeLimit: number };
  /** Upper limit of a list's `total`; a total at the limit means that the length is unknown. */
  readonly maxCount?: number;
}

/** Whether a relation can target several types. */
export function isPolymorphic({ relation }: RelationAttribute): boolean {
  return relation === 'morphToOne' || relation === 'morphToMany';
}

/** Whether a request body may set an attribute. The inverse side of a polymorphic relation is read-only. */
export function isWritable(attribute: Attribute): boolean {
  if (attribute.writable === false) return false;
  return attribute.type !== 'relation' || attribute.morphBy === undefined;
}

/**
 * The name that users see of an attribute: its display name, or one derived from its name: `metaTitle` → `Meta title`.
 * `attribute` is undefined for what every entry has, such as `updatedAt`.
 */
export function labelOf(name: string, attribute: Pick<AttributeRules, 'displayName'> | undefined): string {
  if (attribute?.displayName !== undefined) return attribute.displayName;
  const words = name.replaceAll(/[_-]+/gu, ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** The path segment after `/api/` and, in the admin panel, after `/admin/`: `articles`. */
export function resourceOf({ endpoint }: ContentType): string {
  return endpoint.replace('/api/', '');
}
