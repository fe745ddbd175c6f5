/** Loads what tells others of writes: each adds something to the transaction of a write. */
import type { OpenedEventLog } from '../features/events/open-event-log.ts';
import type { OpenedWebhooks } from '../features/webhooks/open-webhooks.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';
import type { ServerDefinition } from './definition.ts';
import { loadEventLog } from './load-event-log.ts';
import { loadWebhooks } from './load-webhooks.ts';
import type { Settings } from './settings.ts';

export interface Tellers {
  readonly webhooks: OpenedWebhooks | undefined;
  readonly eventLog: OpenedEventLog | undefined;
  /** The types whose updates are told to anybody; undefined if nobody is told. */
  readonly tellsUpdates: ReadonlySet<string> | undefined;
  /** A database whose writes are told. */
  telling(database: Database): Database;
}

/** Throws an error with a message for people if their settings are missing or wrong. */
export async function loadTellers(definition: ServerDefinition, settings: Settings, logger: Logger): Promise<Tellers> {
  const webhooks = await loadWebhooks(definition, settings, logger);
  const eventLog = await loadEventLog(definition);
  const used = [webhooks, eventLog].filter((teller) => teller !== undefined);
  const tellsUpdates = used.length === 0 ? undefined : new Set(used.flatMap((teller) => [...teller.tellsUpdates]));
  const telling = (database: Database): Database => used.reduce((inner, teller) => teller.telling(inner), database);
  return { webhooks, eventLog, tellsUpdates, telling };
}
