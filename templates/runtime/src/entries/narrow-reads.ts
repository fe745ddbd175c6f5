/** Narrows reads by `beforeFind`: collects, for the caller, the filters of every type that a query may reach. */
import type { Attribute, ContentType, ContentTypes } from '../contract/content-type.ts';
import { type Caller, findsFilesByUse } from '../contract/policy/caller.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import { type Narrow, narrowed } from '../query/narrowing.ts';
import { hasHook, runBeforeFind, type TypeHooks } from './hooks.ts';

function targetsOf(attribute: Attribute): readonly string[] {
  if (attribute.type === 'media') return ['file'];
  if (attribute.type !== 'relation') return [];
  const { target, storage } = attribute;
  if (target !== undefined) return [target];
  return storage.kind === 'morph' ? Object.keys(storage.targets) : [];
}

/**
 * The types that a query for entries of a type may reach: the type itself, and the targets of relations, transitively; with files that
 * are found by their use, all types.
 */
export function typesReachedFrom(types: ContentTypes, uid: string, caller: Caller): ReadonlySet<string> {
  const reached = new Set([uid]);
  for (const each of reached) {
    const type = types.types[each];
    if (!type) continue;
    for (const target of Object.values(type.attributes).flatMap(targetsOf)) reached.add(target);
    for (const target of Object.keys(type.componentLinks?.targets ?? {})) reached.add(target);
  }
  return reached.has('file') && findsFilesByUse(caller) ? new Set(Object.keys(types.types)) : reached;
}

/** Undefined if no type has `beforeFind`. The server's own queries are never narrowed. */
export function narrowBy(
  hooks: Readonly<Record<string, TypeHooks | undefined>>,
  types: ContentTypes,
): Narrow | undefined {
  const hooked = Object.keys(hooks).filter((uid) => hasHook(hooks[uid], 'beforeFind'));
  if (hooked.length === 0) return undefined;
  const known = new Map<string, readonly string[]>();
  const reached = (uid: string, caller: Caller): readonly string[] => {
    const key = `${uid} ${findsFilesByUse(caller)}`;
    const found = known.get(key) ?? hooked.filter((each) => typesReachedFrom(types, uid, caller).has(each));
    known.set(key, found);
    return found;
  };
  return async ({ uid }: ContentType, request: EntryRequest) => {
    if (request.caller.kind === 'server') return request;
    // A query without parameters reaches only its own type.
    const isAlone = request.query.shape === '' && uid !== 'file';
    const uids = isAlone ? hooked.filter((each) => each === uid) : reached(uid, request.caller);
    const filters: Record<string, object> = {};
    for (const each of uids) {
      const found = await runBeforeFind(hooks[each], request);
      if (found !== undefined) filters[each] = found;
    }
    if (Object.keys(filters).length === 0) return request;
    return { ...request, query: narrowed(request.query, filters) };
  };
}
