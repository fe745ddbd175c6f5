/** Runs a job once, with its timeout. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyContext } from '../../entries/typed/open-entries.ts';
import type { AnyJob, JobRun } from './job-declaration.ts';
import { runInput } from './job-input.ts';

/** In seconds. */
const DEFAULT_TIMEOUT = 3600;
/** How long a job may take to end after its timeout, in milliseconds. */
const GRACE = 5000;

interface Run {
  readonly name: string;
  readonly job: AnyJob;
  /** JSON. */
  readonly input: string | undefined;
  readonly context: AnyContext;
  readonly id: number;
  readonly attempt: number;
  /** Ends the run. */
  readonly ending: AbortController;
}

/** Rejects with what the job throws, or if it takes longer than it may. */
export async function runJob({ name, job, input, context, id, attempt, ending }: Run): Promise<void> {
  const { timeout = DEFAULT_TIMEOUT } = job;
  const call: JobRun<unknown, unknown> = {
    input: await runInput(name, job, input),
    context,
    signal: ending.signal,
    id,
    attempt,
  };
  const ended = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(timeout * 1000, undefined, { signal: ended.signal, ref: false });
    const error = new Error(`it has taken longer than its timeout of ${timeout} s`);
    ending.abort(error);
    await sleep(GRACE, undefined, { signal: ended.signal, ref: false });
    throw error;
  };
  try {
    await Promise.race([job.run(call as never), late()]);
  } finally {
    ended.abort();
  }
}
