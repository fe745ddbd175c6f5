/** From the table of routes to the paths of openapi.json. */
import { type JsonSchema, schemaRef } from './json-schema.ts';
import { hasId, type Route, type RouteAnswer, type RouteBody } from './route.ts';

/** What paths are made with, beside the routes. */
export interface PathContext {
  /** The format that is described: v4 where there is none. */
  readonly format?: 'v4' | 'v5' | undefined;
  /** What everybody may do. */
  readonly open: ReadonlySet<string>;
  /** The parameters of a route, in its path and its query. */
  parametersOf(route: Route): readonly JsonSchema[];
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function contentOf({ json: schema, form }: RouteBody): JsonSchema {
  return { ...(schema && json(schema)), ...(form && { 'multipart/form-data': { schema: form } }) };
}

const ETAG: JsonSchema = {
  ETag: { description: 'Names this state of what is answered.', schema: { type: 'string' } },
};

function answerOf(
  { summary, versions, method }: Route,
  { description = `${summary}.`, schema }: RouteAnswer,
): JsonSchema {
  const hasTag = versions !== undefined && method !== 'DELETE';
  return { description, headers: hasTag ? ETAG : undefined, content: schema && json(schema) };
}

/** What is answered to whoever has the answer already. */
function unchangedOf({ versions }: Route): Readonly<Record<string, JsonSchema>> {
  return versions === 'reads'
    ? { 304: { description: 'Nothing has changed since `If-None-Match`.', headers: ETAG } }
    : {};
}

/** One way for requests to fail. */
interface Failure {
  readonly status: number;
  /** In `components.responses`. */
  readonly name: string;
  readonly description: string;
  /** Whether `Retry-After` says when it is worth coming again. */
  readonly passes?: boolean;
  isPossible(route: Route): boolean;
}

const always = (): boolean => true;
const isChange = ({ versions }: Route): boolean => versions === 'changes';
const hasBody = ({ body }: Route): boolean => body !== undefined;

// prettier-ignore
const FAILURES: readonly Failure[] = [
  { status: 400, name: 'BadRequest', description: 'The request is not valid; `details` name each failing value.', isPossible: always },
  { status: 401, name: 'Unauthorized', description: 'The credentials are not valid.', isPossible: always },
  { status: 403, name: 'Forbidden', description: 'The caller may not do this.', isPossible: ({ permission }) => permission !== undefined },
  { status: 404, name: 'NotFound', description: 'There is no such entry.', isPossible: (route) => hasId(route) || route.canBeMissing === true },
  { status: 412, name: 'PreconditionFailed', description: 'The entry is in another version than `If-Match` says; `details.current` is that of now.', isPossible: isChange },
  { status: 413, name: 'PayloadTooLarge', description: 'The body is larger than the server takes.', isPossible: hasBody },
  { status: 415, name: 'UnsupportedMediaType', description: 'The body is of another type than the ones described.', isPossible: hasBody },
  { status: 428, name: 'PreconditionRequired', description: 'The schema of the server asks every change for `If-Match`.', isPossible: isChange },
  { status: 429, name: 'TooManyRequests', description: 'Too many tries.', passes: true, isPossible: ({ isCounted }) => isCounted === true },
  { status: 500, name: 'InternalServerError', description: 'A defect of the server; `details.requestId` is also in its log.', isPossible: always },
  { status: 503, name: 'ServiceUnavailable', description: 'The server can not answer now.', passes: true, isPossible: always },
  { status: 507, name: 'InsufficientStorage', description: 'The server has no space left. Nothing was written.', passes: true, isPossible: ({ method }) => method !== 'GET' },
];

const RETRY_AFTER: JsonSchema = {
  'Retry-After': {
    description: 'In seconds, where it is worth coming again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** `components.responses`: the answers of requests that fail. */
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

function descriptionOf({ summary, permission }: Route): string {
  const needed = permission === undefined ? 'No permission is needed.' : `The permission \`${permission}\` is needed.`;
  return `${summary}. ${needed}`;
}

/** The operation of a route. */
function operationOf(route: Route, { format, open, parametersOf }: PathContext): JsonSchema {
  const { id, operationId = id, tag, summary, permission, body, answers } = route;
  const isOpen = permission === undefined || open.has(permission);
  const parameters = parametersOf(route);
  const statusOf = ({ status, statusInV5 }: RouteAnswer) => (format === 'v5' ? (statusInV5 ?? status) : status);
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(route),
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

/** The paths of routes with their operations, in the order of the table. */
export function pathsOf(routes: readonly Route[], context: PathContext): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, context);
  }
  return paths;
}
