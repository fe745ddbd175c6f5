/** Settings of jobs. */
import { type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';

export interface JobSettings {
  /** How many jobs an instance does at the same time. */
  readonly atOnce: number;
}

/** The environment variables of these settings. */
export const jobVariables = {
  JOBS_AT_ONCE: withDefault(wholeNumber(1, 1000), 4),
};

/** The settings as given by the variables. */
export function jobSettings(data: ValuesOf<typeof jobVariables>): JobSettings {
  return { atOnce: data.JOBS_AT_ONCE };
}
