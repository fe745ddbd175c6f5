/** Loads the jobs of a project, if its schema switches them on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { OpenedJobs } from '../features/jobs/open-jobs.ts';
import type { Logger } from '../http/log.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import type { Settings } from './settings.ts';

/** Undefined if there are none. Throws an error with a message for people if a job can't be done. */
export async function loadJobs(
  definition: ServerDefinition,
  { jobs }: AnyExtensions,
  settings: Settings,
  logger: Logger,
): Promise<OpenedJobs | undefined> {
  if (!jobs) return undefined;
  if (!definition.jobs) {
    throw new Error(
      'src/extensions/ has jobs, but the schema does not switch them on. Write `jobs: true` at the top level of the schema, build the project again, and apply its new migration: npm run server -- migrate up',
    );
  }
  const { openJobs } = await import('../features/jobs/open-jobs.ts').catch(explainMissingModule('jobs'));
  return openJobs(jobs, { settings: settings.jobs, logger });
}
