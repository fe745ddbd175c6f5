/** What is told of webhooks: how each is told, and its last events; and a test of one. For the command line and for `/api/_webhooks`. */
import type { Webhook } from '../../contract/events/webhook.ts';
import type { DeliveryReport, WebhookReport, WebhookTest } from '../../contract/events/webhook-report.ts';
import type { Database } from '../../database/database.ts';
import { countPending, lastRows, STATE } from './outbox-rows.ts';
import type { Post } from './post.ts';
import { readReceivers } from './receiver-rows.ts';
import type { Receiver } from './receivers.ts';

/** The names of the states of rows. */
export const DELIVERY_STATE = {
  pending: STATE.pending,
  told: STATE.told,
  'given-up': STATE.givenUp,
} as const satisfies Record<DeliveryReport['state'], number>;

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Each webhook, with how it is told. `most`: further events that wait are not counted. */
export async function reportWebhooks(
  database: Database,
  webhooks: readonly Webhook[],
  most: number,
): Promise<readonly WebhookReport[]> {
  const states = await readReceivers(database);
  return Promise.all(
    webhooks.map(async ({ url, events, types }) => {
      const { disabledAt, reason = null, failures = 0 } = states.get(url) ?? {};
      const waiting = await countPending(database, url, most);
      const since = disabledAt === undefined ? null : timeOf(disabledAt);
      return { name: url, events, types, disabledAt: since, reason, failures, waiting };
    }),
  );
}

/** The last events for a webhook, or those of them in a state. */
export async function reportDeliveries(
  database: Database,
  how: { readonly receiver: string; readonly state: DeliveryReport['state'] | undefined; readonly most: number },
): Promise<readonly DeliveryReport[]> {
  const state = how.state && DELIVERY_STATE[how.state];
  const rows = await lastRows(database, { receiver: how.receiver, state, most: how.most });
  const names = Object.keys(DELIVERY_STATE) as DeliveryReport['state'][];
  return rows.map(({ id, event, type, entryId, since, state: value, dueAt, tries }) => ({
    id,
    event,
    type,
    entryId,
    since: timeOf(since),
    state: names.find((name) => DELIVERY_STATE[name] === value) ?? 'pending',
    dueAt: value === STATE.pending ? timeOf(dueAt) : null,
    tries,
  }));
}

/** Sends a request that tests a receiver, and changes nothing. */
export async function testReceiver({ testing }: Pick<Receiver, 'testing'>, post: Post): Promise<WebhookTest> {
  const now = Date.now();
  try {
    const { status } = await post(testing(now));
    return { status, error: null, took: Date.now() - now };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error), took: Date.now() - now };
  }
}
