/** Runs a project's action around what its route does. */
import type { Context } from 'koa';
import type { ContentTypes } from '../../contract/content-type.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import type { ExtensionContext } from '../../entries/extension-context.ts';
import { contextOfClient } from '../../http/client.ts';
import { canBeDocumentId, type EntryKey, type NamedKey } from '../../query/entry-id.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
import { plainQuery } from '../../query/query-value.ts';
import type { ActionName, AnyActions } from './action-types.ts';

type Request = Readonly<Record<string, unknown>> & { readonly query: Readonly<Record<string, unknown>> };
type Run = (next: (request: Request) => Promise<unknown>, request: Request) => unknown;

/** How routes are called: by requests to them, or by others, such as the tools of agents, which have no Koa context of the route. */
export type CalledBy = 'http' | 'others';

/** The actions of all types, by uid, and the context of the project's code. */
export interface ActionScope {
  readonly types: ContentTypes;
  readonly actions: Readonly<Record<string, AnyActions | undefined>>;
  readonly by: CalledBy;
  contextOf(requestId: string | undefined): ExtensionContext<unknown>;
}

/** On the prototype, so that copies of a request don't read it. */
class WithoutHttp {
  get ctx(): never {
    throw new ForbiddenError('This is only possible by a request to the route itself');
  }
}

/** What actions and policies get of each call. Reading `ctx` throws ForbiddenError unless the call is a request to the route. */
export function requestFor<More extends object>(
  { contextOf }: ActionScope,
  { caller, requestId }: CallContext,
  ctx: Context | undefined,
  more: More,
): More & { readonly caller: CallContext['caller'] } {
  const own = ctx ? { ctx } : new WithoutHttp();
  return Object.assign(own, { ...more, caller, context: contextOf(requestId) });
}

/** What an action gets besides the query. */
export interface Parts {
  readonly key?: FindKey;
  readonly data?: unknown;
  /** The entry that gets a locale. */
  readonly localeOf?: EntryKey;
}

type FindKey = EntryKey | NamedKey;

/** The action that `actions` have around a route. */
export function runOf(actions: AnyActions, name: ActionName): Run | undefined {
  const action = actions[name];
  return (typeof action === 'function' ? action : action?.run) as Run | undefined;
}

function koaContext({ by }: ActionScope, { client }: EntryRequest): Context | undefined {
  if (by === 'others') return undefined;
  const ctx = contextOfClient(client);
  if (!ctx) throw new Error('the client of a request to a route has its context');
  return ctx;
}

function ownKey(key: FindKey): number | string {
  if (typeof key === 'number') return key;
  return 'value' in key ? key.value : key.documentId;
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

/**
 * Runs an action. `next` gets the request with the query, key and data that the action has passed on: what it left as it was is not
 * converted.
 */
export async function act<Answer extends { toJSON(): unknown }>(
  scope: ActionScope,
  run: Run,
  { request, parts }: { readonly request: EntryRequest; readonly parts: Parts },
  next: (request: EntryRequest, parts: Parts) => Promise<Answer>,
): Promise<{ readonly result: unknown; readonly last: Answer | undefined }> {
  const query = plainQuery(request.query.tree());
  const { key, data, localeOf } = parts;
  const given = requestFor(scope, request, koaContext(scope, request), {
    query,
    ...(key !== undefined && { key: ownKey(key) }),
    ...(localeOf !== undefined && { localeOf: ownKey(localeOf) }),
    ...(data !== undefined && { data }),
  });
  // What the client has is not known to be what the action answers.
  const unconditional = { ...request, isKnown: undefined };
  let last: Answer | undefined;
  const result = await run(async (passed) => {
    const changed =
      passed.query === query
        ? unconditional
        : { ...unconditional, query: queryOf(passed.query, { aliases: request.query.aliases ?? false }) };
    const other = passed['key'];
    last = await next(changed, {
      ...(key !== undefined && { key: keyOf(other, key) }),
      ...(data !== undefined && { data: passed['data'] }),
    });
    return last.toJSON();
  }, given);
  return { result, last };
}
