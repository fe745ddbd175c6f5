/**
 * Calls of generated routes that are no requests to them, such as those of agents' tools: each has the permission, the policies and the
 * action of its route.
 */
import { ForbiddenError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import type { CollectionService, SingleService } from '../../entries/service.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { ActionName } from './action-types.ts';
import { guardsOf, requirePolicies } from './guards.ts';
import type { ActionScope } from './run-action.ts';
import { withActions } from './wrap-services.ts';

type Allow = (name: ActionName, call: CallContext) => Promise<void>;

/** Throws ForbiddenError unless the caller may call the route. Middleware of a route can't run, and so refuses the call. */
function allowOf(scope: ActionScope, uid: string): Allow {
  return async (name, call) => {
    const { caller } = call;
    if (!may(caller, name, uid)) throw new ForbiddenError({ reason: `${caller.role} lacks ${uid}.${name}` });
    const guards = guardsOf(scope, uid, name);
    if (guards.use.length > 0) {
      throw new ForbiddenError(
        `${guards.route} has middleware (\`use\`), so it is only possible by a request to its route`,
      );
    }
    await requirePolicies(scope, guards, call, undefined);
  };
}

function allowedCollection(allow: Allow, service: CollectionService): CollectionService {
  const then = async <T>(name: ActionName, call: CallContext, work: () => Promise<T>): Promise<T> => {
    await allow(name, call);
    return work();
  };
  return {
    find: (request) => then('find', request, () => service.find(request)),
    count: (request) => then('find', request, () => service.count(request)),
    findOne: (key, request) => then('findOne', request, () => service.findOne(key, request)),
    create: (data, request) => then('create', request, () => service.create(data, request)),
    createMany: (all, request) => then('create', request, () => service.createMany(all, request)),
    update: (key, data, request) => then('update', request, () => service.update(key, data, request)),
    delete: (key, request) => then('delete', request, () => service.delete(key, request)),
    act: (key, action, request) => then('update', request, () => service.act(key, action, request)),
    createLocalization: (key, body, request) =>
      then('create', request, () => service.createLocalization(key, body, request)),
  };
}

function allowedSingle(allow: Allow, service: SingleService): SingleService {
  const then = async <T>(name: ActionName, call: CallContext, work: () => Promise<T>): Promise<T> => {
    await allow(name, call);
    return work();
  };
  return {
    find: (request) => then('find', request, () => service.find(request)),
    save: (data, request) => then('update', request, () => service.save(data, request)),
    delete: (request) => then('delete', request, () => service.delete(request)),
    act: (action, request) => then('update', request, () => service.act(action, request)),
    createLocalization: (body, request) => then('update', request, () => service.createLocalization(body, request)),
  };
}

/** The services behind the routes, for calls that are no requests to them. */
export function routeCalls(services: EntryServices, scope: Omit<ActionScope, 'by'>): EntryServices {
  const byOthers: ActionScope = { ...scope, by: 'others' };
  const wrapped = withActions(services, byOthers);
  return {
    collection: (uid) => allowedCollection(allowOf(byOthers, uid), wrapped.collection(uid)),
    single: (uid) => allowedSingle(allowOf(byOthers, uid), wrapped.single(uid)),
  };
}
