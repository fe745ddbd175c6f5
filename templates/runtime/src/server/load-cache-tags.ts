/** Loads the tags of caches, if the schema switches them on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { CacheTags } from '../http/cache-tags.ts';
import type { ServerDefinition } from './definition.ts';
import type { Settings } from './settings.ts';

/** Undefined if there are none. */
export async function loadCacheTags(
  { name, cacheTags, contentTypes }: ServerDefinition,
  { jwtSecret }: Settings,
): Promise<CacheTags | undefined> {
  if (!cacheTags) return undefined;
  const { createCacheTags } = await import('../features/cache-tags/tag-names.ts').catch(
    explainMissingModule('cacheTags'),
  );
  return createCacheTags(contentTypes, { secret: jwtSecret ?? name, name });
}
