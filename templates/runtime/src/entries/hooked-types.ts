/** The content types of a server with their hooks. */
import { type ContentType, isInverseStorage } from '../contract/content-type.ts';
import { SUBJECTS } from '../contract/policy/permission-name.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import type { Database } from '../database/database.ts';
import type { Reader } from '../query/reader.ts';
import type { EntryPlace, HookedType, HookedTypes } from './context.ts';
import { hasHook, type TypeHooks } from './hooks.ts';

/** A place that is no transaction: what runs after a commit runs at once. */
export function placeOf(database: Database, reader: Reader): EntryPlace {
  return { database, reader, afterCommit: (work) => work(), isTransaction: false };
}

/** Hooks that other entries' writes concern: they hide an entry, or run when it is updated. */
const HOOKS = ['beforeFind', 'beforeUpdate', 'afterUpdate', 'committed'];

function concernOthers(hooks: TypeHooks | undefined): boolean {
  return HOOKS.some((name) => hasHook(hooks, name));
}

/** Hooks of what goes with other entries. */
const DELETE_HOOKS = ['beforeDelete', 'afterDelete'];

/** Whether entries are deleted with others. */
function isCascaded(type: ContentType | undefined): boolean {
  return Object.values(type?.attributes ?? {}).some((one) => one.type === 'relation' && one.onDelete === 'cascade');
}

/** Whether users store relations to entries: more than their roles. */
function ownsRelations({ attributes }: ContentType): boolean {
  return Object.entries(attributes).some(
    ([name, attribute]) => name !== 'role' && attribute.type === 'relation' && !isInverseStorage(attribute.storage),
  );
}

/** Each type with its hooks, from the place where its entries are read and written. */
export function hookedTypes(options: HookedTypes): (type: ContentType) => HookedType {
  const server = serverCaller(options.types);
  const user = options.types.types['user'];
  const concernsOthers =
    Object.entries(options.hooks).some(
      ([uid, hooks]) =>
        concernOthers(hooks) ||
        (isCascaded(options.types.types[uid]) && DELETE_HOOKS.some((name) => hasHook(hooks, name))),
    ) ||
    (user !== undefined && ownsRelations(user)) ||
    options.tellsUpdates !== undefined;
  const made = new Map<string, HookedType>();
  const of = (type: ContentType): HookedType => {
    const { uid } = type;
    const known = made.get(uid);
    if (known) return known;
    const { hooks, validatorsOf, ...shared } = options;
    const validators = validatorsOf && !SUBJECTS.has(uid) && (() => validatorsOf(type));
    const context = {
      ...shared,
      type,
      hooks: hooks[uid],
      server,
      of,
      concernsOthers,
      ...(validators && { validators }),
    };
    made.set(uid, context);
    return context;
  };
  return of;
}
