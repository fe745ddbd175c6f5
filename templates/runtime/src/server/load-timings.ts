/** Loads what measures requests, if the schema switches costs on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { Timings } from '../http/timings.ts';
import type { ServerDefinition } from './definition.ts';

/** Undefined if nobody is told. */
export async function loadTimings({ costs }: Pick<ServerDefinition, 'costs'>): Promise<Timings | undefined> {
  if (!costs) return undefined;
  const { createTimings } = await import('../features/costs/statement-timings.ts').catch(explainMissingModule('costs'));
  return createTimings();
}
