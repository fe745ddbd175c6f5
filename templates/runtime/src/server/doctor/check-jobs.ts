/** Checks that jobs are done. Loaded only by servers with jobs. */
import type { Database } from '../../database/database.ts';
import { countJobs, overdueNames, STATE } from '../../features/jobs/job-rows.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('jobs');

const MOST_COUNTED = 10_000;
/** For how long a job may wait that is due, in milliseconds. */
const LONG = 600_000;

/** Which jobs were given up, and which wait for too long. */
export async function checkJobs(database: Database): Promise<readonly Finding[]> {
  const pending = await countJobs(database, STATE.pending, MOST_COUNTED);
  const failed = await countJobs(database, STATE.failed, MOST_COUNTED);
  const overdue = await overdueNames(database, { moved: 0 }, LONG);
  const found = [
    ...(failed === 0 ? [] : [`${failed} were given up: npm run server -- jobs list --state failed`]),
    ...(overdue.length === 0
      ? []
      : [
          `some have been due for more than ten minutes: ${overdue.join(', ')}. Does a server run, and does src/extensions/ have them?`,
        ]),
  ];
  return found.length === 0 ? [of.good(`${pending} wait`)] : found.map((text) => of.warning(text));
}
