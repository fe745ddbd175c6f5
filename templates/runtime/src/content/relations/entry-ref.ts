/** Parses the ids and link objects in a request. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { typeNamed } from '../../contract/type-name.ts';
import { isShownKey } from './echoed-keys.ts';
import type { EntryRef } from './relation-change.ts';

/** The possible targets of a relation attribute. */
export interface RelationTargets {
  /** Singular API ids. */
  readonly targets: readonly string[];
  /** Polymorphic: the target's type is part of the value, `{id, type}`. */
  readonly morph: boolean;
}

/** A parsed value, or the problem with it, as the predicate of a sentence: `must have an id`. */
export type ParseResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A JSON object with any members. */
export type JsonObject = Readonly<Record<string, unknown>>;

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Whether a value is an object, and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses an id, given as a number or as decimal text; undefined unless it is a positive safe integer. */
export function parseId(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^[1-9]\d{0,15}$/.test(value)) return undefined;
  const id = typeof value === 'string' ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The object of a link that names its type: for an entry of several types as the v4 format shows it, its attributes. */
function typedPart(link: JsonObject, { morph }: RelationTargets): JsonObject {
  const { attributes } = link;
  const isAsRead = morph && isObject(attributes) && !Object.hasOwn(link, 'type') && !Object.hasOwn(link, '__type');
  return isAsRead && Object.hasOwn(attributes, '__type') ? { __type: attributes['__type'] } : link;
}

/** The target type that a link object names in `type` or, as in responses, `__type`. */
function parseType(
  link: JsonObject,
  { targets, morph }: RelationTargets,
  types: ContentTypes | undefined,
): ParseResult<string> {
  const [only] = targets;
  // If the only target type has an attribute `type`, the key is that attribute, which the client has read and sent back.
  const isAttribute = !morph && only !== undefined && types !== undefined && isShownKey(types, only, 'type');
  const named = ['type', '__type'].filter((key) => Object.hasOwn(link, key) && !(isAttribute && key === 'type'));
  if (named.length === 0) {
    return only === undefined || morph ? failed('must have a type') : { ok: true, value: only };
  }
  const type = targets.find((target) => named.every((key) => typeNamed(link[key], [target]) !== undefined));
  return type === undefined ? failed(`must have the type ${targets.join(' or ')}`) : { ok: true, value: type };
}

/** Parses an id, its decimal text, or a link object, whose further keys are not checked here. */
export function parseEntryRef(value: unknown, targets: RelationTargets, types?: ContentTypes): ParseResult<EntryRef> {
  const link: JsonObject = isObject(value) ? value : { id: value };
  if (!Object.hasOwn(link, 'id')) return failed('must have an id');
  const id = parseId(link['id']);
  if (id === undefined) return failed('must be the id of an entry: a positive integer');
  const type = parseType(typedPart(link, targets), targets, types);
  return type.ok ? { ok: true, value: { type: type.value, id } } : type;
}
