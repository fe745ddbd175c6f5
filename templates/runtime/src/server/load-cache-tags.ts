/** Loads the tags of caches, if the schema switches them on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { OpenCacheService } from '../http/cache-services.ts';
import type { CacheTags } from '../http/cache-tags.ts';
import type { ServerDefinition } from './definition.ts';
import type { Settings } from './settings.ts';

/** Undefined if there are none. */
export async function loadCacheTags(
  { name, cacheTags, contentTypes, webhooks = [] }: ServerDefinition,
  { jwtSecret }: Settings,
): Promise<CacheTags | undefined> {
  if (!cacheTags) return undefined;
  const { createCacheTags } = await import('../features/cache-tags/tag-names.ts').catch(
    explainMissingModule('cacheTags'),
  );
  const caches = webhooks.flatMap(({ cache }) => cache ?? []);
  return createCacheTags(contentTypes, { secret: jwtSecret ?? name, name, caches });
}

/** What opens the caches among the webhooks; undefined if there are none. */
export async function loadCacheServices({
  webhooks = [],
}: Pick<ServerDefinition, 'webhooks'>): Promise<OpenCacheService | undefined> {
  if (!webhooks.some(({ cache }) => cache !== undefined)) return undefined;
  const { openCacheService } = await import('../features/cache-tags/cache-services.ts').catch(
    explainMissingModule('cacheTags'),
  );
  return openCacheService;
}
