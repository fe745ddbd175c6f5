/** The routes `/api/_webhooks`. */
import type { Context } from 'koa';
import { DELIVERY_STATES, type WebhookTest } from '../../contract/events/webhook-report.ts';
import type { Webhook } from '../../contract/events/webhook.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { WEBHOOK_ROUTES } from '../../contract/routes/webhooks.ts';
import type { Database } from '../../database/database.ts';
import { readObject } from '../../http/body.ts';
import type { Feature, FeatureHost } from '../../http/feature.ts';
import { type Handlers, type IdsOf, mountRoutes } from '../../http/mount-routes.ts';
import { PRIVATE } from '../../http/reply.ts';
import { callContextOf } from '../../http/request.ts';
import { replay } from './outbox-rows.ts';
import { addReceivers, disable, enable } from './receiver-rows.ts';
import { reportDeliveries, reportWebhooks } from './report-webhooks.ts';

const MOST_COUNTED = 10_000;
const MOST_LISTED = 100;
/** How many events one request may have told again. */
const MOST_REPLAYED = 100;

/** Refuses what is no webhook of the schema. */
function nameOf(webhooks: readonly Webhook[], name: unknown): string {
  const known = webhooks.map(({ url }) => url);
  if (typeof name === 'string' && known.includes(name)) return name;
  throw new BadRequestError(`Invalid receiver: it must be one of ${known.join(', ')}`);
}

function idsOf(ids: unknown): readonly number[] | undefined {
  if (ids === undefined) return undefined;
  const isList = Array.isArray(ids) && ids.length > 0 && ids.length <= MOST_REPLAYED;
  if (isList && ids.every((id) => Number.isSafeInteger(id) && id > 0)) return ids as number[];
  throw new BadRequestError(`Invalid ids: it must be a list of 1 to ${MOST_REPLAYED} ids of events`);
}

function stateOf(text: unknown): (typeof DELIVERY_STATES)[number] | undefined {
  if (text === undefined) return undefined;
  const state = DELIVERY_STATES.find((one) => one === text);
  if (state === undefined) throw new BadRequestError(`Invalid state: it must be one of ${DELIVERY_STATES.join(', ')}`);
  return state;
}

/** Who disables a webhook, as its reason. */
function personOf(ctx: Context): string {
  const { kind, userId, tokenId } = callContextOf(ctx).caller;
  return ['by', kind, userId ?? tokenId].filter((word) => word !== undefined).join(' ');
}

function answer(ctx: Context, data: unknown): void {
  ctx.set('Cache-Control', PRIVATE);
  ctx.body = { data, meta: {} };
}

function handlersOf(
  database: Database,
  webhooks: readonly Webhook[],
  test: (name: string) => Promise<WebhookTest>,
): Handlers<IdsOf<typeof WEBHOOK_ROUTES>> {
  const bodyOf = async (ctx: Context) => {
    const { receiver, ids } = (await readObject(ctx)) as { readonly receiver?: unknown; readonly ids?: unknown };
    return { name: nameOf(webhooks, receiver), ids };
  };
  return {
    findWebhooks: async (ctx) => answer(ctx, await reportWebhooks(database, webhooks, MOST_COUNTED)),
    async findDeliveries(ctx) {
      const { receiver, state } = ctx.query;
      const how = { receiver: nameOf(webhooks, receiver), state: stateOf(state), most: MOST_LISTED };
      answer(ctx, await reportDeliveries(database, how));
    },
    async replayDeliveries(ctx) {
      const { name, ids } = await bodyOf(ctx);
      answer(ctx, { count: await replay(database, name, idsOf(ids)) });
    },
    async testWebhook(ctx) {
      const { name } = await bodyOf(ctx);
      answer(ctx, await test(name));
    },
    async disableWebhook(ctx) {
      const { name } = await bodyOf(ctx);
      await addReceivers(database, [name]);
      await disable(database, name, personOf(ctx), callContextOf(ctx));
      ctx.status = 204;
    },
    async enableWebhook(ctx) {
      const { name } = await bodyOf(ctx);
      await enable(database, name, callContextOf(ctx));
      ctx.status = 204;
    },
  };
}

export const webhooks: Feature<unknown> = {
  name: 'webhooks',
  routes: WEBHOOK_ROUTES,
  start({ database, definition, testWebhook }: FeatureHost<unknown>) {
    if (!testWebhook) throw new Error('this server has no webhooks');
    const load = () => Promise.resolve(handlersOf(database, definition.webhooks ?? [], testWebhook));
    return Promise.resolve({ mounts: [mountRoutes(WEBHOOK_ROUTES, load)] });
  },
};
