/** Loads the webhooks of a server, if its schema has any. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { OpenedWebhooks } from '../features/webhooks/open-webhooks.ts';
import type { CacheTags } from '../http/cache-tags.ts';
import type { Logger } from '../http/log.ts';
import { loadCacheServices } from './load-cache-tags.ts';
import type { ServerDefinition } from './definition.ts';
import type { Settings } from './settings.ts';

/** Undefined if there are none. Throws an error with a message for people if their variables are missing or wrong. */
export async function loadWebhooks(
  definition: ServerDefinition,
  settings: Settings,
  logger: Logger,
  purge?: CacheTags['purge'],
): Promise<OpenedWebhooks | undefined> {
  const { webhooks } = definition;
  if (!webhooks) return undefined;
  const { openWebhooks } = await import('../features/webhooks/open-webhooks.ts').catch(
    explainMissingModule('webhooks'),
  );
  const openCache = await loadCacheServices(definition);
  return openWebhooks(definition, webhooks, { settings: settings.webhooks, logger, purge, openCache });
}
