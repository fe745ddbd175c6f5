/** Checks the jobs that a project declares, before its server starts. */
import type { Jobs } from '../../entries/own-jobs.ts';
import type { AnyJob } from './job-declaration.ts';
import { problemOfSchedule } from './turns.ts';

const NAME = /^[A-Za-z][A-Za-z0-9]{0,99}$/u;
const MOST_TRIES = 100;
const DAY = 86_400;

async function problemOf(name: string, job: AnyJob): Promise<string | undefined> {
  const { schedule, timeZone, tries = 1, timeout = 1, input, run } = job;
  if (!NAME.test(name)) return 'must have a name of letters and digits, such as cleanUp';
  if (typeof run !== 'function') return 'has no function `run`';
  if (!Number.isInteger(tries) || tries < 1 || tries > MOST_TRIES) return `must have \`tries\` from 1 to ${MOST_TRIES}`;
  if (!(timeout > 0 && timeout <= DAY)) return `must have a \`timeout\` of up to ${DAY} seconds`;
  if (schedule === undefined) return timeZone === undefined ? undefined : 'has a `timeZone`, but no `schedule`';
  if (input && !(await input.safeParseAsync(undefined)).success) {
    return 'has a `schedule`, so its `input` must be optional: its turns have none';
  }
  return problemOfSchedule({ name, expression: schedule, timeZone: timeZone ?? 'UTC' });
}

/** The jobs by name. Throws an error that names each one that is wrong. */
export async function checkedJobs({ declarations }: Jobs<unknown>): Promise<ReadonlyMap<string, AnyJob>> {
  const jobs = Object.entries(declarations) as [string, AnyJob][];
  const problems: string[] = [];
  for (const [name, job] of jobs) {
    const problem = await problemOf(name, job);
    if (problem !== undefined) problems.push(`  the job ${name} ${problem}`);
  }
  if (problems.length > 0) throw new Error(['The jobs in src/extensions/ are invalid:', ...problems].join('\n'));
  return new Map(jobs);
}
