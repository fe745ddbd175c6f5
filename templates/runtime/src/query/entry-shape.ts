/** The shapes of entries, and of the relations in them, in an answer. */
import { type JsonMembers, type JsonTree, object, value, values } from './compile/json-tree.ts';

/** The parts of an entry. `T` stands for a value from the database. */
export interface EntryParts<T> {
  readonly id: T;
  /** Undefined if the type has no document ids. */
  readonly documentId: T | undefined;
  /** Attributes, including populated ones, in order. */
  readonly attributes: readonly (readonly [name: string, value: T])[];
  /** Its other locales; undefined if the type is not localized. Called only by shapes that show them. */
  readonly locales: () => T | undefined;
}

export interface EntryShape {
  entry<T>(parts: EntryParts<T>): JsonTree<T>;
  /** The value of a relation with one target type: `data` is an entry, null or an array. */
  related<T>(data: T): JsonTree<T>;
  /** The value of a relation with several target types. */
  morph<T>(data: T): JsonTree<T>;
  /** The number of related entries. */
  count<T>(count: T): JsonTree<T>;
  /** A substring that each entry contains once, for counting the entries in a JSON string. Stored JSON may contain it, too. */
  readonly signature: string;
  /** The length of the shortest possible entry, in characters. */
  readonly minLength: number;
  /** Whether an entry of a localized type lists its other locales. */
  readonly showsLocales: boolean;
  /** Whether a related entry is its id and nothing else, which its link has: its row is not read. */
  readonly onlyIds?: true;
}

function documentMember<T>({ documentId }: EntryParts<T>): JsonMembers<T> {
  return documentId === undefined ? [] : [['documentId', value(documentId)]];
}

function wrapped<T>(data: T): JsonTree<T> {
  return object([['data', value(data)]]);
}

/** The form in which Strapi 4 answers counts. */
function wrappedCount<T>(count: T): JsonTree<T> {
  return object([['data', object([['attributes', object([['count', value(count)]])]])]]);
}

function nestedEntry<T>({ id, attributes, locales }: EntryParts<T>, document: JsonMembers<T>): JsonTree<T> {
  const others = locales();
  const available: JsonTree<T> = others === undefined ? { kind: 'emptyArray' } : value(others);
  return object([
    ['id', value(id)],
    ...document,
    ['attributes', object(values(attributes))],
    ['meta', object([['availableLocales', available]])],
  ]);
}

/** `{id, attributes, meta}`, with relations wrapped in `{data}`. */
export const NESTED: EntryShape = {
  entry: (parts) => nestedEntry(parts, []),
  related: wrapped,
  morph: wrapped,
  count: wrappedCount,
  signature: ',"meta":{"availableLocales":[',
  minLength: '{"id":1,"attributes":{},"meta":{"availableLocales":[]}}'.length,
  showsLocales: true,
};

/** As `NESTED`, with the document ids of types that have them. */
export const NESTED_OWN: EntryShape = {
  ...NESTED,
  entry: (parts) => nestedEntry(parts, documentMember(parts)),
};

/** As `NESTED`, but without `meta` if the type is not localized. */
export const NESTED_SPARSE: EntryShape = {
  ...NESTED,
  entry(parts) {
    const others = parts.locales();
    return object([
      ['id', value(parts.id)],
      ['attributes', object(values(parts.attributes))],
      ...(others === undefined ? [] : [['meta', object([['availableLocales', value(others)]])] as const]),
    ]);
  },
  signature: ',"attributes":{',
  minLength: '{"id":1,"attributes":{}}'.length,
};

const DOCUMENT_ID_KEY = ',"documentId":"';

/** `{id, documentId, …attributes}`, with relations unwrapped. */
export const FLAT: EntryShape = {
  entry: (parts) => object([['id', value(parts.id)], ...documentMember(parts), ...values(parts.attributes)]),
  related: value,
  morph: value,
  count: (count) => object([['count', value(count)]]),
  signature: DOCUMENT_ID_KEY,
  minLength: '{"id":1,"documentId":""}'.length,
  showsLocales: false,
};

/** `{id, documentId, attributes}`: how Strapi 5 nests entries for Strapi 4 clients. Behind polymorphic relations, they are flat. */
export const NESTED_DOCUMENT: EntryShape = {
  entry: (parts) =>
    object([['id', value(parts.id)], ...documentMember(parts), ['attributes', object(values(parts.attributes))]]),
  related: wrapped,
  morph: value,
  count: wrappedCount,
  signature: DOCUMENT_ID_KEY,
  minLength: '{"id":1,"documentId":"","attributes":{}}'.length,
  showsLocales: false,
};
