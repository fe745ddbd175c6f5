/** Generates the paths of openapi.json from the table of routes. */
import { type JsonSchema, schemaRef } from './json-schema.ts';
import { hasId, type Route, type RouteAnswer, type RouteBody } from './route.ts';

/** Input besides the routes. */
export interface PathContext {
  /** The format to describe; by default v4. */
  readonly format?: 'v4' | 'v5' | undefined;
  /** Permissions of callers without credentials. */
  readonly open: ReadonlySet<string>;
  /** Permission → role → its rule: shown as `x-rule`. */
  readonly rules?: ReadonlyMap<string, JsonSchema> | undefined;
  /** The path and query parameters of a route. */
  parametersOf(route: Route): readonly JsonSchema[];
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

/** Bytes of any media type. */
const BYTES: JsonSchema = { '*/*': { schema: { type: 'string', format: 'binary' } } };

function contentOf({ json: schema, form, bytes }: RouteBody): JsonSchema {
  return { ...(schema && json(schema)), ...(form && { 'multipart/form-data': { schema: form } }), ...(bytes && BYTES) };
}

const ETAG: JsonSchema = {
  ETag: { description: 'Identifies this state of the response.', schema: { type: 'string' } },
};

function answerOf(
  { summary, versions, method }: Route,
  { description = `${summary}.`, schema, isBytes, mediaType = 'application/json' }: RouteAnswer,
): JsonSchema {
  const hasTag = versions !== undefined && method !== 'DELETE';
  return {
    description,
    headers: hasTag ? ETAG : undefined,
    content: isBytes ? BYTES : schema && { [mediaType]: { schema } },
  };
}

/** The response to conditional requests whose ETag still matches. */
function unchangedOf({ versions }: Route): Readonly<Record<string, JsonSchema>> {
  return versions === 'reads'
    ? { 304: { description: 'The content still has the `ETag` in `If-None-Match`.', headers: ETAG } }
    : {};
}

/** One way for requests to fail. */
interface Failure {
  readonly status: number;
  /** Its key in `components.responses`. */
  readonly name: string;
  readonly description: string;
  /** Whether the error is temporary, so that the response may have `Retry-After`. */
  readonly passes?: boolean;
  isPossible(route: Route): boolean;
}

const always = (): boolean => true;
const isChange = ({ versions }: Route): boolean => versions === 'changes';
const isKeyed = ({ keyed }: Route): boolean => keyed === true;
const hasBody = ({ body }: Route): boolean => body !== undefined;

// prettier-ignore
const FAILURES: readonly Failure[] = [
  { status: 400, name: 'BadRequest', description: 'The request is invalid; `details` name each invalid value.', isPossible: always },
  { status: 401, name: 'Unauthorized', description: 'The credentials are invalid.', isPossible: always },
  { status: 403, name: 'Forbidden', description: 'The caller may not do this.', isPossible: ({ permission, needsAny }) => permission !== undefined || needsAny === true },
  { status: 404, name: 'NotFound', description: 'The entry does not exist.', isPossible: (route) => hasId(route) || route.canBeMissing === true },
  { status: 409, name: 'Conflict', description: 'The request with this `Idempotency-Key` is still being carried out.', passes: true, isPossible: isKeyed },
  { status: 412, name: 'PreconditionFailed', description: 'The entry does not have the version in `If-Match`; `details.current` is a tag of its current version.', isPossible: isChange },
  { status: 413, name: 'PayloadTooLarge', description: 'The body is larger than the server accepts.', isPossible: hasBody },
  { status: 415, name: 'UnsupportedMediaType', description: 'The body has a type that the operation does not support.', isPossible: hasBody },
  { status: 422, name: 'UnprocessableEntity', description: 'The `Idempotency-Key` was used for another request.', isPossible: isKeyed },
  { status: 428, name: 'PreconditionRequired', description: 'The server requires `If-Match` for every change.', isPossible: isChange },
  { status: 429, name: 'TooManyRequests', description: 'Too many attempts, or the database has spent too much time on the queries of this caller.', passes: true, isPossible: ({ isCounted, permission }) => isCounted === true || permission !== undefined },
  { status: 500, name: 'InternalServerError', description: 'A bug in the server; `details.requestId` is also in its log.', isPossible: always },
  { status: 503, name: 'ServiceUnavailable', description: 'The server is temporarily unavailable.', passes: true, isPossible: always },
  { status: 507, name: 'InsufficientStorage', description: 'The server has no disk space left. Nothing was written.', passes: true, isPossible: ({ method }) => method !== 'GET' },
];

const RETRY_AFTER: JsonSchema = {
  'Retry-After': {
    description: 'When to retry, in seconds, if a retry is useful.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** The error responses, for `components.responses`. */
export const FAILURE_RESPONSES: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  FAILURES.map(({ name, description, passes }) => [
    name,
    { description, headers: passes ? RETRY_AFTER : undefined, content: json(schemaRef('ErrorResponse')) },
  ]),
);

function failuresOf(route: Route): Readonly<Record<string, JsonSchema>> {
  const possible = FAILURES.filter(({ isPossible }) => isPossible(route));
  return Object.fromEntries(possible.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]));
}

function descriptionOf({ summary, permission, orPermission }: Route): string {
  const or = orPermission === undefined ? '' : `, or \`${orPermission}\` for drafts alone`;
  const needed =
    permission === undefined ? 'Requires no permission.' : `Requires the permission \`${permission}\`${or}.`;
  return `${summary}. ${needed}`;
}

/** The operation of a route. */
function operationOf(route: Route, { format, open, rules, parametersOf }: PathContext): JsonSchema {
  const { id, operationId = id, tag, summary, permission, body, answers } = route;
  const isOpen = permission === undefined || open.has(permission);
  const parameters = parametersOf(route);
  const statusOf = ({ status, statusInV5 }: RouteAnswer) => (format === 'v5' ? (statusInV5 ?? status) : status);
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(route),
    'x-rule': permission === undefined ? undefined : rules?.get(permission),
    security: [...(isOpen ? [{}] : []), { bearer: [] }, ...(tag === 'admin' ? [{ adminSession: [] }] : [])],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: true, content: contentOf(body) },
    responses: {
      ...Object.fromEntries(answers.map((answer) => [statusOf(answer), answerOf(route, answer)])),
      ...unchangedOf(route),
      ...failuresOf(route),
    },
  };
}

/** The paths of the routes with their operations, in the order of the table. */
export function pathsOf(routes: readonly Route[], context: PathContext): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, context);
  }
  return paths;
}
