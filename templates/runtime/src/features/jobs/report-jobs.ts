/** What is told of jobs. For the command line and for `/api/_jobs`. */
import type { JobReport, JobSchedule } from '../../contract/jobs/job-report.ts';
import type { Database } from '../../database/database.ts';
import { lastJobs, STATE } from './job-rows.ts';
import { readSchedules } from './take-turns.ts';
import { NEVER } from './turns.ts';

/** The last jobs in a state and of a name, if these are given. */
export async function reportJobs(
  database: Database,
  how: {
    readonly name: string | undefined;
    readonly state: JobReport['state'] | undefined;
    readonly most: number;
  },
): Promise<readonly JobReport[]> {
  const names = Object.keys(STATE) as JobReport['state'][];
  const jobs = await lastJobs(database, { ...how, state: how.state && STATE[how.state] });
  return jobs.map(({ id, name, key = null, state, isRunning, dueAt, since, attempts, tries }) => ({
    id,
    name,
    key,
    state: names.find((one) => STATE[one] === state) ?? 'pending',
    isRunning,
    dueAt: new Date(dueAt).toISOString(),
    since: new Date(since).toISOString(),
    attempts,
    failures: tries,
  }));
}

/** The schedules by name. */
export async function reportSchedules(database: Database): Promise<readonly JobSchedule[]> {
  return [...(await readSchedules(database))].map(([name, { expression, nextAt }]) => ({
    name,
    expression,
    nextAt: nextAt >= NEVER ? null : new Date(nextAt).toISOString(),
  }));
}
