/** Schedules: when entries are published and taken back. */
import { ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT, TIME, TIME_OR_NULL } from './json-schema.ts';
import { routeTable } from './route.ts';

const ACTION: JsonSchema = { type: 'string', enum: ['publish', 'unpublish'] };

/** Why something that was due was not done. */
const REFUSAL = {
  at: { ...TIME, description: 'When it was due.' },
  message: TEXT,
  errors: { ...list(object({ path: list(TEXT), message: TEXT })), description: 'Each value that was refused.' },
};

const TIMES = {
  publishAt: { ...TIME_OR_NULL, description: 'When its draft is published.' },
  unpublishAt: { ...TIME_OR_NULL, description: 'When what is published is taken back.' },
};

const SCHEDULE = {
  ...TIMES,
  refusals: {
    ...list(schemaRef('ScheduleRefusal')),
    description: 'What was due and could not be done. It stays until the time is set again or removed.',
  },
};

/** Schemas by name. */
export const SCHEDULE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ScheduleRefusal: object({ action: ACTION, ...REFUSAL }, ['action', 'at', 'message']),
  ScheduleRequest: object(TIMES, []),
  ScheduleResponse: object({ data: object(SCHEDULE), meta: object({}) }),
  ScheduleListResponse: object({
    data: list(
      object({ type: TEXT, id: { type: 'integer' }, documentId: TEXT, locale: TEXT, ...SCHEDULE }, [
        'type',
        'id',
        ...Object.keys(SCHEDULE),
      ]),
    ),
    meta: object({}),
  }),
};

export const SCHEDULE_ROUTES = routeTable([
  {
    id: 'listSchedules',
    method: 'GET',
    path: '/api/_schedules',
    tag: 'schedules',
    summary: 'List the schedules of entries that the caller may update, the next ones first; at most 1000',
    answers: ok(schemaRef('ScheduleListResponse')),
    probe: 200,
  },
]);
