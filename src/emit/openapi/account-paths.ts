/** The paths of signing in, users, roles and API tokens. */
import { ACCOUNT_OPERATIONS, type Operation } from './account-operations.ts';
import type { JsonObject } from './schema-names.ts';

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function failure(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function describe(operation: Operation, tag: string, open: ReadonlySet<string>): JsonObject {
  const { path, id, summary, permission, body, answer, query = [], created } = operation;
  const isOpen = permission === undefined || open.has(permission);
  const hasId = path.includes('{id}');
  const parameters = [...(hasId ? ['id'] : []), ...query].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: [...(isOpen ? [{}] : []), { bearer: [] }],
    parameters,
    requestBody: body && { required: true, content: json(body) },
    responses: {
      [created ? 201 : 200]: { description: `${summary}.`, content: json(answer) },
      400: failure('Invalid'),
      401: failure('Unauthorized'),
      403: permission === undefined ? undefined : failure('Forbidden'),
      404: hasId ? failure('NotFound') : undefined,
    },
  };
}

/** The paths with their operations; `open` is what everybody may do. */
export function accountPaths(open: ReadonlySet<string>): [string, JsonObject][] {
  const paths = new Map<string, Record<string, JsonObject>>();
  for (const [tag, operations] of Object.entries(ACCOUNT_OPERATIONS)) {
    for (const operation of operations) {
      const methods = paths.get(operation.path) ?? {};
      methods[operation.method] = describe(operation, tag, open);
      paths.set(operation.path, methods);
    }
  }
  return [...paths];
}
