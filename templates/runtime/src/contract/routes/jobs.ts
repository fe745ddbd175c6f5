/** The routes `/api/_jobs`. */
import { JOB_STATES } from '../jobs/job-report.ts';
import { ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT, TIME, TIME_OR_NULL } from './json-schema.ts';
import { routeTable } from './route.ts';

const INTEGER: JsonSchema = { type: 'integer' };
const FLAG: JsonSchema = { type: 'boolean' };

/** Schemas by name. */
export const JOB_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Job: object({
    id: INTEGER,
    name: TEXT,
    key: { type: ['string', 'null'] },
    state: { type: 'string', enum: JOB_STATES },
    isRunning: FLAG,
    dueAt: { ...TIME, description: 'When it is done next, or was done or given up.' },
    since: TIME,
    attempts: INTEGER,
    failures: list(object({ at: TIME, error: TEXT })),
  }),
  JobSchedule: object({ name: TEXT, expression: TEXT, nextAt: TIME_OR_NULL }),
};

const PATH = '/api/_jobs';

export const JOB_ROUTES = routeTable([
  {
    id: 'findJobs',
    method: 'GET',
    path: PATH,
    tag: 'jobs',
    summary: 'List the next turns of schedules, and the last 100 jobs, or those with a `?name` or a `?state`',
    permission: 'jobs.find',
    answers: ok(object({ data: list(schemaRef('Job')), meta: object({ schedules: list(schemaRef('JobSchedule')) }) })),
    probe: 200,
  },
  {
    id: 'retryJob',
    method: 'POST',
    path: `${PATH}/{id}/actions/retry`,
    tag: 'jobs',
    summary: 'Do a job again that was given up, is done, or waits',
    permission: 'jobs.update',
    answers: [{ status: 204 }],
    probe: 404,
  },
  {
    id: 'removeJob',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    tag: 'jobs',
    summary: 'Remove a job that does not run',
    permission: 'jobs.delete',
    answers: [{ status: 204 }],
    probe: 404,
  },
]);
