/** The route `/api/_audit`. */
import { ok } from './answers.ts';
import { ANY_OBJECT, type JsonSchema, list, object, schemaRef, TEXT, TIME } from './json-schema.ts';
import { routeTable } from './route.ts';

const INTEGER: JsonSchema = { type: 'integer' };
const INTEGER_OR_NULL: JsonSchema = { type: ['integer', 'null'] };
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };

/** Schemas by name. */
export const AUDIT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AuditRow: object({
    id: INTEGER,
    at: TIME,
    event: TEXT,
    actor: object({ kind: { type: 'string', enum: ['user', 'token', 'public', 'server', 'command'] }, id: INTEGER }, [
      'kind',
    ]),
    type: TEXT_OR_NULL,
    subjectId: INTEGER_OR_NULL,
    documentId: TEXT_OR_NULL,
    locale: TEXT_OR_NULL,
    requestId: TEXT_OR_NULL,
    address: TEXT_OR_NULL,
    details: { ...ANY_OBJECT, type: ['object', 'null'] },
    position: { ...INTEGER_OR_NULL, description: 'The place in the chain of hashes; null for a moment.' },
    hash: TEXT_OR_NULL,
  }),
  AuditPage: object({
    data: list(schemaRef('AuditRow')),
    meta: object({ after: { ...TEXT_OR_NULL, description: 'For the next page; null on the last one.' } }),
  }),
};

export const AUDIT_ROUTES = routeTable([
  {
    id: 'findAudit',
    method: 'GET',
    path: '/api/_audit',
    tag: 'audit',
    summary: 'Read who did what, the last first',
    permission: 'audit.find',
    query: ['auditActor', 'auditEvent', 'auditType', 'auditId', 'auditFrom', 'auditTo', 'auditPageSize', 'auditAfter'],
    answers: ok(schemaRef('AuditPage')),
    probe: 200,
  },
]);
