/** Jobs as the project's own code adds them: `context.jobs.sendMail.enqueue({ to })`. */
import type * as zod from 'zod';

/** When a job is done, and how often. */
export interface EnqueueOptions {
  /** Not before then: a time, or milliseconds from now. */
  readonly after?: Date | number;
  /**
   * What no other job of this name has: if there is one, or was within the last seven days, nothing is added. From 1 to 200 characters.
   */
  readonly key?: string;
}

/** What is given to a job with this schema. */
type InputOf<Schema> = Schema extends zod.ZodType ? zod.input<Schema> : undefined;

/** A job that can be added. */
export interface OwnJob<Input> {
  /**
   * Adds the job; within a transaction as part of it. Throws if the input doesn't match the schema of the job or is too long.
   */
  enqueue(
    ...args: undefined extends Input
      ? [input?: Input, options?: EnqueueOptions]
      : [input: Input, options?: EnqueueOptions]
  ): Promise<void>;
}

/** A job of any project. */
export type AnyOwnJob = { enqueue(input?: unknown, options?: EnqueueOptions): Promise<void> };

/** The jobs that a project declares, by name. `Inputs` are the schemas of their inputs. */
export interface Jobs<Inputs> {
  readonly declarations: Readonly<Record<string, unknown>>;
  /** Only a type: it has no value. */
  readonly inputs?: Inputs;
}

/** Names the property of `HasJobs`, which has no value. */
declare const JOBS: unique symbol;

/** What the generated entries extend, so that every context knows the jobs of its project. */
export interface HasJobs<Declared> {
  readonly [JOBS]?: Declared;
}

/** The jobs in the context of a project with these entries. */
export type JobsOf<Entries> =
  Entries extends HasJobs<infer Declared>
    ? NonNullable<Declared> extends Jobs<infer Inputs>
      ? { readonly [Name in keyof Inputs]: OwnJob<InputOf<Inputs[Name]>> }
      : NoJobs
    : NoJobs;

/** The jobs of a project without any. */
export type NoJobs = object;
