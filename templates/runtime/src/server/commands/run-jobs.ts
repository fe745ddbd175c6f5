/** `npm run server -- jobs list|run|retry|remove` of a generated server. */
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import { checkedJobs } from '../../features/jobs/check-jobs-declared.ts';
import { JOB_STATES, type JobReport } from '../../contract/jobs/job-report.ts';
import { removeJob, retryJob } from '../../features/jobs/job-rows.ts';
import { reportJobs, reportSchedules } from '../../features/jobs/report-jobs.ts';
import { runJob } from '../../features/jobs/run-job.ts';
import type { AnyExtensions, ServerDefinition } from '../definition.ts';
import { createServer } from '../server.ts';
import { type Command, type CommandContext, runCommand } from './command.ts';
import { orNearest, unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- jobs <command>

  list [NAME] [--state pending|done|failed] [--last 20]
          shows the next turns of schedules, and the last jobs with what failed
  run NAME [--input '{"to":"ann@example.org"}']
          runs a job now, once, in this process; its failure is only shown
  retry ID
          does a job again that was given up, is done, or waits
  remove ID
          removes a job that does not run
`;

const MOST_LISTED = 1000;
/** The clock of the database. */
const CLOCK = { moved: 0 };

function stateOf(text: string | undefined): JobReport['state'] | undefined {
  const state = JOB_STATES.find((name) => name === text);
  if (text !== undefined && state === undefined) {
    throw new UsageError(`--state must be one of ${JOB_STATES.join(', ')}`);
  }
  return state;
}

async function printSchedules({ database, print }: CommandContext): Promise<void> {
  for (const { name, expression, nextAt } of await reportSchedules(database)) {
    print(`${name}  ${expression}  next ${nextAt ?? 'never'}`);
  }
}

function list(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { state: { type: 'string' }, last: { type: 'string', default: '20' } },
  });
  const most = Number(values.last);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED) {
    throw new UsageError(`--last must be a number from 1 to ${MOST_LISTED}`);
  }
  const [name] = positionals;
  const state = stateOf(values.state);
  return async (context) => {
    if (name === undefined && state === undefined) await printSchedules(context);
    const jobs = await reportJobs(context.database, { name, state, most });
    if (jobs.length === 0) context.print('There are no such jobs.');
    for (const job of jobs) {
      const due = job.isRunning ? 'runs' : `${job.state}  ${job.dueAt}`;
      const key = job.key === null ? [] : [`key ${job.key}`];
      context.print([job.id, job.name, due, `${job.attempts} tries`, ...key].join('  '));
      for (const { at, error } of job.failures) context.print(`    ${at}  ${error}`);
    }
    return 0;
  };
}

function jsonOf(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : JSON.stringify(JSON.parse(text));
  } catch {
    throw new UsageError('--input must be JSON');
  }
}

function run(definition: ServerDefinition, extensions: AnyExtensions, args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { input: { type: 'string' } },
  });
  const [name] = positionals;
  const input = jsonOf(values.input);
  return async ({ settings, print }) => {
    const jobs = await checkedJobs(extensions.jobs ?? { declarations: {} });
    const job = name === undefined ? undefined : jobs.get(name);
    if (name === undefined || !job) {
      const known = [...jobs.keys()];
      const problem = name === undefined ? 'name a job' : `there is no job ${name}${orNearest(name, known)}`;
      throw new UsageError(`${problem}; src/extensions/ has ${known.join(', ') || 'none'}`);
    }
    const server = await createServer(definition, { settings: { ...settings, logLevel: 'warn' }, extensions });
    const ending = new AbortController();
    const end = (): void => ending.abort(new Error('it was interrupted'));
    process.once('SIGINT', end).once('SIGTERM', end);
    const started = performance.now();
    try {
      await runJob({ name, job, input, context: server.services, id: 0, attempt: 1, ending });
      print(`${name} is done, after ${Math.round(performance.now() - started)} ms.`);
      return 0;
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      await server.close();
    }
  };
}

function change(command: 'retry' | 'remove', [text = '']: readonly string[]): Command {
  if (!/^[1-9]\d{0,14}$/u.test(text)) throw new UsageError('name the number of a job, as `list` shows it');
  const id = Number(text);
  return async ({ database, print }) => {
    const isChanged = await (command === 'retry' ? retryJob : removeJob)(database, CLOCK, id);
    const done = command === 'retry' ? `Job ${id} is done again.` : `Job ${id} is removed.`;
    print(isChanged ? done : `There is no job ${id}, or it runs.`);
    return isChanged ? 0 : 1;
  };
}

/** Runs `npm run server -- jobs …` with settings from the environment. Returns the exit code. */
export function runJobs(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  [command, ...args]: readonly string[],
): Promise<number> {
  const parse = (): Command => {
    if (command === 'list') return list(args);
    if (command === 'run') return run(definition, extensions, args);
    if (command === 'retry' || command === 'remove') return change(command, args);
    throw unknownCommand(command, ['list', 'run', 'retry', 'remove']);
  };
  return runCommand(definition, parse, USAGE);
}
