/** Settings of events. */
import { type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';

export interface EventSettings {
  /** The most connections of this process that wait for events. */
  readonly maxConnections: number;
  /** The most of one caller or address. */
  readonly maxPerCaller: number;
}

/** The environment variables of these settings. */
export const eventVariables = {
  EVENTS_MAX_CONNECTIONS: withDefault(wholeNumber(1, 1_000_000), 2000),
  EVENTS_MAX_PER_CALLER: withDefault(wholeNumber(1, 1_000_000), 50),
};

/** The settings as given by the variables. */
export function eventSettings(data: ValuesOf<typeof eventVariables>): EventSettings {
  return { maxConnections: data.EVENTS_MAX_CONNECTIONS, maxPerCaller: data.EVENTS_MAX_PER_CALLER };
}
