/** Loads the event log of a server, if its schema switches it on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { OpenedEventLog } from '../features/events/open-event-log.ts';
import type { ServerDefinition } from './definition.ts';

/** Undefined if there is none. */
export async function loadEventLog(definition: ServerDefinition): Promise<OpenedEventLog | undefined> {
  if (!definition.events) return undefined;
  const { openEventLog } = await import('../features/events/open-event-log.ts').catch(explainMissingModule('events'));
  return openEventLog(definition);
}
