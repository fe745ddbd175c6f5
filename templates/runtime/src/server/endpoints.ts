/** Endpoints: routes that a project declares with permission, body and response, in addition to those of the schema. */
import type { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type * as zod from 'zod';
import { BadRequestError, type Issue, ValidationError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Method } from '../contract/routes/route.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import { readObject, readRaw } from '../http/body.ts';
import { callerName } from '../http/caller-name.ts';
import { bodyLimit } from '../http/state.ts';
import { through } from '../http/through.ts';
import { callCounter } from './call-counter.ts';
import { callerOf } from '../http/request.ts';

/** `raw`: the bytes as they were sent, as for the signature of a webhook; `stream`: read by the handler, of any length. */
type BodyKind = 'raw' | 'stream';

type Schema = zod.ZodType | undefined;
type BodySchema = Schema | BodyKind;

/** A body of bytes, which the handler's result may be. Its type is that of `ctx.type`. */
type Bytes = Readable | Uint8Array | string;

type ValueOf<S> = S extends zod.ZodType
  ? zod.output<S>
  : S extends 'raw'
    ? Buffer
    : S extends 'stream'
      ? Readable
      : undefined;

type ResultOf<Answer> = Answer extends zod.ZodType ? zod.input<Answer> : Answer extends 'stream' ? Bytes : void;

/** The names in `/api/articles/{id}/comments/{comment}`. */
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** What the handler of an endpoint receives, after permission has been checked and the request validated. */
export interface EndpointRequest<Entries, Path extends string, Body, Query> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<ParametersOf<Path>, string>>;
  readonly caller: Caller;
  readonly context: ExtensionContext<Entries>;
  /** For headers and anything else that the other properties don't cover. */
  readonly ctx: Context;
}

/** The declaration of an endpoint, with zod schemas. */
export interface EndpointDeclaration<
  Entries,
  Path extends string,
  Body extends BodySchema,
  Query extends Schema,
  Answer extends Schema | 'stream',
> {
  readonly method: Method;
  /** With parameters in braces: `/api/articles/{id}/publish`. */
  readonly path: Path;
  /** The permission that the caller needs: `article.update`. `null`: everybody may call. */
  readonly permission: string | null;
  /** The summary in openapi.json. */
  readonly summary?: string;
  /** The request body: the schema of a JSON object, `raw` or `stream`. Undefined: it isn't read. */
  readonly body?: Body;
  /** Maximum size of a JSON or raw body, in bytes. Default: `api.bodyLimit`. */
  readonly maxSize?: number;
  /** The query string, whose values are strings. */
  readonly query?: Query;
  /**
   * The response body: a schema, or `stream` for bytes, whose type and name the handler sets: `ctx.type`, `ctx.attachment(name)`.
   * Undefined: there is none, and the status is 204.
   */
  readonly answer?: Answer;
  /** How often each caller may call it within a time; above, the response is 429. Counted by each process. */
  readonly rateLimit?: { readonly limit: number; readonly seconds: number };
  /** Koa middleware around the endpoint, after its permission is checked. */
  readonly use?: readonly Middleware[];
  /** Status of a response with a body; 200 by default. */
  readonly status?: 200 | 201;
  /**
   * The name of the field that calls it in GraphQL, too: of Query for GET, otherwise of Mutation. Its arguments are the parameters of path
   * and query, and the members of the body.
   */
  readonly graphql?: string;
  handler(
    request: EndpointRequest<Entries, Path, ValueOf<Body>, ValueOf<Query>>,
  ): ResultOf<Answer> | Promise<ResultOf<Answer>>;
}

/** An endpoint with any schemas. */
export type Endpoint = EndpointDeclaration<never, string, BodySchema, Schema, Schema | 'stream'>;

/** The tools to declare endpoints with. */
export interface EndpointTools<Entries> {
  /** Declares an endpoint. Its schemas type the handler's request. */
  route<
    const Path extends `/${string}`,
    Body extends BodySchema = undefined,
    Query extends Schema = undefined,
    Answer extends Schema | 'stream' = undefined,
  >(
    declaration: EndpointDeclaration<Entries, Path, Body, Query, Answer>,
  ): Endpoint;
  /** The server's copy of zod. */
  readonly z: typeof zod;
}

/** What the server sets before the handler runs. */
const JSON_TYPE = 'application/json; charset=utf-8';

type Parsed =
  { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: zod.ZodError };

/** In characters. A key may be as long as the body, and is part of the path of each value below it. */
const MAX_PATH_PART = 200;

function issueOf({ path, message }: zod.core.$ZodIssue): Issue {
  return { path: path.map((part) => String(part).slice(0, MAX_PATH_PART)), message };
}

/** Whether zod has found more issues than it can pass to a function at a time: more than a hundred thousand. */
function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

async function parse(schema: zod.ZodType, value: unknown): Promise<Parsed> {
  try {
    return await schema.safeParseAsync(value);
  } catch (error) {
    if (isOverflow(error)) throw new BadRequestError('The request has too many invalid values');
    throw error;
  }
}

/** Parses a value with a schema. Throws ValidationError with the path of each issue, BadRequestError if there are too many. */
async function valueOf(schema: Schema, value: () => unknown): Promise<unknown> {
  if (!schema) return undefined;
  const parsed = await parse(schema, await value());
  if (parsed.success) return parsed.data;
  throw new ValidationError(parsed.error.issues.map(issueOf));
}

type AnyRequest = EndpointRequest<unknown, string, unknown, unknown>;

async function bodyOf({ body, maxSize }: Endpoint, ctx: Context): Promise<unknown> {
  if (body === 'stream') return ctx.req;
  if (maxSize !== undefined) bodyLimit.set(ctx, maxSize);
  return body === 'raw' ? readRaw(ctx) : valueOf(body, () => readObject(ctx));
}

/** Sets the response. JSON that doesn't match its schema is a defect: 500. */
async function respond(ctx: Context, { answer, status = 200 }: Endpoint, result: unknown): Promise<void> {
  if (answer === 'stream') {
    if (ctx.res.getHeader('Content-Type') === JSON_TYPE) ctx.type = 'application/octet-stream';
    ctx.body = result;
  } else if (answer) ctx.body = JSON.stringify(await answer.parseAsync(result));
  else ctx.body = null;
  ctx.status = answer ? status : 204;
}

/** The Koa handler of an endpoint. */
export function endpointHandler(
  endpoint: Endpoint,
  contextOf: (ctx: Context) => ExtensionContext<unknown>,
): (ctx: Context) => Promise<void> {
  const { query, handler, rateLimit, use = [] } = endpoint;
  const count = rateLimit && callCounter(rateLimit);
  const handle = async (ctx: Context): Promise<void> => {
    const request: AnyRequest = {
      query: await valueOf(query, () => ctx.query),
      body: await bodyOf(endpoint, ctx),
      params: ctx.params as Readonly<Record<string, string>>,
      caller: callerOf(ctx),
      context: contextOf(ctx),
      ctx,
    };
    await respond(ctx, endpoint, await (handler as (request: AnyRequest) => unknown)(request));
  };
  const wrapped = through(use, handle);
  return async (ctx) => {
    count?.(callerName(ctx));
    await wrapped(ctx);
  };
}
