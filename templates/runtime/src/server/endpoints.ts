/** Endpoints: routes that a project declares with permission, body and response, in addition to those of the schema. */
import type { Context } from 'koa';
import type * as zod from 'zod';
import { BadRequestError, type Issue, ValidationError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Method } from '../contract/routes/route.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import { readObject } from '../http/body.ts';
import { callerOf } from '../http/request.ts';

type Schema = zod.ZodType | undefined;
type ValueOf<S> = S extends zod.ZodType ? zod.output<S> : undefined;

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
  Body extends Schema,
  Query extends Schema,
  Answer extends Schema,
> {
  readonly method: Method;
  /** With parameters in braces: `/api/articles/{id}/publish`. */
  readonly path: Path;
  /** The permission that the caller needs: `article.update`. `null`: everybody may call. */
  readonly permission: string | null;
  /** The summary in openapi.json. */
  readonly summary?: string;
  /** The request body: a JSON object. Undefined: it isn't read. */
  readonly body?: Body;
  /** The query string, whose values are strings. */
  readonly query?: Query;
  /** The response body. Undefined: there is none, and the status is 204. */
  readonly answer?: Answer;
  /** Status of a response with a body; 200 by default. */
  readonly status?: 200 | 201;
  handler(
    request: EndpointRequest<Entries, Path, ValueOf<Body>, ValueOf<Query>>,
  ):
    | (Answer extends zod.ZodType ? zod.input<Answer> : void)
    | Promise<Answer extends zod.ZodType ? zod.input<Answer> : void>;
}

/** An endpoint with any schemas. */
export type Endpoint = EndpointDeclaration<never, string, Schema, Schema, Schema>;

/** The tools to declare endpoints with. */
export interface EndpointTools<Entries> {
  /** Declares an endpoint. Its schemas type the handler's request. */
  route<
    const Path extends `/${string}`,
    Body extends Schema = undefined,
    Query extends Schema = undefined,
    Answer extends Schema = undefined,
  >(
    declaration: EndpointDeclaration<Entries, Path, Body, Query, Answer>,
  ): Endpoint;
  /** The server's copy of zod. */
  readonly z: typeof zod;
}

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

/** The Koa handler of an endpoint. A response that doesn't match its schema is a defect: 500. */
export function endpointHandler(
  { body, query, answer, status = 200, handler }: Endpoint,
  contextOf: (ctx: Context) => ExtensionContext<unknown>,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const request: AnyRequest = {
      query: await valueOf(query, () => ctx.query),
      body: await valueOf(body, () => readObject(ctx)),
      params: ctx.params as Readonly<Record<string, string>>,
      caller: callerOf(ctx),
      context: contextOf(ctx),
      ctx,
    };
    const result: unknown = await (handler as (request: AnyRequest) => unknown)(request);
    if (answer) ctx.body = JSON.stringify(await answer.parseAsync(result));
    else ctx.body = null;
    ctx.status = answer ? status : 204;
  };
}
