/** Does the jobs that are due: a few at the same time in each instance, each in one instance at a time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { counters } from '../../base/counters.ts';
import { createPolling } from '../../base/polling.ts';
import { varied } from '../../base/varied.ts';
import type { Database } from '../../database/database.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import type { AnyContext } from '../../entries/typed/open-entries.ts';
import type { Logger } from '../../http/log.ts';
import type { AnyJob } from './job-declaration.ts';
import { hasDue, type JobRow, lease, LEASE, release, renew, settleDone, settleFailed } from './job-rows.ts';
import { runJob } from './run-job.ts';
import { takeTurns } from './take-turns.ts';
import type { Schedule } from './turns.ts';

/** How often jobs of other instances, and those that wait, are looked for, in milliseconds. */
const POLL_INTERVAL = 1000;
/** How often a lease is renewed, in milliseconds. */
const RENEW_INTERVAL = LEASE / 4;
const DEFAULT_TRIES = 10;
/** The first wait, the factor of each further one, and the longest; in milliseconds. */
const [FIRST_WAIT, FACTOR, LONGEST_WAIT] = [10_000, 3, 6 * 3_600_000];
/** The longest error that is kept, in characters. */
const MAX_ERROR = 2000;

/** Why a run is ended that nothing is wrong with. */
const STOPPING = new Error('the server stops');
const TAKEN = new Error('another instance has taken the job');

export interface Worker {
  start(): void;
  nudge(): void;
  /** Does what is due, and waits for it. */
  settle(): Promise<void>;
  /** Ends the runs, and waits for them for so many milliseconds. */
  stop(time: number): Promise<void>;
}

interface WorkerOptions {
  readonly database: Database;
  readonly clock: MovedClock;
  readonly jobs: ReadonlyMap<string, AnyJob>;
  readonly schedules: readonly Schedule[];
  readonly most: number;
  /** The context of a job, whose log lines have this id. */
  readonly contextOf: (id: string) => AnyContext;
  readonly logger: Logger;
}

function waitAfter(attempts: number): number {
  return varied(Math.min(LONGEST_WAIT, FIRST_WAIT * FACTOR ** Math.min(attempts - 1, 20)));
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)).slice(0, MAX_ERROR);
}

export function createWorker(options: WorkerOptions): Worker {
  const { database, clock, jobs, schedules, most, contextOf, logger } = options;
  const name = randomUUID();
  const names = [...jobs.keys()];
  const running = new Map<number, { readonly ending: AbortController; readonly work: Promise<void> }>();
  let isStopped = false;
  let renewing: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function hasFailed(row: JobRow, { tries = DEFAULT_TRIES }: AnyJob, error: unknown): Promise<void> {
    counters.jobFailures += 1;
    const line = { job: row.name, id: row.id, attempt: row.attempts, err: error };
    const isLast = row.attempts >= tries;
    const wait = isLast ? undefined : waitAfter(row.attempts);
    await settleFailed(database, clock, { lease: name, row, error: textOf(error), wait });
    if (!isLast) return logger.warn(line, 'a job has failed: it is tried again');
    counters.jobsGivenUp += 1;
    logger.error(line, `a job was given up after ${row.attempts} tries: npm run server -- jobs retry ${row.id}`);
  }

  async function perform(row: JobRow, job: AnyJob, ending: AbortController): Promise<void> {
    // The last run has neither failed nor ended: its process has.
    if (row.attempts > (job.tries ?? DEFAULT_TRIES)) {
      return hasFailed(row, job, new Error('the process has ended while it ran the job'));
    }
    try {
      const { input, id, attempts: attempt } = row;
      await runJob({ name: row.name, job, input, context: contextOf(`job-${id}`), id, attempt, ending });
    } catch (error) {
      const { reason } = ending.signal;
      if (reason === TAKEN) return;
      if (reason === STOPPING) return release(database, clock, name, row);
      return hasFailed(row, job, error);
    }
    counters.jobsDone += 1;
    await settleDone(database, clock, name, row);
  }

  function begin(row: JobRow): void {
    const job = jobs.get(row.name);
    // If its own lease was late, it runs here already.
    if (!job || running.has(row.id)) return;
    const ending = new AbortController();
    const work = perform(row, job, ending)
      // The lease ends, and then it is done again.
      .catch((error: unknown) => logger.warn({ err: error, job: row.name }, 'the state of a job was not stored'))
      .finally(() => {
        running.delete(row.id);
        polling.nudge();
      });
    running.set(row.id, { ending, work });
  }

  async function look(): Promise<void> {
    await takeTurns(database, clock, schedules);
    const free = most - running.size;
    if (isStopped || free <= 0 || !(await hasDue(database, clock, names))) return;
    const rows = await lease(database, clock, { names, most: free, lease: name });
    for (const row of rows) {
      if (isStopped) await release(database, clock, name, row);
      else begin(row);
    }
  }

  /** Looks once, after the looks before it. */
  function lookInTurn(): Promise<void> {
    const mine = looking.then(look);
    looking = mine.catch(() => undefined);
    return mine;
  }

  async function renewAll(): Promise<void> {
    if (running.size === 0) return;
    const taken = await renew(database, clock, { lease: name, ids: [...running.keys()] });
    for (const id of taken) running.get(id)?.ending.abort(TAKEN);
  }

  const polling = createPolling({
    interval: POLL_INTERVAL,
    collecting: 0,
    work: lookInTurn,
    failed: (error) => logger.warn({ err: error }, 'jobs can not be read: they are done later'),
  });

  return {
    start() {
      const failed = (error: unknown) => logger.warn({ err: error }, 'the leases of jobs were not renewed');
      renewing = setInterval(() => void renewAll().catch(failed), RENEW_INTERVAL).unref();
      polling.start();
    },
    nudge: polling.nudge,
    async settle() {
      do {
        await Promise.all([...running.values()].map(({ work }) => work));
        await lookInTurn();
      } while (running.size > 0);
    },
    async stop(time) {
      isStopped = true;
      await polling.stop();
      for (const { ending } of running.values()) ending.abort(STOPPING);
      const works = [...running.values()].map(({ work }) => work);
      const ended = new AbortController();
      const late = sleep(time, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([Promise.all(works), late]);
      ended.abort();
      // Those that still run keep their leases, so that nobody begins them before this process has ended.
      clearInterval(renewing);
    },
  };
}
