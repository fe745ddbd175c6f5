/** What code that came from Strapi uses of this server. It is yours: change it, or replace it call by call. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  callerOf,
  type Caller,
  type Context,
  type ExtensionContext,
  ForbiddenError,
  HttpError,
  type Mail,
  NotFoundError,
  readObject,
} from '@content-gen/runtime';
import type { Entries } from '../generated/extensions.ts';
import { format, model, names } from './model.ts';

/** A request as controllers and policies see it. */
export interface Call {
  /** The context of Koa. */
  readonly ctx: any;
  readonly caller: Caller;
  /** The id of the signed-in user; undefined for other callers. */
  readonly userId: any;
  params: any;
  /** The query string as nested objects. */
  query: any;
  /** The body of the request: of actions on entries, `{ data }`. */
  body: any;
  /** The signed-in user with the role; undefined for other callers. */
  user(): Promise<any>;
}

/** The event of a hook: `data` of a write, `id` of the entry, and the entry itself, flat, as `result`. */
export interface HookCall {
  data: any;
  readonly id: any;
  readonly result: any;
  readonly caller: Caller;
  /** As lifecycles of Strapi have them. */
  readonly params: any;
}

const contexts = new AsyncLocalStorage<ExtensionContext<Entries>>();

function context(): ExtensionContext<Entries> {
  const found = contexts.getStore();
  if (found) return found;
  throw new Error('`server` can be used in requests, hooks, onStart and scheduled tasks, but not while modules load');
}

/** Runs `work` with a context, which `server` then has. */
export function within<T>(services: ExtensionContext<Entries>, work: () => T): T {
  return contexts.run(services, work);
}

function write(level: 'debug' | 'info' | 'warn' | 'error', [first, ...more]: readonly unknown[]): void {
  const fields = typeof first === 'object' && first !== null ? first : {};
  const texts = (fields === first ? more : [first, ...more]).map((one) => (one instanceof Error ? one.stack : one));
  context().log[level](first instanceof Error ? { err: first } : fields, texts.map(String).join(' '));
}

/** The text of a mail that only has HTML. */
function plainText(html: string): string {
  return html
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/h\d)[^>]*>/giu, '\n')
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]+>/giu, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .trim();
}

/** The server, from anywhere within a request, a hook or a task. */
export const server = {
  get entries(): Entries {
    return context().entries;
  },
  get sessions(): any {
    return (context() as any).sessions;
  },
  log: {
    debug: (...parts: readonly unknown[]): void => write('debug', parts),
    info: (...parts: readonly unknown[]): void => write('info', parts),
    warn: (...parts: readonly unknown[]): void => write('warn', parts),
    error: (...parts: readonly unknown[]): void => write('error', parts),
  },
  /** Sends a mail as plain text. A `mailer` of your own also gets `html`. */
  async send(mail: any): Promise<void> {
    await context().mailer.send({ ...mail, text: mail.text ?? plainText(mail.html ?? '') } as Mail);
  },
  /** What `server.entries` do in `work` is committed when it resolves, and rolled back when it throws. */
  inTransaction<T>(work: () => Promise<T>): Promise<T> {
    return context().inTransaction((inner) => within(inner, work));
  },
};

function isObject(value: any): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The entries of a type that is known only while the code runs, by its uid in Strapi. */
export function entriesOf(uid: string): any {
  const name = names[uid];
  if (name === undefined) throw new Error(`there is no type ${uid}`);
  return server.entries[name as keyof Entries];
}

/** An entry as one object, and what it has populated, too: `{ id, title, author: { id, name } }`. */
export function flat(value: any): any {
  if (Array.isArray(value)) return value.map(flat);
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  if (names.length === 1 && names[0] === 'data' && (value.data === null || typeof value.data === 'object')) {
    return flat(value.data);
  }
  const { attributes, ...rest } = value;
  if (isObject(attributes) && 'id' in value) {
    const { meta, ...own } = rest;
    return { ...own, ...flat(attributes) };
  }
  return Object.fromEntries(names.map((name) => [name, flat(value[name])]));
}

/** Data of an entry: dates as text, and nothing that is undefined. */
export function dataOf(data: any): any {
  if (data instanceof Date) return data.toISOString();
  if (Array.isArray(data)) return data.map(dataOf);
  if (!isObject(data)) return data;
  const members = Object.entries<any>(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, dataOf(value)]));
}

/** The entries of a list or of a stream, flat. */
export async function listOf(found: Promise<{ readonly data: readonly any[] }> | AsyncIterable<any>): Promise<any[]> {
  if (!(Symbol.asyncIterator in found)) return flat((await found).data);
  const entries: any[] = [];
  for await (const entry of found) entries.push(flat(entry));
  return entries;
}

/** The first entry of a list, flat; null if there is none. */
export async function firstOf(found: Promise<{ readonly data: readonly any[] }>): Promise<any> {
  return (await listOf(found))[0] ?? null;
}

/** The entry, flat; null if it doesn't exist. */
export async function oneOf(found: Promise<{ readonly data: any }>): Promise<any> {
  try {
    return flat((await found).data);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** An operation on the first entry that matches; null if none does. */
export async function onFirst(
  found: Promise<{ readonly data: readonly any[] }>,
  work: (id: any) => Promise<{ readonly data: any }>,
): Promise<any> {
  const first = await firstOf(found);
  return first === null ? null : oneOf(work(first.id));
}

/** A page of a list, and the number of all entries. */
export async function pageOf(found: Promise<{ readonly data: readonly any[]; readonly meta: any }>): Promise<any> {
  const { data, meta } = await found;
  return { results: flat(data), pagination: meta.pagination };
}

function populateOf(populate: any): any {
  if (populate === true) return '*';
  if (typeof populate === 'string') return populateOf(populate.split(',').map((name) => name.trim()));
  if (Array.isArray(populate)) {
    if (populate.includes('*')) return '*';
    const tree: any = {};
    for (const path of populate) {
      let at = tree;
      for (const name of String(path).split('.')) at = (at[name] ??= { populate: {} }).populate;
    }
    return populateOf(tree);
  }
  if (!isObject(populate)) return undefined;
  const parts = Object.entries<any>(populate).filter(([, value]) => value !== false && value !== undefined);
  return Object.fromEntries(
    parts.map(([name, value]) => [name, isObject(value) && Object.keys(value).length > 0 ? partOf(value) : true]),
  );
}

/** What to populate of one relation. */
function partOf({ on, ...options }: any): any {
  const { pagination, publicationState, ...own } = queryOf(options);
  const each = on && Object.entries(on).map(([name, value]) => [name, isObject(value) ? partOf(value) : true]);
  const empty = own.populate && own.populate !== '*' && Object.keys(own.populate).length === 0;
  if (empty) delete own.populate;
  if (each) own.on = Object.fromEntries(each);
  return Object.keys({ ...own, ...pagination }).length > 0 ? { ...own, ...pagination } : true;
}

/** A query of Strapi as one of `server.entries`: for queries that are put together while the server runs. */
export function queryOf(query: any): any {
  const given = query ?? {};
  const limit = given.pagination?.limit ?? given.limit;
  const start = given.pagination?.start ?? given.start ?? given.offset;
  const page = given.pagination?.page ?? given.page;
  const pageSize = given.pagination?.pageSize ?? given.pageSize;
  const part = {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(start === undefined ? {} : { start: Number(start) }),
    ...(page === undefined ? {} : { page: Number(page) }),
    ...(pageSize === undefined ? {} : { pageSize: Number(pageSize) }),
  };
  const fields = given.fields ?? given.select;
  const state = given.status === undefined ? given.publicationState : given.status === 'draft' ? 'preview' : 'live';
  const converted: any = {
    filters: given.filters ?? given.where,
    sort: given.sort ?? given.orderBy,
    fields: fields === undefined || fields === '*' ? undefined : [fields].flat(),
    populate: populateOf(given.populate),
    locale: given.locale,
    publicationState: state,
    pagination: Object.keys(part).length === 0 ? undefined : part,
  };
  return Object.fromEntries(Object.entries(converted).filter(([, value]) => value !== undefined));
}

/** A body for a client without what is private: passwords and private attributes, and relations that the caller may not find. */
export function withoutPrivate(uid: string, value: any, caller?: Caller): any {
  if (Array.isArray(value)) return value.map((one) => withoutPrivate(uid, one, caller));
  const type = model[value?.__component ?? uid];
  if (!isObject(value) || !type) return value;
  const shown = Object.entries<any>(value).filter(([name]) => {
    const target = type.relations[name];
    return !type.private.includes(name) && !(target && caller && !caller.permissions.has(`${target}.find`));
  });
  return Object.fromEntries(
    shown.map(([name, one]) => [
      name,
      withoutPrivate(type.relations[name] ?? type.components[name] ?? '', one, caller),
    ]),
  );
}

/** An entry as clients get it in the v4 format: `{ id, attributes }`, with relations in `data`. */
function nested(uid: string, value: any): any {
  if (Array.isArray(value)) return value.map((one) => nested(uid, one));
  if (!isObject(value)) return value;
  const { id, ...attributes } = value;
  return id === undefined ? value : { id, attributes: withData(uid, attributes) };
}

function withData(uid: string, attributes: any): any {
  const type = model[attributes.__component ?? uid];
  if (!type) return attributes;
  return Object.fromEntries(
    Object.entries<any>(attributes).map(([name, one]) => {
      const target = type.relations[name];
      if (target !== undefined) return [name, one === undefined ? one : { data: nested(target, one) }];
      const item = type.components[name];
      if (item === undefined || one === null) return [name, one];
      return [name, Array.isArray(one) ? one.map((part) => withData(item, part)) : withData(item, one)];
    }),
  );
}

/** The body of a response with entries, in the format of the API. */
export function answerOf(uid: string, value: any, meta: any = {}): any {
  return { data: format === 'v5' ? value : nested(uid, value ?? null), meta };
}

/** An error that clients get: the answer is this status and message. */
export function failure(status: number, name: string, message?: any, details?: any): HttpError {
  const text = typeof message === 'string' ? message : (message?.message ?? name.replace(/Error$/u, ''));
  return new HttpError(status, name, text, details ?? (isObject(message) ? message : {}));
}

/** Throws, where an expression is wanted. */
export function refuse(error: unknown): never {
  throw error;
}

/** A response with a status of its own. */
export function respond(call: Call, body: any, status: number): any {
  call.ctx.status = status;
  call.ctx.body = body;
  return body;
}

/**
 * The permission of endpoints of which the import could not tell who may call them: in Strapi, each action has a permission
 * of its own. Only roles that may create API tokens have it, until you write another one, or null for everybody.
 */
export const UNDECIDED = 'tokens.create';

/** Middleware for `router` that lets only callers with a permission pass. */
export function permitted(permission: string) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (!callerOf(ctx).permissions.has(permission)) throw new ForbiddenError();
    await next();
  };
}

/** `sanitize.contentAPI` of `@strapi/utils`. */
export const sanitize = {
  contentAPI: {
    output: async (value: any, schema: any, _options?: any): Promise<any> =>
      withoutPrivate(names[schema?.uid] ?? '', value),
    input: async (value: any, ..._rest: any[]): Promise<any> => value,
    query: async (value: any, ..._rest: any[]): Promise<any> => value,
  },
};

function errorClass(status: number, name: string) {
  return class extends HttpError {
    constructor(message: any = name, details: any = {}) {
      super(status, name, String(message), details);
    }
  };
}

/** The error classes of `@strapi/utils`. */
export const errors = {
  HttpError,
  ApplicationError: errorClass(400, 'ApplicationError'),
  ValidationError: errorClass(400, 'ValidationError'),
  YupValidationError: errorClass(400, 'ValidationError'),
  PaginationError: errorClass(400, 'PaginationError'),
  UnauthorizedError: errorClass(401, 'UnauthorizedError'),
  ForbiddenError: errorClass(403, 'ForbiddenError'),
  PolicyError: errorClass(403, 'PolicyError'),
  NotFoundError: errorClass(404, 'NotFoundError'),
  PayloadTooLargeError: errorClass(413, 'PayloadTooLargeError'),
  RateLimitError: errorClass(429, 'RateLimitError'),
  NotImplementedError: errorClass(501, 'NotImplementedError'),
};

/** `filters[title][$eq]=a` as `{ filters: { title: { $eq: 'a' } } }`. */
function nestedQuery(query: Readonly<Record<string, unknown>>): any {
  const result: any = {};
  for (const [name, value] of Object.entries(query)) {
    const path = name.split(/\]\[|\[|\]/u).filter((part, index) => part !== '' || index === 0);
    if (path.includes('__proto__')) continue;
    let at = result;
    for (const part of path.slice(0, -1)) at = at[part] = isObject(at[part]) ? at[part] : {};
    at[path.at(-1) ?? name] = value;
  }
  return withLists(result);
}

/** Objects whose names are 0, 1, 2 … as arrays. */
function withLists(value: any): any {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((name, index) => name === String(index));
  if (isList) return names.map((name) => withLists(value[name]));
  return Object.fromEntries(names.map((name) => [name, withLists(value[name])]));
}

interface Request {
  readonly ctx: Context;
  readonly caller: Caller;
  readonly context: ExtensionContext<Entries>;
}

function callOf({ ctx, caller }: Request, given: Pick<Call, 'params' | 'query' | 'body'>): Call {
  let user: Promise<any> | undefined;
  return {
    ctx,
    caller,
    userId: caller.userId,
    ...given,
    async user() {
      if (caller.userId === undefined) return undefined;
      return (user ??= oneOf((server.entries as any).user.findOne(caller.userId, { populate: '*' })));
    },
  };
}

type Work = (call: Call, ...rest: any[]) => any;
export type Policy = (call: Call, config?: any, ...rest: any[]) => any;
export type CallMiddleware = (call: Call, next: () => Promise<any>) => any;

/** What runs before a controller. */
export interface Guards {
  readonly policies?: readonly Policy[];
  readonly use?: readonly CallMiddleware[];
}

async function guarded(call: Call, work: Work, { policies = [], use = [] }: Guards): Promise<any> {
  for (const policy of policies) {
    const allowed = await policy(call);
    if (allowed !== true && allowed !== undefined) throw failure(403, 'PolicyError', 'Policy Failed');
  }
  const run = async (index: number): Promise<any> => {
    const middleware = use[index];
    const answer = middleware ? await middleware(call, () => run(index + 1)) : await work(call);
    if (answer !== undefined && !middleware) call.ctx.body = answer;
    return answer;
  };
  await run(0);
  return call.ctx.body;
}

/** A policy with its settings in a route. */
export function policyWith(policy: Policy, config: any): Policy {
  return (call) => policy(call, config);
}

/** The handler of an endpoint. */
export function endpoint(work: Work, guards: Guards = {}) {
  return (request: Request & { readonly params: any; readonly body?: any }): Promise<any> =>
    within(request.context, () => {
      const { params, body, ctx } = request;
      return guarded(callOf(request, { params, body: body ?? {}, query: nestedQuery(ctx.query) }), work, guards);
    });
}

/** A handler of `router`, which sets the status, headers and body of its response itself. */
export function handler(
  services: { contextOf(ctx: Context): ExtensionContext<Entries> },
  work: Work,
  guards: Guards = {},
): (ctx: Context) => Promise<void> {
  return (ctx) => {
    const request = { ctx, caller: callerOf(ctx), context: services.contextOf(ctx) };
    return within(request.context, async () => {
      const hasBody = ctx.request.length !== 0 && ctx.is('json', 'urlencoded') !== null;
      const body = ['POST', 'PUT', 'PATCH'].includes(ctx.method) && hasBody ? await readObject(ctx) : {};
      const call = callOf(request, { params: ctx['params'], body, query: nestedQuery(ctx.query) });
      const isSet = ctx.status;
      const answer = await guarded(call, work, guards);
      if (answer !== undefined && ctx.status === isSet && isSet === 404) ctx.status = 200;
    });
  };
}

let services: { contextOf(ctx: Context): ExtensionContext<Entries> } | undefined;

/** Called at startup, for what wraps every request. */
export function started(own: { contextOf(ctx: Context): ExtensionContext<Entries> }): void {
  services = own;
}

/** Middleware of Strapi as one of Koa, around every request. Its call has no body, and no caller but the public. */
export function everyRequest(work: CallMiddleware) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (!services) return void (await next());
    const context = services.contextOf(ctx);
    const caller: Caller = { kind: 'public', role: 'public', permissions: new Set() };
    const given = { params: {}, body: {}, query: nestedQuery(ctx.query) };
    await within(context, async () => work(callOf({ ctx, caller, context }, given), next));
  };
}

/** An action on entries, around the generated one. `next` runs that with the query and the body of the call. */
export function action(work: (call: Call, next: (call: Call) => Promise<any>) => any, guards: Guards = {}) {
  return (next: (request: any) => Promise<any>, request: any): Promise<any> =>
    within(request.context, () => {
      const params = { ...request.ctx.params };
      const call = callOf(request, { params, query: { ...request.query }, body: { data: request.data } });
      const generated = async (changed: Call): Promise<any> => {
        const key = changed.params.id === request.ctx.params.id ? request.key : changed.params.id;
        const answer = await next({ ...request, key, query: changed.query, data: changed.body.data });
        return format === 'v5' && answer ? { ...answer, data: flat(answer.data) } : answer;
      };
      return guarded(call, (one) => work(one, generated), guards);
    });
}

/** The generated action, for routes that only have policies or middleware. */
export function unchanged(call: Call, next: (call: Call) => Promise<any>): Promise<any> {
  return next(call);
}

/** What a generated action answers, for routes of your own. */
export async function generated(uid: string, name: string, { params, query, body, caller }: Call): Promise<any> {
  const entries = (server.entries as any)[uid];
  const key = format === 'v5' ? params.id : Number(params.id);
  const { filters, sort, pagination, _q, ...selected } = query;
  const run: Readonly<Record<string, () => Promise<any>>> = {
    find: () => entries.find(query),
    findOne: () => entries.findOne(key, selected),
    create: () => entries.create(dataOf(body.data), selected),
    update: () => entries.update(key, dataOf(body.data), selected),
    delete: () => entries.delete(key, selected),
  };
  const answer = await run[name]?.();
  return answerOf(uid, withoutPrivate(uid, flat(answer?.data), caller), answer?.meta);
}

/** A hook. Lifecycles return nothing: they change `data`. */
export function hook(...functions: readonly ((event: HookCall) => any)[]) {
  return async (event: any): Promise<any> => {
    const { data, entry, caller } = event;
    const result = entry === undefined ? undefined : flat(entry);
    const id = event.id ?? result?.id;
    const call = { data, id, result, caller, params: { data, where: { id } } };
    for (const work of functions) await within(event.context, async () => work(call));
    return call.data === data ? undefined : call.data;
  };
}
