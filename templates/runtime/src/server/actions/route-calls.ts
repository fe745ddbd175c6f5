/**
 * Calls of generated routes that are no requests to them, such as those of agents' tools: each has the permission, the policies and the
 * action of its route.
 */
import { ForbiddenError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import type { CollectionService, PublicationAction, SingleService } from '../../entries/service.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import type { ActionName } from './action-types.ts';
import { guardsOf, requirePolicies } from './guards.ts';
import type { ActionScope } from './run-action.ts';
import { withActions } from './wrap-services.ts';

type Allow = (name: ActionName, call: CallContext, or?: 'draft') => Promise<void>;

/** Throws ForbiddenError unless the caller may call the route. Middleware of a route can't run, and so refuses the call. */
function allowOf(scope: ActionScope, uid: string): Allow {
  return async (name, call, or) => {
    const { caller } = call;
    const isPermitted = may(caller, name, uid) || (or !== undefined && may(caller, or, uid));
    if (!isPermitted) throw new ForbiddenError({ reason: `${caller.role} lacks ${uid}.${name}` });
    const guards = guardsOf(scope, uid, name);
    if (guards.use.length > 0) {
      throw new ForbiddenError(
        `${guards.route} has middleware (\`use\`), so it is only possible by a request to its route`,
      ).withDetails({ onlyByRequest: true });
    }
    await requirePolicies(scope, guards, call, undefined);
  };
}

/** Drafts are discarded by whoever may write them. */
function draftFor(action: PublicationAction): 'draft' | undefined {
  return action === 'discard-draft' ? 'draft' : undefined;
}

function allowedCollection(allow: Allow, service: CollectionService): CollectionService {
  const { createEach } = service;
  const then = async <T>(name: ActionName, call: CallContext, work: () => Promise<T>, or?: 'draft'): Promise<T> => {
    await allow(name, call, or);
    return work();
  };
  return {
    find: (request) => then('find', request, () => service.find(request)),
    count: (request) => then('find', request, () => service.count(request)),
    findOne: (key, request) => then('findOne', request, () => service.findOne(key, request)),
    create: (data, request) => then('create', request, () => service.create(data, request), 'draft'),
    createMany: (all, request) => then('create', request, () => service.createMany(all, request), 'draft'),
    ...(createEach && {
      createEach: (all: readonly unknown[], request: EntryRequest) =>
        then('create', request, () => createEach(all, request), 'draft'),
    }),
    update: (key, data, request) => then('update', request, () => service.update(key, data, request), 'draft'),
    delete: (key, request) => then('delete', request, () => service.delete(key, request)),
    act: (key, action, request) => then('update', request, () => service.act(key, action, request), draftFor(action)),
    createLocalization: (key, body, request) =>
      then('create', request, () => service.createLocalization(key, body, request), 'draft'),
    history: {
      list: (key, request) => then('findOne', request, () => service.history.list(key, request)),
      version: (key, version, request) =>
        then('findOne', request, () => service.history.version(key, version, request)),
      restore: (key, version, request) =>
        then('update', request, () => service.history.restore(key, version, request), 'draft'),
    },
  };
}

function allowedSingle(allow: Allow, service: SingleService): SingleService {
  const then = async <T>(name: ActionName, call: CallContext, work: () => Promise<T>, or?: 'draft'): Promise<T> => {
    await allow(name, call, or);
    return work();
  };
  return {
    find: (request) => then('find', request, () => service.find(request)),
    save: (data, request) => then('update', request, () => service.save(data, request), 'draft'),
    delete: (request) => then('delete', request, () => service.delete(request)),
    act: (action, request) => then('update', request, () => service.act(action, request), draftFor(action)),
    createLocalization: (body, request) =>
      then('update', request, () => service.createLocalization(body, request), 'draft'),
    history: {
      list: (request) => then('find', request, () => service.history.list(request)),
      version: (version, request) => then('find', request, () => service.history.version(version, request)),
      restore: (version, request) => then('update', request, () => service.history.restore(version, request), 'draft'),
    },
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
