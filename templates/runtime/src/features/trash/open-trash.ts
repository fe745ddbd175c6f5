/** The trash: deleted entries of types that keep them, listed and restored. */
import { isJobWorker, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { furtherRoutes } from '../../contract/routes/entries.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import { listDeleted, restoreDeleted } from '../../entries/trash/deletions.ts';
import { emptyTrash } from '../../entries/trash/trash-rows.ts';
import { idOf } from '../../http/entry-id.ts';
import type { Feature, FeatureHost, TypeMount } from '../../http/feature.ts';
import { reply } from '../../http/reply.ts';
import { callContextOf, requestOf } from '../../http/request.ts';
import { entryAnswer } from '../../query/answer.ts';

interface TrashSettings {
  readonly worker?: WorkerSlot;
}

type Host = FeatureHost<TrashSettings>;

/** How often what is not kept any longer is deleted, in milliseconds. */
const EMPTY_INTERVAL = 600_000;

const ACTIONS: ReadonlySet<string> = new Set(['trash', 'restoreDeleted']);

function typeMount({ hooked }: Host, clock: MovedClock): TypeMount {
  return {
    routesOf: (type) =>
      furtherRoutes({ ...type, segment: type.kind === 'singleType' ? type.uid : type.pluralName }).filter(
        ({ action }) => ACTIONS.has(action),
      ),
    async handlersOf(type: ContentType) {
      const context = hooked(type);
      return {
        async trash(ctx) {
          ctx.body = await listDeleted(context, clock, callContextOf(ctx), ctx.query['before']);
        },
        async restoreDeleted(ctx) {
          const key = type.kind === 'singleType' ? undefined : idOf(ctx);
          reply(ctx, entryAnswer(await restoreDeleted(context, clock, key, requestOf(ctx))));
        },
      };
    },
  };
}

export const trash: Feature<TrashSettings> = {
  name: 'trash',
  routes: [],
  async start(host) {
    const { database, logger, settings } = host;
    const clock: MovedClock = { moved: 0 };
    const isWorker = isJobWorker(settings.worker ?? SINGLE_WORKER);
    let emptying: NodeJS.Timeout | undefined;
    return {
      mounts: [],
      ofTypes: typeMount(host, clock),
      async listening() {
        if (!isWorker) return;
        const empty = (): void => {
          emptyTrash(database, clock).catch((error: unknown) =>
            logger.warn({ err: error }, 'the trash was not emptied: it is tried again'),
          );
        };
        emptying = setInterval(empty, EMPTY_INTERVAL).unref();
        empty();
      },
      async advance(milliseconds) {
        clock.moved += milliseconds;
        await emptyTrash(database, clock);
      },
      async stop() {
        clearInterval(emptying);
      },
    };
  },
};
