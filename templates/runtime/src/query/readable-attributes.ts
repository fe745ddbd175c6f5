/**
 * The allow-list of names that queries may use, by type. It excludes private attributes and passwords, which therefore can't be
 * told apart from names that don't exist.
 */
import { COLUMN_NAMES as NAMES } from '../contract/column-names.ts';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  ContentTypes,
  ForeignKeyStorage,
  InverseForeignKeyStorage,
  InverseMorphStorage,
  LinkStorage,
  MediaAttribute,
  MorphStorage,
  RelationAttribute,
} from '../contract/content-type.ts';
import type { FileMarks } from './file-urls.ts';
import type { Vocabulary } from './format.ts';
import { isPublished, publishedTypes } from '../contract/states.ts';
import { USER_ATTRIBUTES } from '../contract/user-attributes.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';
import { attributeType, columnTypeOf, type ScalarType } from '../contract/attribute-types/scalar-type.ts';

/** A column, or a member of a component item. */
export interface ReadableScalar {
  readonly kind: 'scalar';
  readonly name: string;
  readonly type: ScalarType;
  readonly columnType: ColumnType;
  readonly column: string;
  /** Whether an index finds rows by its value. */
  readonly indexed: boolean;
  /** Its position in an index with the collation that lists are sorted by: the first column, or a further one. */
  readonly sorted?: 'first' | 'further';
  /** `publishedAt` of a type with drafts. */
  readonly isStatus?: true;
  /** Always shown as null, whatever the column contains. */
  readonly isUnset?: true;
  /** Contains addresses of files, which are to be signed: see `FileUrls`. */
  readonly marks?: FileMarks;
}

/** The locale in which a query shows entries behind a relation between entries. */
export interface ShownLocale {
  /** Undefined: the locale of the row from which the relation leads, if it has one. */
  readonly wanted: string | undefined;
  /** All locales, the default first. */
  readonly locales: readonly string[];
}

/** A relation or media attribute with one target type. */
export interface ReadableRelation {
  readonly kind: 'relation';
  readonly name: string;
  readonly many: boolean;
  readonly storage: ForeignKeyStorage | InverseForeignKeyStorage | InverseMorphStorage | LinkStorage;
  readonly target: ContentType;
  /** Media are shown to everyone who may see their entry; targets of other relations only to callers who may find them. */
  readonly media: boolean;
  /** The relation is between entries instead of rows. */
  readonly shared: boolean;
  /** In a query, for relations between entries: the locale in which they are shown. */
  readonly shown?: ShownLocale;
}

/** A polymorphic relation: its targets are of several types. */
export interface ReadableMorph {
  readonly kind: 'morph';
  readonly name: string;
  readonly many: boolean;
  readonly storage: MorphStorage;
  readonly targets: readonly { readonly type: ContentType; readonly column: string }[];
  readonly shared: boolean;
  readonly shown?: ShownLocale;
}

export interface ReadableComponent {
  readonly kind: 'component';
  readonly name: string;
  readonly column: string;
  readonly repeatable: boolean;
  readonly component: Component;
  /** All locales of the entry have the same items. */
  readonly shared: boolean;
}

export interface ReadableZone {
  readonly kind: 'zone';
  readonly name: string;
  readonly column: string;
  readonly components: readonly Component[];
  readonly shared: boolean;
}

/** The other locales of a localized entry. They can be populated and filtered by, but not sorted by. */
export interface ReadableLocalizations {
  readonly kind: 'localizations';
  readonly name: string;
  readonly target: ContentType;
}

export type Readable =
  ReadableScalar | ReadableRelation | ReadableMorph | ReadableComponent | ReadableZone | ReadableLocalizations;

/** The readable attributes of a type or component, in the order of the answer. Includes `id`, though it is not an attribute. */
export interface ReadableAttributes extends ReadonlyMap<string, Readable> {
  /** The name of the type or component. */
  readonly owner: string;
}

function relationOf(name: string, attribute: RelationAttribute, types: ContentTypes): Readable | undefined {
  const { storage, many } = attribute;
  const shared = attribute.shared === true;
  if (storage.kind === 'morph') {
    const targets = Object.entries(storage.targets).flatMap(([uid, column]) => {
      const type = typeOf(types, uid);
      return type ? [{ type, column }] : [];
    });
    return { kind: 'morph', name, many, storage, targets, shared };
  }
  const target = attribute.target === undefined ? undefined : typeOf(types, attribute.target);
  return target && { kind: 'relation', name, many, storage, target, media: false, shared };
}

function typeOf(types: ContentTypes, uid: string): ContentType | undefined {
  return Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
}

function componentOf(types: ContentTypes, uid: string): Component | undefined {
  return Object.hasOwn(types.components, uid) ? types.components[uid] : undefined;
}

function mediaOf(name: string, attribute: MediaAttribute, types: ContentTypes): Readable | undefined {
  const target = typeOf(types, 'file');
  const { many, storage } = attribute;
  // Files have no locales.
  return target && { kind: 'relation', name, many, storage, target, media: true, shared: false };
}

function componentAttributeOf(name: string, attribute: ComponentAttribute, types: ContentTypes): Readable | undefined {
  const component = componentOf(types, attribute.component);
  const { column, repeatable } = attribute;
  const shared = attribute.shared === true;
  return component && { kind: 'component', name, column, repeatable, component, shared };
}

/** Where attributes are read. */
interface ReadableScope {
  readonly types: ContentTypes;
  readonly indexes: Indexed;
  readonly showsPrivate: boolean;
}

/** The readable form of an attribute; undefined if it must not be read, or if the server lacks the type it refers to. */
function readable(name: string, attribute: Attribute, scope: ReadableScope): Readable | undefined {
  const { types, indexes, showsPrivate } = scope;
  if (attribute.private && !showsPrivate) {
    return undefined;
  }
  if (attribute.type === 'relation') {
    return relationOf(name, attribute, types);
  }
  if (attribute.type === 'media') {
    return mediaOf(name, attribute, types);
  }
  if (attribute.type === 'component') {
    return componentAttributeOf(name, attribute, types);
  }
  if (attribute.type === 'dynamiczone') {
    const components = attribute.components.flatMap((uid) => componentOf(types, uid) ?? []);
    return { kind: 'zone', name, column: attribute.column, components, shared: attribute.shared === true };
  }
  const { type, column, unique } = attribute;
  const { isSecret, columnType } = attributeType(type);
  if (isSecret) return undefined;
  const indexed = unique === true || type === 'uid';
  return { kind: 'scalar', name, type, columnType, column, indexed, ...indexes(name) };
}

/** The position of an attribute in the indexes of its type. */
type Indexed = (name: string) => Pick<ReadableScalar, 'sorted'>;

function indexedBy({ indexes: sorted = [], unique = [] }: Pick<ContentType, 'indexes' | 'unique'>): Indexed {
  const indexes = [...sorted, ...unique];
  const nameOf = (key: string): string => (key.startsWith('-') ? key.slice(1) : key);
  const all = new Set(indexes.flat().map(nameOf));
  const first = new Set(indexes.flatMap((keys) => keys.slice(0, 1)).map(nameOf));
  return (name) => (first.has(name) ? { sorted: 'first' } : all.has(name) ? { sorted: 'further' } : {});
}

function attributesOf(
  { uid, attributes, ...owner }: Pick<ContentType, 'uid' | 'attributes' | 'indexes' | 'unique'>,
  types: ContentTypes,
  vocabulary: Vocabulary,
): [string, Readable][] {
  const scope = { types, indexes: indexedBy(owner) };
  return Object.entries(attributes).flatMap(([name, attribute]): [string, Readable][] => {
    // Those with which the server keeps accounts are for no code of the project.
    const showsPrivate = vocabulary === 'server' && !(uid === 'user' && USER_ATTRIBUTES.has(name));
    const known = readable(name, attribute, { ...scope, showsPrivate });
    return known ? [[name, known]] : [];
  });
}

const INDEXED: ReadonlySet<string> = new Set([NAMES.id, NAMES.documentId]);

function system(name: string, type: ScalarType, column: string, indexes?: Indexed): [string, ReadableScalar] {
  const indexed = INDEXED.has(column);
  return [name, { kind: 'scalar', name, type, columnType: columnTypeOf(type), column, indexed, ...indexes?.(name) }];
}

function named(owner: string, attributes: readonly (readonly [string, Readable])[]): ReadableAttributes {
  return Object.assign(new Map(attributes), { owner });
}

/** The system attributes of a format. Types without drafts count as published from their creation. */
function systemAttributes({ draftAndPublish, documentIds }: ContentType, vocabulary: Vocabulary, indexes: Indexed) {
  const column = draftAndPublish ? NAMES.publishedAt : NAMES.createdAt;
  const [name, published] = system('publishedAt', 'datetime', column, indexes);
  const status: [string, ReadableScalar] = [name, draftAndPublish ? { ...published, isStatus: true } : published];
  return {
    first: vocabulary !== 'v4' && documentIds ? [system('documentId', 'string', NAMES.documentId)] : [],
    last: vocabulary === 'v5' || draftAndPublish ? [status] : [],
  };
}

function readType(type: ContentType, types: ContentTypes, vocabulary: Vocabulary): ReadableAttributes {
  const indexes = indexedBy(type);
  const { first, last } = systemAttributes(type, vocabulary, indexes);
  return named(type.uid, [
    system('id', 'biginteger', NAMES.id),
    ...first,
    ...attributesOf(type, types, vocabulary),
    system('createdAt', 'datetime', NAMES.createdAt, indexes),
    system('updatedAt', 'datetime', NAMES.updatedAt, indexes),
    ...last,
    ...(type.localized ? [system('locale', 'string', NAMES.locale)] : []),
    ...(type.localized
      ? [['localizations', { kind: 'localizations', name: 'localizations', target: type }] as const]
      : []),
  ]);
}

export interface AllowList {
  readonly types: ContentTypes;
  /** The allow-list that no rules of a caller narrow. */
  readonly whole: AllowList;
  ofType(type: ContentType, vocabulary: Vocabulary): ReadableAttributes;
  /** The attributes of what a query asks for. */
  ofRoot(type: ContentType, vocabulary: Vocabulary): ReadableAttributes;
  ofComponent(component: Component, vocabulary: Vocabulary): ReadableAttributes;
}

/** The attributes of files with addresses of files. */
const WITH_ADDRESSES = ['url', 'formats'];

function withMarks(attributes: ReadableAttributes, marks: FileMarks): ReadableAttributes {
  const marked = new Map(attributes);
  for (const name of WITH_ADDRESSES) {
    const readable = attributes.get(name);
    if (readable?.kind === 'scalar') marked.set(name, { ...readable, marks });
  }
  return Object.assign(marked, { owner: attributes.owner });
}

/**
 * The allow-list of all types of a server; `marks`: how addresses of files are marked, if they are to be signed.
 * Each type's is created on first use.
 */
export function createAllowList(types: ContentTypes, marks?: FileMarks): AllowList {
  const known = new Map<Vocabulary, Map<ContentType | Component, ReadableAttributes>>();
  function remembered(
    owner: ContentType | Component,
    vocabulary: Vocabulary,
    read: () => ReadableAttributes,
  ): ReadableAttributes {
    const all = known.get(vocabulary) ?? new Map<ContentType | Component, ReadableAttributes>();
    known.set(vocabulary, all);
    const attributes = all.get(owner) ?? read();
    all.set(owner, attributes);
    return attributes;
  }
  const ofType: AllowList['ofType'] = (type, vocabulary) =>
    remembered(type, vocabulary, () => {
      const read = readType(type, isPublished(type) ? publishedTypes(types) : types, vocabulary);
      return marks && type.uid === 'file' && vocabulary !== 'server' ? withMarks(read, marks) : read;
    });
  const allowed: AllowList = {
    types,
    get whole() {
      return allowed;
    },
    ofType,
    ofRoot: ofType,
    ofComponent: (component, vocabulary) =>
      remembered(component, vocabulary, () => {
        const all = types.components[component.uid] === component ? types : publishedTypes(types);
        return named(component.uid, [system('id', 'biginteger', 'id'), ...attributesOf(component, all, vocabulary)]);
      }),
  };
  return allowed;
}
