/** The code of the content types, which is loaded after the start. */
import { late } from '../base/late.ts';
import type { Logger } from '../http/log.ts';
import type { ServerDefinition } from './definition.ts';

/** The definition, with each module loaded once; one that can't be is tried again by whatever needs it next. */
export function loadedOnce(definition: ServerDefinition): ServerDefinition {
  const modules = Object.entries(definition.modules).map(([uid, load]) => [uid, late(load)] as const);
  return { ...definition, modules: Object.fromEntries(modules) };
}

/**
 * Loads what no request has needed yet: from then on no request waits for a file, and none meets that of a newer version in the same
 * folder. One after the other, for requests to be answered in between. It ends with the first that fails: requests try again.
 */
export async function loadModules(
  { modules }: ServerDefinition,
  logger: Logger,
  isStopping: () => boolean,
): Promise<void> {
  for (const [type, load] of Object.entries(modules)) {
    if (isStopping()) return;
    try {
      await load();
    } catch (error) {
      logger.error({ err: error, type }, 'could not load the code of a content type');
      return;
    }
  }
}
