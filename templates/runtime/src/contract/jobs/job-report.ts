/** The jobs of a server, as `/api/_jobs` answers them. Their input is in no answer: it may be secret. */

export const JOB_STATES = ['pending', 'done', 'failed'] as const;

export interface JobReport {
  readonly id: number;
  readonly name: string;
  readonly key: string | null;
  readonly state: (typeof JOB_STATES)[number];
  readonly isRunning: boolean;
  /** When it is done next, or was done or given up; in ISO 8601. */
  readonly dueAt: string;
  /** When it was enqueued, in ISO 8601. */
  readonly since: string;
  /** Runs that have begun. */
  readonly attempts: number;
  /** The last failures; `at` in ISO 8601. */
  readonly failures: readonly { readonly at: string; readonly error: string }[];
}

/** A schedule of a job. */
export interface JobSchedule {
  readonly name: string;
  /** The cron expression with its time zone: `0 3 * * * UTC`. */
  readonly expression: string;
  /** The next turn, in ISO 8601; null: there is none. */
  readonly nextAt: string | null;
}
