/** The trash: deleted entries of types that keep them, listed and restored. */
import type { Context } from 'koa';
import { isJobWorker, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import { furtherRoutes } from '../../contract/routes/entries.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { HookedType } from '../../entries/context.ts';
import { isRuled } from '../../entries/rules/action-rules.ts';
import { mayHideFrom } from '../../entries/visible-entry.ts';
import { idOf } from '../../http/entry-id.ts';
import type { Feature, FeatureHost, TypeMount } from '../../http/feature.ts';
import { reply } from '../../http/reply.ts';
import { callContextOf, requestOf } from '../../http/request.ts';
import { entryAnswer } from '../../query/answer.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { restoreEntry } from './restore-entry.ts';
import { emptyTrash, findTrashed, listTrash, type TrashRow } from './trash-rows.ts';

interface TrashSettings {
  readonly worker?: WorkerSlot;
}

type Host = FeatureHost<TrashSettings>;

/** Deletions in one answer. */
const PAGE = 100;
/** How often what is not kept any longer is deleted, in milliseconds. */
const EMPTY_INTERVAL = 600_000;

const ACTIONS: ReadonlySet<string> = new Set(['trash', 'restoreDeleted']);

/** Which deletions the caller may know of: all, or their own if a rule or a hook hides entries from them. */
function reached(context: HookedType, call: CallContext): Sql {
  const { caller } = call;
  const isNarrowed = mayHideFrom(context, call) || isRuled(context, caller, 'delete');
  if (!isNarrowed) return raw('1 = 1');
  const { kind, userId } = caller;
  return userId === undefined ? raw('1 = 0') : sql`actor = ${JSON.stringify({ kind, id: userId })}`;
}

function viewOf({ type }: HookedType, { caller }: CallContext, row: TrashRow): object {
  const { key, id, documentId, title, locales, isPublished, deletedAt, dueAt, by } = row;
  // The title is that of the draft.
  const isSeen = !type.draftAndPublish || may(caller, 'preview', type.uid);
  return {
    key,
    id,
    ...(documentId !== undefined && { documentId }),
    ...(title !== undefined && isSeen && { title }),
    ...(locales && { locales }),
    published: isPublished,
    deletedAt: new Date(deletedAt).toISOString(),
    until: new Date(dueAt).toISOString(),
    by,
  };
}

/** Where a page of the list begins. */
function beforeOf({ query }: Context): number | undefined {
  const { before } = query;
  if (before === undefined) return undefined;
  if (typeof before === 'string' && /^\d{1,15}$/u.test(before)) return Number(before);
  throw new BadRequestError('Invalid parameter before: it must be the key of a deletion');
}

function typeMount({ database, hooked }: Host, clock: MovedClock): TypeMount {
  return {
    routesOf: (type) =>
      furtherRoutes({ ...type, segment: type.kind === 'singleType' ? type.uid : type.pluralName }).filter(
        ({ action }) => ACTIONS.has(action),
      ),
    async handlersOf(type: ContentType) {
      const context = hooked(type);
      return {
        async trash(ctx) {
          const call = callContextOf(ctx);
          const by = reached(context, call);
          const rows = await listTrash(database, clock, { type: type.uid, before: beforeOf(ctx), by, most: PAGE });
          ctx.body = { data: rows.map((row) => viewOf(context, call, row)), meta: {} };
        },
        async restoreDeleted(ctx) {
          const request = requestOf(ctx);
          const key = type.kind === 'singleType' ? undefined : idOf(ctx);
          const by = reached(context, request);
          const found = await findTrashed(database, clock, { type: type.uid, key, by });
          if (!found) throw new NotFoundError();
          reply(ctx, entryAnswer(await restoreEntry(context, found, request)));
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
