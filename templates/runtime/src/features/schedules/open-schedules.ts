/** Schedules: drafts that are published, and taken back, at a time. */
import { isJobWorker, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { furtherRoutes } from '../../contract/routes/entries.ts';
import { RELEASE_ROUTES } from '../../contract/routes/releases.ts';
import { SCHEDULE_ROUTES } from '../../contract/routes/schedules.ts';
import { PUBLICATIONS_TABLE, RELEASES_TABLE } from '../../contract/schedules/schedule-tables.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import { countUpTo } from '../../database/count-up-to.ts';
import { raw, sql } from '../../database/sql.ts';
import type { ActionTarget } from '../../entries/publication-actions.ts';
import { readObject } from '../../http/body.ts';
import { idOf } from '../../http/entry-id.ts';
import type { Feature, FeatureHost, TypeMount } from '../../http/feature.ts';
import { type Handler, mountRoutes } from '../../http/mount-routes.ts';
import { callContextOf, changeOf, requestOf } from '../../http/request.ts';
import { formatOf } from '../../query/format.ts';
import { duePublications } from './due-publications.ts';
import { getSchedule, setSchedule } from './entry-schedule.ts';
import { listSchedules } from './list-schedules.ts';
import { createReleases } from './releases.ts';
import { readingReleases } from './read-release.ts';
import { DUE } from './due-rows.ts';
import { dueReleases } from './due-releases.ts';
import { releaseHandlers } from './release-handlers.ts';
import { createPublisher } from './publisher.ts';

/** Those that wait are counted up to it, of each kind. */
const MOST_COUNTED = 100_000;

interface ScheduleSettings {
  readonly worker?: WorkerSlot;
}

type Host = FeatureHost<ScheduleSettings>;

function targetOf(type: ContentType, ctx: Parameters<Handler>[0]): ActionTarget {
  if (type.kind === 'singleType') return { condition: sql`1 = 1`, ofRow: false };
  const key = idOf(ctx);
  if (typeof key === 'number') return { condition: sql`t.id = ${key}`, ofRow: true };
  return { condition: sql`t.document_id = ${key.documentId}`, ofRow: false };
}

function typeMount({ hooked }: Host, clock: MovedClock): TypeMount {
  return {
    routesOf: (type) =>
      furtherRoutes({ ...type, segment: type.kind === 'singleType' ? type.uid : type.pluralName }).filter(
        ({ action }) => action === 'getSchedule' || action === 'setSchedule',
      ),
    async handlersOf(type) {
      const context = hooked(type);
      return {
        async getSchedule(ctx) {
          ctx.body = { data: await getSchedule(context, targetOf(type, ctx), requestOf(ctx)), meta: {} };
        },
        async setSchedule(ctx) {
          const body = await readObject(ctx);
          const request = { ...changeOf(ctx), key: undefined, body, clock };
          ctx.body = { data: await setSchedule(context, targetOf(type, ctx), request), meta: {} };
        },
      };
    },
  };
}

export const schedules: Feature<ScheduleSettings> = {
  name: 'schedules',
  routes: [...SCHEDULE_ROUTES, ...RELEASE_ROUTES],
  async start(host) {
    const { definition, database, hooked, inTransaction, logger, settings } = host;
    const { contentTypes: types, api } = definition;
    const clock: MovedClock = { moved: 0 };
    const publishing = { types, caller: serverCaller(types), format: formatOf(api, '') };
    const releaseHost = { publishing, inTransaction, clock };
    const works = [duePublications(database, publishing, inTransaction), dueReleases(database, releaseHost)];
    const releases = createReleases({ ...releaseHost, database, types, hooked });
    const publisher = createPublisher({ database, clock, works, logger });
    const isWorker = isJobWorker(settings.worker ?? SINGLE_WORKER);
    return {
      mounts: [
        mountRoutes(SCHEDULE_ROUTES, async () => ({
          async listSchedules(ctx) {
            ctx.body = { data: await listSchedules({ database, types, hooked }, callContextOf(ctx)), meta: {} };
          },
        })),
        mountRoutes(RELEASE_ROUTES, async () => releaseHandlers(releases)),
      ],
      ofTypes: typeMount(host, clock),
      inRelease: readingReleases({ database, types, hooked, inTransaction }),
      async waiting() {
        const isWaiting = sql`state = ${raw(String(DUE))}`;
        const counts = [PUBLICATIONS_TABLE, RELEASES_TABLE].map((table) =>
          countUpTo(database, raw(table), isWaiting, MOST_COUNTED),
        );
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
      listening: async () => {
        if (isWorker) publisher.start();
      },
      async advance(milliseconds) {
        clock.moved += milliseconds;
        await publisher.settle();
      },
      stop: publisher.stop,
    };
  },
};
