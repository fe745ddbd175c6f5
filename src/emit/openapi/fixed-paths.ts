/** The paths that every server has: of accounts, locales and files. */
import type { Operation } from './operation.ts';
import type { JsonObject } from './schema-names.ts';

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function form(schema: JsonObject): JsonObject {
  return { 'multipart/form-data': { schema } };
}

function failure(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function describe(operation: Operation, tag: string, open: ReadonlySet<string>): JsonObject {
  const { path, id, summary, permission, body, isForm, answer, query = [], created } = operation;
  const isOpen = permission === undefined || open.has(permission);
  const hasId = path.includes('{id}');
  const parameters = [...(hasId ? ['id'] : []), ...query].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: [...(isOpen ? [{}] : []), { bearer: [] }],
    parameters,
    requestBody: body && { required: true, content: isForm ? form(body) : json(body) },
    responses: {
      [created ? 201 : 200]: { description: `${summary}.`, content: json(answer) },
      400: failure('Invalid'),
      401: failure('Unauthorized'),
      403: permission === undefined ? undefined : failure('Forbidden'),
      404: hasId ? failure('NotFound') : undefined,
    },
  };
}

/** The paths of operations, which are given by the tag that they have; `open` is what everybody may do. */
export function fixedPaths(
  byTag: Readonly<Record<string, readonly Operation[]>>,
  open: ReadonlySet<string>,
): [string, JsonObject][] {
  const paths = new Map<string, Record<string, JsonObject>>();
  for (const [tag, operations] of Object.entries(byTag)) {
    for (const operation of operations) {
      const methods = paths.get(operation.path) ?? {};
      methods[operation.method] = describe(operation, tag, open);
      paths.set(operation.path, methods);
    }
  }
  return [...paths];
}
