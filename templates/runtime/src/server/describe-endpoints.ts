/** Converts endpoints to rows of the table of routes, and their zod schemas to JSON Schema. */
import { loadZod } from '../base/lazy-packages.ts';
import { type JsonSchema, schemaRef, TEXT } from '../contract/routes/json-schema.ts';
import type { Route, RouteAnswer, RouteBody } from '../contract/routes/route.ts';
import type { Endpoint } from './endpoints.ts';
import { mountedOf } from './mount-endpoints.ts';

const TAG = 'endpoints';

/** A schema of zod, where an endpoint has one. */
type Schema = Extract<Endpoint['body'], object> | undefined;

/** What endpoints add to the OpenAPI description of a server. */
export interface DescribedEndpoints {
  readonly routes: readonly Route[];
  /** By name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly tag: JsonSchema;
  parametersOf(route: Route): readonly JsonSchema[];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `POST /api/articles/{id}/publish` → `postArticlesByIdPublish` */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path
    .replace(/^\/api(?=\/)/u, '')
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/u, (_, name: string) => `by-${name}`))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/u));
  return `${method.toLowerCase()}${words.map(capitalized).join('')}`;
}

/** The JSON Schema of a zod schema. `rename` maps its internal references. */
function jsonSchemaOf(schema: Schema, io: 'input' | 'output', rename: (pointer: string) => string): JsonSchema {
  const { $schema: _, ...rest } = loadZod().toJSONSchema(schema ?? loadZod().undefined(), {
    io,
    unrepresentable: 'any',
  });
  const text = JSON.stringify(rest, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? rename(value) : value,
  );
  return JSON.parse(text) as JsonSchema;
}

/** The JSON Schema of a zod schema, without names for parts that occur several times. */
export function inlineSchemaOf(schema: Exclude<Schema, undefined>, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = loadZod().toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest as JsonSchema;
}

/** Adds a schema and its internal definitions to the named schemas, and returns a reference to it. */
function named(schemas: Record<string, JsonSchema>, name: string, schema: Schema, io: 'input' | 'output'): JsonSchema {
  const nameOf = (pointer: string): string => `${name}${pointer.replace(/^#\/?(?:\$defs\/)?/u, '')}`;
  const rename = (pointer: string): string => `#/components/schemas/${nameOf(pointer)}`;
  const { $defs = {}, ...own } = jsonSchemaOf(schema, io, rename) as JsonSchema & {
    readonly $defs?: Readonly<Record<string, JsonSchema>>;
  };
  schemas[name] = own;
  for (const [key, definition] of Object.entries($defs)) schemas[nameOf(key)] = definition;
  return schemaRef(name);
}

function parametersOfEndpoint({ path, query }: Endpoint): readonly JsonSchema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: TEXT,
  }));
  if (!query) return inPath;
  const { properties = {}, required = [] } = jsonSchemaOf(query, 'input', (pointer) => pointer) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

function bodyOf(body: Endpoint['body'], reference: (schema: Schema) => JsonSchema): RouteBody | undefined {
  if (body === undefined) return undefined;
  return typeof body === 'string' ? { bytes: true } : { json: reference(body) };
}

function answerOf(
  answer: Endpoint['answer'],
  status: 200 | 201,
  reference: (schema: Schema) => JsonSchema,
): RouteAnswer {
  if (answer === undefined) return { status: 204 };
  return answer === 'stream' ? { status, isBytes: true } : { status, schema: reference(answer) };
}

/** Describes endpoints for an OpenAPI document. */
export function describeEndpoints(endpoints: readonly Endpoint[]): DescribedEndpoints {
  const schemas: Record<string, JsonSchema> = {};
  const parameters = new Map<string, readonly JsonSchema[]>();
  const routes = endpoints.map((endpoint): Route => {
    const { body, answer, status = 200, summary } = endpoint;
    const mounted = mountedOf(endpoint);
    const operationId = operationIdOf(endpoint);
    const name = capitalized(operationId);
    parameters.set(mounted.id, parametersOfEndpoint(endpoint));
    return {
      ...mounted,
      operationId,
      tag: TAG,
      summary: summary ?? mounted.id,
      body: bodyOf(body, (schema) => named(schemas, `${name}Request`, schema, 'input')),
      ...(endpoint.rateLimit && { isCounted: true }),
      answers: [answerOf(answer, status, (schema) => named(schemas, `${name}Response`, schema, 'output'))],
      canBeMissing: endpoint.path.includes('{'),
      probe: 200,
    };
  });
  return {
    routes,
    schemas,
    tag: { name: TAG, description: 'Custom endpoints of this server.' },
    parametersOf: ({ id }) => parameters.get(id) ?? [],
  };
}
