/** Loads what keeps or tells others of writes: each adds something to the transaction of a write. */
import type { OpenedEventLog } from '../features/events/open-event-log.ts';
import type { OpenedHistory } from '../entries/history/open-history.ts';
import type { OpenedWebhooks } from '../features/webhooks/open-webhooks.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';
import { augmentedDatabase } from '../write/augment.ts';
import type { ServerDefinition } from './definition.ts';
import { loadEventLog } from './load-event-log.ts';
import { loadHistory } from './load-history.ts';
import { loadTrash } from './load-trash.ts';
import { loadWebhooks } from './load-webhooks.ts';
import type { Settings } from './settings.ts';

export interface Tellers {
  readonly webhooks: OpenedWebhooks | undefined;
  readonly eventLog: OpenedEventLog | undefined;
  readonly history: OpenedHistory | undefined;
  /** The types whose updates are told to anybody; undefined if nobody is told. */
  readonly tellsUpdates: ReadonlySet<string> | undefined;
  /** A database whose writes are kept and told. */
  telling(database: Database): Database;
}

/** Throws an error with a message for people if their settings are missing or wrong. */
export async function loadTellers(definition: ServerDefinition, settings: Settings, logger: Logger): Promise<Tellers> {
  const webhooks = await loadWebhooks(definition, settings, logger);
  const eventLog = await loadEventLog(definition);
  const used = [webhooks, eventLog].filter((teller) => teller !== undefined);
  const tellsUpdates = used.length === 0 ? undefined : new Set(used.flatMap((teller) => [...teller.tellsUpdates]));
  const history = await loadHistory(definition, logger);
  const trash = await loadTrash(definition);
  const telling = (database: Database): Database => {
    const keeping = augmentedDatabase(database, trash);
    return used.reduce((inner, teller) => teller.telling(inner), history?.recording(keeping) ?? keeping);
  };
  return { webhooks, eventLog, history, tellsUpdates, telling };
}
