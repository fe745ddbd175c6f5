/** Converts the value of a relation or media attribute in the v5 format to the form with ids. */
import type { ContentTypes, MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import { typeNamed } from '../../contract/type-name.ts';
import type { UnknownKeys } from './unknown-keys.ts';

/** A reference to an entry by document id. */
export interface DocumentRef {
  /** The singular API id. */
  readonly type: string;
  readonly documentId: string;
  /** As given with the reference. */
  readonly locale: string | undefined;
  /** The relation is between entries: the entry may have any locale. */
  readonly isShared: boolean;
  /** If the entry is only to be disconnected, it need not exist. */
  readonly isGone: boolean;
}

/** The id of an entry; undefined if it does not exist and need not. */
export type Resolve = (ref: DocumentRef) => number | undefined;

interface Context {
  readonly types: ContentTypes;
  readonly resolve: Resolve;
  readonly unknown: UnknownKeys;
}

type Links = RelationAttribute | MediaAttribute;
type Path = readonly string[];
type Verb = 'set' | 'connect' | 'disconnect';
type JsonObject = Readonly<Record<string, unknown>>;

const VERBS: ReadonlySet<string> = new Set<Verb>(['set', 'connect', 'disconnect']);
/** The names allowed in an element with a document id. */
const OF_ELEMENT: Readonly<Record<Verb | 'direct', ReadonlySet<string>>> = {
  direct: new Set(['documentId', 'locale']),
  set: new Set(['documentId', 'locale', 'status']),
  connect: new Set(['documentId', 'locale', 'status', 'position']),
  disconnect: new Set(['documentId', 'locale', 'status']),
};

/** The target types of an attribute, and whether a value must name one of them. */
function targetsOf(attribute: Links): { readonly targets: readonly string[]; readonly isMorph: boolean } {
  if (attribute.type === 'media') return { targets: ['file'], isMorph: false };
  const { storage, target } = attribute;
  if (storage.kind === 'morph') return { targets: Object.keys(storage.targets), isMorph: true };
  return { targets: target === undefined ? [] : [target], isMorph: false };
}

/** Reports a key that is not allowed; the value of its object is then irrelevant. */
function refuse({ context: { unknown }, path }: Element, key: string, known: Iterable<string> = []): undefined {
  unknown.add({ key, path, known: () => known });
}

/** The target type that an object names in `__type`, or the only one; undefined if it names none. */
function typeIn(attribute: Links, object: JsonObject): string | undefined {
  const { targets, isMorph } = targetsOf(attribute);
  if (!isMorph) return targets[0];
  return typeNamed(object['__type'], targets);
}

/** Whether a value is a document id: ids are numbers or digits. */
function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && !/^\d+$/u.test(value);
}

interface Element {
  readonly context: Context;
  readonly attribute: Links;
  readonly verb: Verb | 'direct';
  readonly path: Path;
  readonly isShared: boolean;
}

function localeIn(object: JsonObject): string | undefined {
  return typeof object['locale'] === 'string' ? object['locale'] : undefined;
}

/** Resolves a document id, given as a string or in an object, for the validators; undefined if the entry is gone. */
function named({ context, attribute, verb, isShared }: Element, value: unknown, object: JsonObject): unknown {
  const type = typeIn(attribute, object);
  const given = isRecord(value) ? value['documentId'] : value;
  if (type === undefined || !isDocumentId(given)) return value;
  const ref = { type, documentId: given, locale: localeIn(object), isShared, isGone: verb === 'disconnect' };
  const id = context.resolve(ref);
  return id === undefined ? undefined : { id, ...(targetsOf(attribute).isMorph && { type }) };
}

/** Resolves the ids in `{before: …}` and `{after: …}`. The type and locale of the anchor may be given beside it. */
function positionOf(element: Element, position: unknown, own: JsonObject): unknown {
  if (!isRecord(position)) return position;
  const { __type, locale, status: _, ...rest } = position;
  const beside = {
    ...(__type === undefined ? { __type: own['__type'] } : { __type }),
    ...(locale === undefined ? { locale: own['locale'] } : { locale }),
  };
  const places = Object.entries(rest).map(([place, anchor]) => {
    if (place !== 'before' && place !== 'after') return [place, anchor] as const;
    const object = { ...beside, ...(isRecord(anchor) ? anchor : {}) };
    const isMorph = targetsOf(element.attribute).isMorph;
    if (isDocumentId(anchor) || (isRecord(anchor) && Object.hasOwn(anchor, 'documentId'))) {
      return [place, named(element, anchor, object)] as const;
    }
    const type = typeIn(element.attribute, object);
    return [place, isMorph && !isRecord(anchor) ? { id: anchor, type } : anchor] as const;
  });
  return Object.fromEntries(places);
}

/** An element with an id: the id takes precedence, and members copied from an answer are dropped. */
function byId(element: Element, given: JsonObject): unknown {
  const { documentId: _id, status: _status, locale: _locale, ...value } = given;
  if (!Object.hasOwn(value, 'position')) return value;
  // An anchor named by document id is in the locale of its element.
  return { ...value, position: positionOf(element, value['position'], given) };
}

function elementValue(element: Element, value: unknown): unknown {
  const { attribute, verb, path } = element;
  const { isMorph } = targetsOf(attribute);
  if (!isRecord(value)) {
    if (Array.isArray(value)) return refuse(element, '0');
    // Without a type the reference is ambiguous.
    if (isMorph) return refuse(element, path.at(-1) ?? '');
    return named(element, value, {});
  }
  if (Object.hasOwn(value, 'id')) return byId(element, value);
  if (!Object.hasOwn(value, 'documentId')) return value;
  const known = OF_ELEMENT[verb];
  const unknown = Object.keys(value).find((key) => !known.has(key) && !(isMorph && key === '__type'));
  if (unknown !== undefined) return refuse(element, unknown, known);
  const link = named(element, value, value);
  if (!isRecord(link) || !Object.hasOwn(value, 'position')) return link;
  return { ...link, position: positionOf(element, value['position'], value) };
}

function elements(element: Element, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => elementValue(element, one)).filter((one) => one !== undefined);
  // A single element stands for a list of one.
  if (value === null || value === undefined) return value;
  return elements(element, [value]);
}

/** `isShared`: the relation is between entries. Throws what `resolve` throws. */
export function relationValue(
  context: Context,
  attribute: Links,
  value: unknown,
  { path, isShared }: { readonly path: Path; readonly isShared: boolean },
): unknown {
  const direct: Element = { context, attribute, verb: 'direct', path, isShared };
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return elements(direct, value);
  const isEntry = isRecord(value) && (Object.hasOwn(value, 'id') || Object.hasOwn(value, 'documentId'));
  if (!isRecord(value) || isEntry) return elementValue(direct, value);
  const unknown = Object.keys(value).find((key) => !VERBS.has(key));
  if (unknown !== undefined) return refuse(direct, unknown, VERBS);
  return Object.fromEntries(
    Object.entries(value).map(([verb, given]) => [verb, elements({ ...direct, verb: verb as Verb }, given)]),
  );
}
