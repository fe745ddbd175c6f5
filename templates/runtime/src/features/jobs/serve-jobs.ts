/** The routes `/api/_jobs`. */
import type { Context } from 'koa';
import { JOB_STATES } from '../../contract/jobs/job-report.ts';
import { BadRequestError, NotFoundError } from '../../contract/errors.ts';
import { JOB_ROUTES } from '../../contract/routes/jobs.ts';
import type { Database } from '../../database/database.ts';
import { parseEntryId } from '../../http/entry-id.ts';
import type { Feature, FeatureHost } from '../../http/feature.ts';
import { type Handlers, type IdsOf, mountRoutes } from '../../http/mount-routes.ts';
import { PRIVATE } from '../../http/reply.ts';
import { removeJob, retryJob } from './job-rows.ts';
import { reportJobs, reportSchedules } from './report-jobs.ts';

const MOST_LISTED = 100;
/** The clock of the database. */
const CLOCK = { moved: 0 };
/** In characters, as the column is. */
const LONGEST = 255;

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

function filterOf({ query: { name, state } }: Context) {
  const known = JOB_STATES.find((one) => one === state);
  if (state !== undefined && known === undefined) {
    throw new BadRequestError(`Invalid parameter state: it must be one of ${JOB_STATES.join(', ')}`);
  }
  if (Array.isArray(name) || (name?.length ?? 0) > LONGEST) {
    throw new BadRequestError('Invalid parameter name: it must be the name of a job');
  }
  return { name: name === '' ? undefined : name, state: known };
}

function handlersOf(database: Database): Handlers<IdsOf<typeof JOB_ROUTES>> {
  const change = async (ctx: Context, work: typeof retryJob): Promise<void> => {
    // One that runs can't be changed: there is none that could.
    if (!(await work(database, CLOCK, idOf(ctx)))) throw new NotFoundError();
    ctx.status = 204;
  };
  return {
    async findJobs(ctx) {
      const [data, schedules] = [
        await reportJobs(database, { ...filterOf(ctx), most: MOST_LISTED }),
        await reportSchedules(database),
      ];
      ctx.set('Cache-Control', PRIVATE);
      ctx.body = { data, meta: { schedules } };
    },
    retryJob: (ctx) => change(ctx, retryJob),
    removeJob: (ctx) => change(ctx, removeJob),
  };
}

export const jobs: Feature<unknown> = {
  name: 'jobs',
  routes: JOB_ROUTES,
  start: ({ database }: FeatureHost<unknown>) =>
    Promise.resolve({ mounts: [mountRoutes(JOB_ROUTES, () => Promise.resolve(handlersOf(database)))] }),
};
