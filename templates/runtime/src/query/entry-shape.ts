/** The shapes of an answer: what an entry looks like, and what is related to it. */
import { type JsonMembers, type JsonTree, object, value, values } from './compile/json-tree.ts';

/** What is said of an entry. `T` is what the database tells. */
export interface EntryParts<T> {
  readonly id: T;
  /** Undefined where the type has none. */
  readonly documentId: T | undefined;
  /** With what is populated, in their order. */
  readonly attributes: readonly (readonly [name: string, value: T])[];
  /** Its other locales; undefined where the type is not localized. Only called where they are shown. */
  readonly locales: () => T | undefined;
}

export interface EntryShape {
  entry<T>(parts: EntryParts<T>): JsonTree<T>;
  /** What an attribute says that relates to one type: of an entry, null or an array. */
  related<T>(data: T): JsonTree<T>;
  /** The same of an attribute that relates to several types. */
  morph<T>(data: T): JsonTree<T>;
  /** How many are related. */
  count<T>(count: T): JsonTree<T>;
  /** What every entry has once, for those who count entries in a text; stored JSON may have it too. */
  readonly mark: string;
  /** No entry is shorter than this. */
  readonly shortest: number;
}

function documentMember<T>({ documentId }: EntryParts<T>): JsonMembers<T> {
  return documentId === undefined ? [] : [['documentId', value(documentId)]];
}

function wrapped<T>(data: T): JsonTree<T> {
  return object([['data', value(data)]]);
}

/** As Strapi 4 counts. */
function wrappedCount<T>(count: T): JsonTree<T> {
  return object([['data', object([['attributes', object([['count', value(count)]])]])]]);
}

/** `{id, attributes, meta}`, and what is related in `{data}`. */
export const NESTED: EntryShape = {
  entry({ id, attributes, locales }) {
    const others = locales();
    const available: JsonTree<typeof id> = others === undefined ? { kind: 'emptyArray' } : value(others);
    return object([
      ['id', value(id)],
      ['attributes', object(values(attributes))],
      ['meta', object([['availableLocales', available]])],
    ]);
  },
  related: wrapped,
  morph: wrapped,
  count: wrappedCount,
  mark: ',"meta":{"availableLocales":[',
  shortest: '{"id":1,"attributes":{},"meta":{"availableLocales":[]}}'.length,
};

const DOCUMENT_MARK = ',"documentId":"';

/** `{id, documentId, …attributes}`, and what is related as it is. */
export const FLAT: EntryShape = {
  entry: (parts) => object([['id', value(parts.id)], ...documentMember(parts), ...values(parts.attributes)]),
  related: value,
  morph: value,
  count: (count) => object([['count', value(count)]]),
  mark: DOCUMENT_MARK,
  shortest: '{"id":1,"documentId":""}'.length,
};

/** `{id, documentId, attributes}`: what Strapi 5 makes of flat entries for clients of Strapi 4. Behind a polymorphic relation they stay flat. */
export const NESTED_DOCUMENT: EntryShape = {
  entry: (parts) =>
    object([['id', value(parts.id)], ...documentMember(parts), ['attributes', object(values(parts.attributes))]]),
  related: wrapped,
  morph: value,
  count: wrappedCount,
  mark: DOCUMENT_MARK,
  shortest: '{"id":1,"documentId":"","attributes":{}}'.length,
};
