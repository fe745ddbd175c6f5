/** The route `/api/_batch`. */
import { ok } from './answers.ts';
import { ANY_OBJECT, type JsonSchema, list, object, schemaRef, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const OPERATION = object(
  {
    id: { ...TEXT, description: 'A name: in the operations after it, `"$name"` is the id of the entry.' },
    method: { type: 'string', enum: ['POST', 'PUT', 'DELETE'] },
    path: { ...TEXT, description: 'The path of a route that writes entries, with its query: `/api/articles/7`.' },
    body: ANY_OBJECT,
    ifMatch: { ...TEXT, description: 'The `ETag` of the version to change.' },
  },
  ['method', 'path'],
);

const RESULT = object({
  status: { type: 'integer' },
  data: { description: 'As in the response of the route.' },
  meta: ANY_OBJECT,
});

const REFUSED = object({
  operation: { type: 'integer', description: 'The position of the operation, from 0.' },
  error: object({ status: { type: 'integer' }, name: TEXT, message: TEXT, details: ANY_OBJECT }),
});

/** Schemas by name. */
export const BATCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  BatchRequest: object(
    {
      operations: { ...list(OPERATION), minItems: 1 },
      dryRun: {
        type: 'boolean',
        description: 'Whether to write nothing, and answer with all operations that are refused.',
      },
    },
    ['operations'],
  ),
  BatchResponse: object({ results: list(RESULT) }),
  BatchDryRunResponse: object({ refused: list(REFUSED) }),
};

export const BATCH_ROUTES = routeTable([
  {
    id: 'batch',
    method: 'POST',
    path: '/api/_batch',
    tag: 'batch',
    summary:
      'Write several entries in one transaction, all or nothing; each operation needs the permission of its route',
    body: { json: schemaRef('BatchRequest') },
    answers: ok({ anyOf: [schemaRef('BatchResponse'), schemaRef('BatchDryRunResponse')] }),
    keyed: true,
    probe: 400,
  },
]);
