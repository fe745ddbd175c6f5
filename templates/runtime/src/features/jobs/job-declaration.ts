/** How a project declares a job. */
import type * as zod from 'zod';
import type { ExtensionContext } from '../../entries/extension-context.ts';
import type { Awaitable } from '../../entries/hook-types.ts';
import type { Jobs } from '../../entries/own-jobs.ts';

type ValueOf<Schema> = Schema extends zod.ZodType ? zod.output<Schema> : undefined;

/** What a job gets each time it runs. */
export interface JobRun<Entries, Input> {
  readonly input: Input;
  /** Its log lines have the id of the job as their request id. */
  readonly context: ExtensionContext<Entries>;
  /** Aborted when the server stops, after the timeout of the job, and when another instance has taken the job. */
  readonly signal: AbortSignal;
  readonly id: number;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** A job, with the schema of its input. */
export interface JobDeclaration<Entries, Schema> {
  /** The schema of what `enqueue` is given. It is stored as JSON. */
  readonly input?: Schema;
  /** A cron expression, such as `0 3 * * *`: the job is added at each turn, once over all instances. */
  readonly schedule?: string;
  /** The time zone of the schedule, such as `Europe/Berlin`. By default UTC. */
  readonly timeZone?: string;
  /** How often it is tried before it is given up. By default 10. */
  readonly tries?: number;
  /** In seconds: how long a run may take. By default an hour. */
  readonly timeout?: number;
  /** Does the job. If it throws, it is tried again. It may run again after it was done, if the process dies at the wrong moment. */
  run(call: JobRun<Entries, ValueOf<Schema>>): Awaitable<void>;
}

/** The declarations of a project's jobs, by name. */
export type JobDeclarations<Entries, Schemas> = {
  readonly [Name in keyof Schemas]: JobDeclaration<Entries, Schemas[Name]>;
};

/** A job of any project. */
export type AnyJob = JobDeclaration<never, zod.ZodType | undefined>;

/** Returns the jobs for the extensions of a project; generated code gives them the types of its entries. */
export function declareJobs<Entries, Schemas>(declarations: JobDeclarations<Entries, Schemas>): Jobs<Schemas> {
  return { declarations };
}
