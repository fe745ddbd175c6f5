/** Requests within a request: routes that are called for a part of it, with their own body and answer. */
import type { Context } from 'koa';
import { EMPTY_QUERY, type EntryQuery } from '../query/entry-query.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Handler } from './mount-routes.ts';
import * as state from './state.ts';

/** A built-in route with its handler. */
export interface CallableRoute {
  readonly method: string;
  readonly path: string;
  /** Undefined: everyone may call it. */
  readonly permission?: string | undefined;
  readonly handle: Handler;
}

export interface InnerRequest {
  /** Values of the placeholders in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: EntryQuery;
  /** Parameters of the URL that are no part of a query for entries. */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: object;
  /** In place of `body`: files, of which the route takes possession. */
  readonly form?: state.ReceivedForm | undefined;
  /** Another caller than that of the request. */
  readonly as?: Caller;
}

/** What a handler sets of its response. Headers go nowhere: they belong to a response that is not sent. */
function recordedResponse() {
  const headers = new Map<string, unknown>();
  const set = (name: string, value: unknown): void => void headers.set(name.toLowerCase(), value);
  const get = (name: string): unknown => headers.get(name.toLowerCase());
  return {
    setHeader: set,
    getHeader: get,
    removeHeader: (name: string) => void headers.delete(name.toLowerCase()),
    set,
    get,
  };
}

function queryString(parameters: Exclude<InnerRequest['parameters'], undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}

/**
 * A context for the handler of another route, on behalf of the client of `ctx`. What the handler sets of the response stays in the
 * new context.
 */
export function innerContext(
  ctx: Context,
  { method, path }: Pick<CallableRoute, 'method' | 'path'>,
  inner: InnerRequest,
): Context {
  const { params = {}, parameters = {}, query = EMPTY_QUERY, body } = inner;
  const response = recordedResponse();
  const own = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });
  const made: Context = Object.create(ctx, {
    method: own(method),
    path: own(path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))),
    params: own(params),
    querystring: own(queryString(parameters)),
    query: own(parameters),
    state: own({ ...ctx.state }),
    status: own(200),
    body: own(undefined),
    res: own(response),
    response: own(response),
    set: own(response.set),
    redirect: own(() => undefined),
  });
  state.parsedBody.set(made, body ?? {});
  if (inner.form) state.receivedForm.set(made, inner.form);
  state.parsedQuery.set(made, query);
  if (inner.as) state.caller.set(made, inner.as);
  return made;
}

/** Calls a route, and returns its answer, parsed. */
export async function callRoute(ctx: Context, route: CallableRoute, inner: InnerRequest): Promise<unknown> {
  const context = innerContext(ctx, route, inner);
  await route.handle(context);
  const { body } = context;
  if (typeof body === 'string') return JSON.parse(body) as unknown;
  if (Buffer.isBuffer(body)) return JSON.parse(body.toString()) as unknown;
  return JSON.parse(JSON.stringify(body ?? null)) as unknown;
}
