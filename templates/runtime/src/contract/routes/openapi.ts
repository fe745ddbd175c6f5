/** From the table of routes to the paths of openapi.json. */
import { type JsonSchema, schemaRef } from './json-schema.ts';
import { hasId, type Route, type RouteAnswer, type RouteBody } from './route.ts';

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function contentOf({ json: schema, form }: RouteBody): JsonSchema {
  return { ...(schema && json(schema)), ...(form && { 'multipart/form-data': { schema: form } }) };
}

function failure(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}

function answerOf({ summary }: Route, { description = `${summary}.`, schema }: RouteAnswer): JsonSchema {
  return { description, content: schema && json(schema) };
}

/** The operation of a route; `open` is what everybody may do. */
export function operationOf(route: Route, open: ReadonlySet<string>): JsonSchema {
  const { id, tag, summary, permission, query = [], body, answers, canBeMissing } = route;
  const isOpen = permission === undefined || open.has(permission);
  const parameters = [...(hasId(route) ? ['id'] : []), ...query];
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: [...(isOpen ? [{}] : []), { bearer: [] }],
    parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: body && { required: true, content: contentOf(body) },
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, answerOf(route, answer)])),
      400: failure('Invalid'),
      401: failure('Unauthorized'),
      403: permission === undefined ? undefined : failure('Forbidden'),
      404: hasId(route) || canBeMissing ? failure('NotFound') : undefined,
    },
  };
}

/** The paths of routes with their operations, in the order of the table. */
export function pathsOf(routes: readonly Route[], open: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, open);
  }
  return paths;
}

/** Answers of requests that fail, by name. */
export const FAILURES: JsonSchema = Object.fromEntries(
  [
    ['Invalid', 'The request is not valid; details name each failing value.'],
    ['Unauthorized', 'The credentials are not valid.'],
    ['Forbidden', 'The caller may not do this.'],
    ['NotFound', 'There is no such entry.'],
  ].map(([name, description]) => [name, { description, content: json(schemaRef('ErrorAnswer')) }]),
);
