/** The value of a relation or media attribute in the v5 format, in the form that names entries by their ids. */
import type { ContentTypes, MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { invalidKey } from '../../contract/invalid-key.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import { typeName } from '../../query/type-name.ts';

/** An entry that a request names by its document id. */
export interface DocumentRef {
  /** Singular API id. */
  readonly type: string;
  readonly documentId: string;
  /** As the element says it. */
  readonly locale: string | undefined;
  /** Where it is only to be disconnected, one that does not exist is no error. */
  readonly isGone: boolean;
}

/** The id of an entry; undefined where there is none and the reference forgives that. */
export type Resolve = (ref: DocumentRef) => number | undefined;

interface Context {
  readonly types: ContentTypes;
  readonly resolve: Resolve;
}

type Links = RelationAttribute | MediaAttribute;
type Path = readonly string[];
type Verb = 'set' | 'connect' | 'disconnect';
type JsonObject = Readonly<Record<string, unknown>>;

const VERBS: ReadonlySet<string> = new Set<Verb>(['set', 'connect', 'disconnect']);
/** What an element may say that is named by its document id. */
const OF_ELEMENT: Readonly<Record<Verb | 'direct', ReadonlySet<string>>> = {
  direct: new Set(['documentId', 'locale']),
  set: new Set(['documentId', 'locale', 'status']),
  connect: new Set(['documentId', 'locale', 'status', 'position']),
  disconnect: new Set(['documentId', 'locale', 'status']),
};

/** The targets of an attribute, and whether a value has to say which of them it means. */
function targetsOf(attribute: Links): { readonly targets: readonly string[]; readonly isMorph: boolean } {
  if (attribute.type === 'media') return { targets: ['file'], isMorph: false };
  const { storage, target } = attribute;
  if (storage.kind === 'morph') return { targets: Object.keys(storage.targets), isMorph: true };
  return { targets: target === undefined ? [] : [target], isMorph: false };
}

function refuse(key: string, path: Path): never {
  throw invalidKey(key.slice(0, 100), { source: 'body', path: path.join('.') });
}

/** The target that an object names by `__type`, or the only one; undefined where it names none. */
function typeIn(attribute: Links, object: JsonObject): string | undefined {
  const { targets, isMorph } = targetsOf(attribute);
  if (!isMorph) return targets[0];
  const name = object['__type'];
  return targets.find((uid) => name === uid || name === typeName(uid));
}

/** Whether a value is the text of a document id: ids are numbers, or their digits. */
function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && !/^\d+$/u.test(value);
}

interface Element {
  readonly context: Context;
  readonly attribute: Links;
  readonly verb: Verb | 'direct';
  readonly path: Path;
}

function localeIn(object: JsonObject): string | undefined {
  return typeof object['locale'] === 'string' ? object['locale'] : undefined;
}

/** An entry that is named by a text or an object, as the validators take it; undefined for one that is gone. */
function named({ context, attribute, verb }: Element, value: unknown, object: JsonObject): unknown {
  const type = typeIn(attribute, object);
  const given = isRecord(value) ? value['documentId'] : value;
  if (type === undefined || !isDocumentId(given)) return value;
  const ref = { type, documentId: given, locale: localeIn(object), isGone: verb === 'disconnect' };
  const id = context.resolve(ref);
  return id === undefined ? undefined : { id, ...(targetsOf(attribute).isMorph && { type }) };
}

/** `{before: …}` with ids; the type of an anchor may stand beside it. */
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

/** What is left of an element that has an id: that counts, and the rest is what clients read. */
function byId(element: Element, { documentId: _id, status: _status, locale: _locale, ...value }: JsonObject): unknown {
  if (!Object.hasOwn(value, 'position')) return value;
  return { ...value, position: positionOf(element, value['position'], value) };
}

function elementValue(element: Element, value: unknown): unknown {
  const { attribute, verb, path } = element;
  const { isMorph } = targetsOf(attribute);
  if (!isRecord(value)) {
    if (Array.isArray(value)) return refuse('0', path);
    // Of which type it is can't be told.
    if (isMorph) return refuse(path.at(-1) ?? '', path);
    return named(element, value, {});
  }
  if (Object.hasOwn(value, 'id')) return byId(element, value);
  if (!Object.hasOwn(value, 'documentId')) return value;
  const known = OF_ELEMENT[verb];
  const unknown = Object.keys(value).find((key) => !known.has(key) && !(isMorph && key === '__type'));
  if (unknown !== undefined) return refuse(unknown, path);
  const link = named(element, value, value);
  if (!isRecord(link) || !Object.hasOwn(value, 'position')) return link;
  return { ...link, position: positionOf(element, value['position'], value) };
}

function elements(element: Element, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => elementValue(element, one)).filter((one) => one !== undefined);
  // One alone is as good as a list of it.
  if (element.verb === 'connect' || value === null || value === undefined) return value;
  return elements(element, [value]);
}

/** Throws HttpError 400 for a name that has no place, and what `resolve` throws. */
export function relationValue(context: Context, attribute: Links, value: unknown, path: Path): unknown {
  const direct: Element = { context, attribute, verb: 'direct', path };
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return elements(direct, value);
  const isEntry = isRecord(value) && (Object.hasOwn(value, 'id') || Object.hasOwn(value, 'documentId'));
  if (!isRecord(value) || isEntry) return elementValue(direct, value);
  const unknown = Object.keys(value).find((key) => !VERBS.has(key));
  if (unknown !== undefined) return refuse(unknown, path);
  return Object.fromEntries(
    Object.entries(value).map(([verb, given]) => [verb, elements({ ...direct, verb: verb as Verb }, given)]),
  );
}
