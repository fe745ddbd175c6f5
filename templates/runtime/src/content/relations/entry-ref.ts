/** Reads the ids and link objects of a request. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { isShownKey } from './echoed-keys.ts';
import type { EntryRef } from './relation-change.ts';

/** What an attribute can be related to. */
export interface RelationTargets {
  /** Singular API ids. */
  readonly targets: readonly string[];
  /** The target's type is part of the value: `{id, type}`. */
  readonly morph: boolean;
}

/** A value that could be read, or why not, as the end of a sentence about it. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export type JsonObject = Readonly<Record<string, unknown>>;

const BUILT_IN_NAMES: ReadonlyMap<string, string> = new Map([
  ['user', 'plugin::users-permissions.user'],
  ['file', 'plugin::upload.file'],
]);

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id as a number or its decimal text: a positive integer that a number holds exactly. */
export function parseId(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^[1-9]\d{0,15}$/.test(value)) return undefined;
  const id = typeof value === 'string' ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function isNameOf(type: string, name: unknown): boolean {
  return name === type || name === (BUILT_IN_NAMES.get(type) ?? `api::${type}.${type}`);
}

/** The type of a link object, by the name that it says in `type` or, as answers say it, `__type`. */
function parseType(
  link: JsonObject,
  { targets, morph }: RelationTargets,
  types: ContentTypes | undefined,
): Result<string> {
  const [only] = targets;
  // An attribute of the one target that has this name is what a client has read of it.
  const isAttribute = !morph && only !== undefined && types !== undefined && isShownKey(types, only, 'type');
  const named = ['type', '__type'].filter((key) => Object.hasOwn(link, key) && !(isAttribute && key === 'type'));
  if (named.length === 0) {
    return only === undefined || morph ? failed('must have a type') : { ok: true, value: only };
  }
  const type = targets.find((target) => named.every((key) => isNameOf(target, link[key])));
  return type === undefined ? failed(`must have the type ${targets.join(' or ')}`) : { ok: true, value: type };
}

/** An id, its text, or a link object; further keys of the object are not looked at. */
export function parseEntryRef(value: unknown, targets: RelationTargets, types?: ContentTypes): Result<EntryRef> {
  const link: JsonObject = isObject(value) ? value : { id: value };
  if (!Object.hasOwn(link, 'id')) return failed('must have an id');
  const id = parseId(link['id']);
  if (id === undefined) return failed('must be the id of an entry: a positive integer');
  const type = parseType(link, targets, types);
  return type.ok ? { ok: true, value: { type: type.value, id } } : type;
}
