/** Puts the project's actions around the services of generated routes. */
import type { Context, Middleware } from 'koa';
import type { Client } from '../../base/client.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import type { AnyAction } from '../../contract/policy/caller.ts';
import { flatCollection, flatSingle } from '../../entries/documents/flat-answers.ts';
import type { ExtensionContext } from '../../entries/extension-context.ts';
import type { RouteServices } from '../../entries/route-services.ts';
import type { CollectionService, SingleService } from '../../entries/service.ts';
import { contextOfClient } from '../../http/client.ts';
import { callerOf } from '../../http/request.ts';
import { through } from '../../http/through.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import { canBeDocumentId, type EntryKey, type NamedKey } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
import { plainQuery } from '../../query/query-value.ts';
import type { ActionName, AnyActions } from './action-types.ts';
import { manyAnswer, oneAnswer } from './answers.ts';

type Request = Readonly<Record<string, unknown>> & { readonly query: Readonly<Record<string, unknown>> };
type Run = (next: (request: Request) => Promise<unknown>, request: Request) => unknown;

/** The actions of all types, by uid, and the context of a request. */
export interface ActionScope {
  readonly types: ContentTypes;
  readonly actions: Readonly<Record<string, AnyActions | undefined>>;
  contextOf(ctx: Context): ExtensionContext<unknown>;
}

function runOf(actions: AnyActions, name: ActionName): Run | undefined {
  const action = actions[name];
  return (typeof action === 'function' ? action : action?.run) as Run | undefined;
}

function koaContext(client: Client | undefined): Context {
  const ctx = contextOfClient(client);
  if (!ctx) throw new Error('actions run in requests');
  return ctx;
}

/** What an action gets besides the query. */
interface Parts {
  readonly key?: FindKey;
  readonly data?: unknown;
}

type FindKey = EntryKey | NamedKey;

function ownKey(key: FindKey): number | string {
  if (typeof key === 'number') return key;
  return 'value' in key ? key.value : key.documentId;
}

/**
 * Runs an action. `next` gets the request with the query, key and data that the action has passed on: what it left as it was is not
 * converted.
 */
async function act<Answer extends { toJSON(): unknown }>(
  { contextOf }: ActionScope,
  run: Run,
  { request, parts }: { readonly request: EntryRequest; readonly parts: Parts },
  next: (request: EntryRequest, parts: Parts) => Promise<Answer>,
): Promise<{ readonly result: unknown; readonly last: Answer | undefined }> {
  const ctx = koaContext(request.client);
  const query = plainQuery(request.query.tree());
  const { key, data } = parts;
  const given: Request = {
    query,
    ...(key !== undefined && { key: ownKey(key) }),
    ...(data !== undefined && { data }),
    caller: request.caller,
    context: contextOf(ctx),
    ctx,
  };
  // What the client has is not known to be what the action answers.
  const unconditional = { ...request, isKnown: undefined };
  let last: Answer | undefined;
  const result = await run(async (passed) => {
    const changed = passed.query === query ? unconditional : { ...unconditional, query: queryOf(passed.query) };
    const other = passed['key'];
    last = await next(changed, {
      ...(key !== undefined && { key: keyOf(other, key) }),
      ...(data !== undefined && { data: passed['data'] }),
    });
    return last.toJSON();
  }, given);
  return { result, last };
}

/** The key that an action has passed on, in the form of the request's. */
function keyOf(passed: unknown, key: FindKey): FindKey {
  if (passed === ownKey(key)) return key;
  if (typeof passed === 'number') return passed;
  const text = String(passed);
  const documentId = canBeDocumentId(text) ? text : '';
  if (typeof key === 'number' || !('value' in key)) return { documentId };
  return { ...key, value: text, id: typeof key.id === 'number' ? 0 : { documentId } };
}

/** Only reads find entries by the attribute that their type has as key. */
function idOnly(passed: FindKey | undefined, key: EntryKey): EntryKey {
  if (passed === undefined) return key;
  return typeof passed === 'object' && 'value' in passed ? passed.id : passed;
}

/** Runs the action `name`, if there is one, around an answer of one entry. */
async function actOnOne(
  { scope, actions, name }: { readonly scope: ActionScope; readonly actions: AnyActions; readonly name: ActionName },
  request: EntryRequest,
  parts: Parts,
  next: (request: EntryRequest, parts: Parts) => Promise<EntryAnswer>,
): Promise<EntryAnswer> {
  const run = runOf(actions, name);
  if (!run) return next(request, parts);
  const { result, last } = await act(scope, run, { request, parts }, next);
  // An action that passes on the answer of a deletion, which has none in the v5 format, changes nothing.
  return result === null && last ? last : oneAnswer(result, last?.version);
}

function wrappedCollection(scope: ActionScope, actions: AnyActions, service: CollectionService): CollectionService {
  const by = (name: ActionName) => ({ scope, actions, name });
  return {
    ...service,
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
  };
}

type Guard = (ctx: Context) => Promise<void>;

function guardOf(policies: readonly unknown[], { contextOf }: ActionScope): Guard {
  return async (ctx) => {
    for (const policy of policies as readonly ((request: object) => unknown)[]) {
      const allowed = await policy({ caller: callerOf(ctx), context: contextOf(ctx), ctx });
      if (allowed === false) throw new ForbiddenError({ reason: 'a policy refuses the request' });
    }
  };
}

/** `first`, then the guards, then the middleware of `use`. */
function guarded(scope: ActionScope, actions: AnyActions, name: ActionName, first: Middleware): Middleware {
  const action = actions[name];
  const own = typeof action === 'object' ? action : {};
  const policies = [...(actions.policies ?? []), ...(own.policies ?? [])];
  const use = [...(actions.use ?? []), ...(own.use ?? [])];
  if (policies.length === 0 && use.length === 0) return first;
  const guard = guardOf(policies, scope);
  return (ctx, next) =>
    first(ctx, async () => {
      await guard(ctx);
      await through(use, next)(ctx);
    });
}

function typeOf({ types }: ActionScope, uid: string): ContentType {
  const type = types.types[uid];
  if (!type) throw new Error(`this server has no content type "${uid}"`);
  return type;
}

/** Throws if there are actions of a type that has no routes of its own. */
export function withActions<Services extends RouteServices>(services: Services, scope: ActionScope): Services {
  const { actions, types } = scope;
  for (const [uid, own] of Object.entries(actions)) {
    if (own && !types.types[uid]) throw new Error(`there are actions of "${uid}", which is no content type here`);
  }
  return {
    ...services,
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
    allow(uid: string, action: AnyAction) {
      const own = actions[uid];
      const first = services.allow(uid, action);
      return own ? guarded(scope, own, action as ActionName, first) : first;
    },
  };
}
