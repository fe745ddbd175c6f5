/** Jobs of a server: how its own code adds them, and how they are done. */
import type { Database } from '../../database/database.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import type { AfterCommit } from '../../entries/context.ts';
import type { AnyOwnJob, EnqueueOptions, Jobs } from '../../entries/own-jobs.ts';
import type { AnyContext } from '../../entries/typed/open-entries.ts';
import type { Logger } from '../../http/log.ts';
import { checkedJobs } from './check-jobs-declared.ts';
import type { AnyJob } from './job-declaration.ts';
import { storedInput } from './job-input.ts';
import { addJob, countJobs, prune, STATE } from './job-rows.ts';
import type { JobSettings } from './job-settings.ts';
import type { Schedule } from './turns.ts';
import { createWorker, type Worker } from './work-on-jobs.ts';

const PRUNE_INTERVAL = 600_000;
/** Further rows are not counted. */
const MOST_COUNTED = 100_000;
const MAX_KEY = 200;
/** What the keys of a schedule's turns begin with. */
const RESERVED_KEY = /^turn /u;

/** Where jobs are added: a database, or a transaction. */
interface JobPlace {
  readonly database: Database;
  readonly afterCommit: AfterCommit;
}

export interface OpenedJobs {
  /** The jobs as code at this place adds them, by name. */
  at(place: JobPlace): Readonly<Record<string, AnyOwnJob>>;
  /** Begins to do jobs. Call it once the tables exist. */
  start(database: Database, contextOf: (id: string) => AnyContext): void;
  /** The numbers of jobs that wait and that were given up, for metrics. */
  counts(): Promise<{ readonly pending: number; readonly failed: number }>;
  /** Moves the time of jobs and schedules, and does what is due by then. */
  advance(milliseconds: number): Promise<void>;
  /** Ends the jobs that run, and waits for them for so many milliseconds. */
  stop(time: number): Promise<void>;
}

function schedulesOf(jobs: ReadonlyMap<string, AnyJob>): readonly Schedule[] {
  return [...jobs].flatMap(([name, { schedule: expression, timeZone = 'UTC' }]) =>
    expression === undefined ? [] : [{ name, expression, timeZone }],
  );
}

/** Throws an error that says what is wrong. */
function checkOptions(name: string, { key, after = 0 }: EnqueueOptions): void {
  const about = `The job ${name} can not be added:`;
  if (key !== undefined && (key.length < 1 || key.length > MAX_KEY || RESERVED_KEY.test(key))) {
    throw new Error(`${about} its key must have from 1 to ${MAX_KEY} characters, and not begin with "turn "`);
  }
  if (!Number.isFinite(Number(after))) throw new Error(`${about} \`after\` must be a valid date, or milliseconds`);
}

/** Throws an error with a message for people if a job is declared wrong. */
export async function openJobs(
  declared: Jobs<unknown>,
  { settings, logger }: { readonly settings: JobSettings; readonly logger: Logger },
): Promise<OpenedJobs> {
  const jobs = await checkedJobs(declared);
  const clock: MovedClock = { moved: 0 };
  let started: { readonly worker: Worker; readonly database: Database; readonly pruning: NodeJS.Timeout } | undefined;
  const nudge = async (): Promise<void> => started?.worker.nudge();

  function ownJob(name: string, job: AnyJob, { database, afterCommit }: JobPlace): AnyOwnJob {
    return {
      async enqueue(value, options = {}) {
        checkOptions(name, options);
        const input = await storedInput(name, job, value);
        await addJob(database, clock, { name, input, key: options.key, after: options.after ?? 0 });
        await afterCommit(nudge);
      },
    };
  }

  return {
    at: (place) => Object.fromEntries([...jobs].map(([name, job]) => [name, ownJob(name, job, place)] as const)),
    start(database, contextOf) {
      if (jobs.size === 0) return;
      const schedules = schedulesOf(jobs);
      const worker = createWorker({ database, clock, jobs, schedules, most: settings.atOnce, contextOf, logger });
      const clean = (): void => {
        prune(database, clock).catch((error: unknown) => logger.warn({ err: error }, 'jobs were not pruned'));
      };
      started = { worker, database, pruning: setInterval(clean, PRUNE_INTERVAL).unref() };
      worker.start();
    },
    async counts() {
      if (!started) return { pending: 0, failed: 0 };
      const { database } = started;
      const [pending, failed] = await Promise.all(
        [STATE.pending, STATE.failed].map((state) => countJobs(database, state, MOST_COUNTED)),
      );
      return { pending: pending ?? 0, failed: failed ?? 0 };
    },
    async advance(milliseconds) {
      clock.moved += milliseconds;
      await started?.worker.settle();
    },
    async stop(time) {
      clearInterval(started?.pruning);
      await started?.worker.stop(time);
    },
  };
}
