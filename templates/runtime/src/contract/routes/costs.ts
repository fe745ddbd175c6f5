/** The route `/api/_costs`. */
import { ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const NUMBER: JsonSchema = { type: 'integer' };

/** Schemas by name. */
export const COST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  RequestCost: object({
    data: object({
      cost: { ...NUMBER, description: 'What the request costs, as in `X-Cost`.' },
      rows: { ...NUMBER, description: 'How many rows each table is taken to have.' },
      scans: {
        ...list(object({ table: TEXT, cost: NUMBER })),
        description: 'The tables that the query may have to examine, the most expensive first.',
      },
      missing: { ...list(TEXT), description: 'Indexes that the schema could have: `[status, -day]`.' },
      notes: { ...list(TEXT), description: 'Conditions that no index serves.' },
    }),
    meta: object({}),
  }),
};

export const COST_ROUTES = routeTable([
  {
    id: 'findCost',
    method: 'GET',
    path: '/api/_costs',
    tag: 'costs',
    summary: 'What a request would cost the caller, and which indexes it lacks, without running it',
    permission: 'costs.find',
    query: ['costOf'],
    answers: ok(schemaRef('RequestCost')),
    probe: 400,
  },
]);
