/**
 * The two states in which entries of types with drafts are read: as drafts, or as they are published. The published state has a
 * content type of its own for each type, with the same attributes over other tables. Links refer to ids, which are the same in both
 * states, so a relation can lead from one state to the other.
 */
import type { Attribute, ContentType, ContentTypes, RelationStorage } from './content-type.ts';

/** A type in the published state. */
export interface PublishedType extends ContentType {
  /** The table with the drafts: it has a row for each entry that links refer to, published or not. */
  readonly entries: string;
}

function publishedStorage<Storage extends RelationStorage>(storage: Storage): Storage {
  const { published } = storage;
  if (published === undefined) return storage;
  return typeof published === 'string' ? { ...storage, table: published } : { ...storage, ...published };
}

function publishedAttribute(attribute: Attribute): Attribute {
  if (attribute.type === 'relation') return { ...attribute, storage: publishedStorage(attribute.storage) };
  if (attribute.type === 'media') return { ...attribute, storage: publishedStorage(attribute.storage) };
  return attribute;
}

function publishedType(type: ContentType): PublishedType {
  const { published, table, componentLinks, search } = type;
  const attributes = Object.entries(type.attributes).map(([name, one]) => [name, publishedAttribute(one)] as const);
  return {
    ...type,
    entries: table,
    attributes: Object.fromEntries(attributes),
    ...(published && {
      table: published.table,
      ...(componentLinks && { componentLinks: { ...componentLinks, table: published.componentLinks ?? '' } }),
      ...(search && { search: { ...search, index: published.search ?? search.index } }),
      ...(published.memberIndexes && { memberIndexes: published.memberIndexes }),
    }),
  };
}

const known = new WeakMap<ContentTypes, ContentTypes>();

/** The types in the published state: the same if no type has published versions beside its drafts. */
export function publishedTypes(types: ContentTypes): ContentTypes {
  const found = known.get(types) ?? statesOf(types);
  known.set(types, found);
  return found;
}

function statesOf(types: ContentTypes): ContentTypes {
  if (!Object.values(types.types).some(({ published }) => published)) return types;
  return {
    types: Object.fromEntries(Object.values(types.types).map((type) => [type.uid, publishedType(type)])),
    // Their attributes lead to other types.
    components: Object.fromEntries(Object.values(types.components).map((one) => [one.uid, { ...one }])),
    locales: types.locales,
  };
}

/** A type in one of the states. */
export function inState(types: ContentTypes, type: ContentType, published: boolean): ContentType {
  if (isPublished(type) === published) return type;
  const all = published ? publishedTypes(types) : types;
  return Object.hasOwn(all.types, type.uid) ? (all.types[type.uid] ?? type) : type;
}

/** Whether a type is in the published state: all rows of its table are published. */
export function isPublished(type: ContentType): type is PublishedType {
  return 'entries' in type;
}

/** The table in which links find the entries of a type, in whatever state. */
export function entriesTable(type: ContentType): string {
  return isPublished(type) ? type.entries : type.table;
}
