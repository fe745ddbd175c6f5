/** Settings of batches. */
import { type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';

export interface BatchSettings {
  /** Operations in one batch. */
  readonly maxOperations: number;
}

/** The environment variables of these settings. */
export const batchVariables = {
  BATCH_MAX_OPERATIONS: withDefault(wholeNumber(1, 10_000), 100),
};

/** The settings as given by the variables. */
export function batchSettings(data: ValuesOf<typeof batchVariables>): BatchSettings {
  return { maxOperations: data.BATCH_MAX_OPERATIONS };
}
