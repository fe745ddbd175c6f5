/** `GET /api/_events`: clients wait for changes of what they may find. */
import { randomBytes } from 'node:crypto';
import { EVENT_ROUTES } from '../../contract/routes/events.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import { createEventHub } from './event-hub.ts';
import { createEventIds } from './event-ids.ts';
import { EVENTS_KEPT, pruneEvents } from './event-rows.ts';
import type { EventSettings } from './event-settings.ts';
import { toldTypes } from './event-steps.ts';
import { serveEvents } from './serve-events.ts';
import { createViewKeys } from './view-key.ts';

interface Settings {
  readonly jwtSecret: string | undefined;
  readonly events: EventSettings;
}

/** How often old events are deleted, in milliseconds. */
const PRUNE_INTERVAL = 600_000;

async function openEvents(host: FeatureHost<Settings>): Promise<RunningFeature> {
  const { definition, database, settings, logger, calls, written, isReadByOwnCode } = host;
  const { contentTypes, api, routes, name } = definition;
  const types = toldTypes(contentTypes, routes);
  const ids = createEventIds({ secret: settings.jwtSecret ?? randomBytes(32).toString('base64url'), name });
  const hasOwnCode = types.some(({ uid }) => isReadByOwnCode(uid));
  const views = { contentTypes, api, calls, isReadByOwnCode };
  const hub = createEventHub({ database, views, viewKey: createViewKeys(hasOwnCode), ids, logger });
  let isDraining = false;
  const unlisten = written?.listen(() => hub.nudge());
  const pruning = setInterval(() => {
    pruneEvents(database, Date.now() - EVENTS_KEPT).catch((error: unknown) =>
      logger.warn({ err: error }, 'old events were not deleted'),
    );
  }, PRUNE_INTERVAL).unref();
  const server = {
    database,
    types,
    hub,
    ids,
    settings: settings.events,
    callerSource: host.callerSource,
    isDraining: () => isDraining,
  };
  return {
    mounts: [mountRoutes(EVENT_ROUTES, async () => ({ events: serveEvents(server) }))],
    drain() {
      isDraining = true;
      hub.endAll();
    },
    async stop() {
      clearInterval(pruning);
      unlisten?.();
      await hub.stop();
    },
  };
}

export const events: Feature<Settings> = { name: 'events', routes: EVENT_ROUTES, start: openEvents };
