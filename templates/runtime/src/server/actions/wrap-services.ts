/** Puts the project's actions around the services of generated routes. */
import type { ContentType } from '../../contract/content-type.ts';
import type { AnyAction } from '../../contract/policy/caller.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import { flatCollection, flatSingle } from '../../entries/documents/flat-answers.ts';
import { flatAnswer, isNested, nestedEntry } from '../../entries/localization/localizations.ts';
import type { RouteServices } from '../../entries/route-services.ts';
import type { CollectionService, SingleService } from '../../entries/service.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { EntryKey } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import type { ActionName, AnyActions } from './action-types.ts';
import { manyAnswer, oneAnswer } from './answers.ts';
import { guarded } from './guards.ts';
import { act, type ActionScope, type Parts, runOf } from './run-action.ts';

/** Only reads find entries by the attribute that their type has as key. */
function idOnly(passed: Parts['key'], key: EntryKey): EntryKey {
  if (passed === undefined) return key;
  return typeof passed === 'object' && 'value' in passed ? passed.id : passed;
}

/** An action that may be around a route. */
interface NamedAction {
  readonly scope: ActionScope;
  readonly actions: AnyActions;
  readonly name: ActionName;
}

/** Runs the action `name`, if there is one, around an answer of one entry. */
async function actOnOne(
  { scope, actions, name }: NamedAction,
  request: EntryRequest,
  parts: Parts,
  next: (request: EntryRequest, parts: Parts) => Promise<EntryAnswer>,
): Promise<EntryAnswer> {
  const run = runOf(actions, name);
  if (!run) return next(request, parts);
  request.key?.answersLate();
  const { result, last } = await act(scope, run, { request, parts }, next);
  // An action that passes on the answer of a deletion, which has none in the v5 format, changes nothing.
  return result === null && last ? last : oneAnswer(result, last?.version);
}

/** Runs an action around `POST …/localizations`, whose response is flat: the action gets it nested, like any other. */
async function actOnLocalization(
  by: NamedAction,
  request: EntryRequest,
  parts: Parts,
  next: (body: unknown, request: EntryRequest) => Promise<EntryAnswer>,
): Promise<EntryAnswer> {
  if (!runOf(by.actions, by.name)) return next(parts.data, request);
  const answer = await actOnOne(by, request, parts, async (changed, passed) => {
    const flat = await next(passed.data, changed);
    return oneAnswer({ data: nestedEntry(flat.entry()), meta: {} }, flat.version);
  });
  return isNested(answer.entry()) ? flatAnswer(answer) : answer;
}

function wrappedCollection(scope: ActionScope, actions: AnyActions, service: CollectionService): CollectionService {
  const by = (name: ActionName) => ({ scope, actions, name });
  return {
    ...service,
    createEach: undefined,
    async find(request) {
      const run = runOf(actions, 'find');
      if (!run) return service.find(request);
      const { result } = await act(scope, run, { request, parts: {} }, (changed) => service.find(changed));
      return manyAnswer(result);
    },
    findOne: (key, request) =>
      actOnOne(by('findOne'), request, { key }, (changed, parts) => service.findOne(parts.key ?? key, changed)),
    create: (data, request) =>
      actOnOne(by('create'), request, { data }, (changed, parts) => service.create(parts.data, changed)),
    update: (key, data, request) =>
      actOnOne(by('update'), request, { key, data }, (changed, parts) =>
        service.update(idOnly(parts.key, key), parts.data, changed),
      ),
    delete: (key, request) =>
      actOnOne(by('delete'), request, { key }, (changed, parts) => service.delete(idOnly(parts.key, key), changed)),
    createLocalization: (key, body, request) =>
      actOnLocalization(by('create'), request, { data: body, localeOf: key }, (passed, changed) =>
        service.createLocalization(key, passed, changed),
      ),
  };
}

function wrappedSingle(scope: ActionScope, actions: AnyActions, service: SingleService): SingleService {
  const by = (name: ActionName) => ({ scope, actions, name });
  return {
    ...service,
    find: (request) => actOnOne(by('find'), request, {}, (changed) => service.find(changed)),
    async save(data, request) {
      let created = false;
      const answer = await actOnOne(by('update'), request, { data }, async (changed, parts) => {
        const saved = await service.save(parts.data, changed);
        ({ created } = saved);
        return saved.answer;
      });
      return { answer, created };
    },
    delete: (request) => actOnOne(by('delete'), request, {}, (changed) => service.delete(changed)),
    createLocalization: (body, request) =>
      actOnLocalization(by('update'), request, { data: body }, (passed, changed) =>
        service.createLocalization(passed, changed),
      ),
  };
}

function typeOf({ types }: ActionScope, uid: string): ContentType {
  const type = types.types[uid];
  if (!type) throw new Error(`this server has no content type "${uid}"`);
  return type;
}

/** The services with the actions around them. Throws if there are actions of a type that has no routes of its own. */
export function withActions(services: EntryServices, scope: ActionScope): EntryServices {
  const { actions, types } = scope;
  for (const [uid, own] of Object.entries(actions)) {
    if (own && !types.types[uid]) throw new Error(`there are actions of "${uid}", which is no content type here`);
  }
  return {
    collection(uid) {
      const own = actions[uid];
      const service = services.collection(uid);
      const flattening = { types, type: typeOf(scope, uid) };
      return own ? flatCollection(flattening, wrappedCollection(scope, own, service)) : service;
    },
    single(uid) {
      const own = actions[uid];
      const service = services.single(uid);
      const flattening = { types, type: typeOf(scope, uid) };
      return own ? flatSingle(flattening, wrappedSingle(scope, own, service)) : service;
    },
  };
}

/** The services of routes, for requests to them. */
export function routedServices(services: RouteServices, scope: Omit<ActionScope, 'by'>): RouteServices {
  const byHttp: ActionScope = { ...scope, by: 'http' };
  const { actions } = scope;
  return {
    ...withActions(services, byHttp),
    allow(uid: string, action: AnyAction, or?: AnyAction) {
      const first = services.allow(uid, action, or);
      return actions[uid] ? guarded(byHttp, uid, action as ActionName, first) : first;
    },
  };
}
