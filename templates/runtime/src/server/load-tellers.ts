/** Loads what keeps or tells others of writes: each adds something to the transaction of a write. */
import type { OpenedAudit } from '../features/audit/open-audit-log.ts';
import type { Notice } from '../base/notice.ts';
import type { OpenedHistory } from '../entries/history/open-history.ts';
import type { OpenedWebhooks } from '../features/webhooks/open-webhooks.ts';
import type { Database } from '../database/database.ts';
import type { CacheTags } from '../http/cache-tags.ts';
import type { Logger } from '../http/log.ts';
import type { ToldUpdates } from '../write/told-updates.ts';
import { augmentedDatabase } from '../write/augment.ts';
import type { ServerDefinition } from './definition.ts';
import { loadAudit } from './load-audit.ts';
import { loadCacheTags } from './load-cache-tags.ts';
import { loadEventLog } from './load-event-log.ts';
import { loadHistory } from './load-history.ts';
import { loadTrash } from './load-trash.ts';
import { loadWebhooks } from './load-webhooks.ts';
import type { Settings } from './settings.ts';

export interface Tellers {
  readonly webhooks: OpenedWebhooks | undefined;
  readonly history: OpenedHistory | undefined;
  /** For the features. */
  readonly host: {
    readonly audit: OpenedAudit | undefined;
    readonly testWebhook: OpenedWebhooks['test'] | undefined;
    readonly tags: CacheTags | undefined;
    readonly written: Notice | undefined;
  };
  /** The types whose updates are told to anybody; undefined if nobody is told. */
  readonly tellsUpdates: ToldUpdates | undefined;
  /** A database whose writes are kept and told. */
  telling(database: Database): Database;
}

/** Throws an error with a message for people if their settings are missing or wrong. */
export async function loadTellers(definition: ServerDefinition, settings: Settings, logger: Logger): Promise<Tellers> {
  const tags = await loadCacheTags(definition, settings);
  const webhooks = await loadWebhooks(definition, settings, logger, tags?.purge);
  const eventLog = await loadEventLog(definition);
  const audit = await loadAudit(definition, 'server');
  const used = [webhooks, eventLog, audit].filter((teller) => teller !== undefined);
  const told = used.flatMap((teller) => [...teller.tellsUpdates]);
  // Whoever is told of each entry decides.
  const tellsUpdates = told.length === 0 ? undefined : new Map(told.sort(([, a], [, b]) => b.localeCompare(a)));
  const history = await loadHistory(definition, logger);
  const trash = await loadTrash(definition);
  const telling = (database: Database): Database => {
    const keeping = augmentedDatabase(database, trash);
    return used.reduce((inner, teller) => teller.telling(inner), history?.recording(keeping) ?? keeping);
  };
  const testWebhook = webhooks && ((name: string) => webhooks.test(name));
  const host = { audit, testWebhook, tags, written: eventLog?.written };
  return { webhooks, host, history, tellsUpdates, telling };
}
