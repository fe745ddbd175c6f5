/** What `GET /api/admin/model` answers: the schema's types, as far as the role may see them. */

export interface AttributeRules {
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly private?: boolean;
  readonly writable?: boolean;
  readonly localized?: boolean;
  readonly default?: unknown;
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
  /** The uid of the other type; absent of a relation to several types. */
  readonly target?: string;
  readonly targets?: readonly string[];
  readonly inversedBy?: string;
  readonly mappedBy?: string;
  /** The attribute of the target that owns the relation; nobody writes this side of it. */
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
  /** `api::article.article`: as answers name it. */
  readonly name: string;
  readonly kind: 'collection' | 'single';
  /** `/api/articles` */
  readonly endpoint: string;
  readonly singular: string;
  readonly plural: string;
  readonly displayName: string;
  readonly description?: string;
  readonly group?: string;
  /** The attribute by which people know an entry, or `id`. */
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
  /** The accounts, where the role may find them. */
  readonly users?: ContentType;
  readonly components: readonly Component[];
  readonly previewUrl?: string;
  /** Of requests that name none. */
  readonly format: 'v4' | 'v5';
  readonly upload?: { readonly sizeLimit: number };
  /** `total` of a list is never larger: then nobody knows where the list ends. */
  readonly maxCount?: number;
}

/** Whether a relation leads to entries of several types. */
export function isPolymorphic({ relation }: RelationAttribute): boolean {
  return relation === 'morphToOne' || relation === 'morphToMany';
}

/** Whether a body may set an attribute; the other side of a polymorphic relation is written where it is owned. */
export function isWritable(attribute: Attribute): boolean {
  if (attribute.writable === false) return false;
  return attribute.type !== 'relation' || attribute.morphBy === undefined;
}

/** `metaTitle` → `Meta title`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[_-]+/gu, ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** What is behind `/api/` and, in the page, behind `/admin/`: `articles`. */
export function resourceOf({ endpoint }: ContentType): string {
  return endpoint.replace('/api/', '');
}
