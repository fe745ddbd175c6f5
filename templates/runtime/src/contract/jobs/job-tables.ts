/** Where the jobs of a project are stored. */

/** The table of jobs: to be done, done, and given up. */
export const JOBS_TABLE = 'queued_jobs';

/** The table of schedules: when each has its next turn. */
export const SCHEDULES_TABLE = 'job_schedules';
