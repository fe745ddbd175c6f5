/** Loads the routes of the content types after the start. */
import { lazyImport } from '../base/lazy-import.ts';
import type { Logger } from '../http/log.ts';
import type { ServerDefinition } from './definition.ts';

/** The definition with routes that are loaded once and cached. If loading one fails, its next use tries again. */
export function loadedOnce(definition: ServerDefinition): ServerDefinition {
  const routes = Object.entries(definition.routes).map(([uid, load]) => [uid, lazyImport(load)] as const);
  return { ...definition, routes: Object.fromEntries(routes) };
}

/**
 * Loads the routes that no request has needed yet: from then on no request waits for a file, or loads one of a newer version that was
 * deployed to the same folder. Loads one at a time, so that requests are handled in between. Stops at the first failure: requests
 * try again.
 */
export async function loadRoutes(
  { routes }: ServerDefinition,
  logger: Logger,
  isStopping: () => boolean,
): Promise<void> {
  for (const [type, load] of Object.entries(routes)) {
    if (isStopping()) return;
    try {
      await load();
    } catch (error) {
      logger.error({ err: error, type }, 'could not load the routes of a content type');
      return;
    }
  }
}
