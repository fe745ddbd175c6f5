/** Webhooks of a server: what its writes put into the outbox, and how that is told. */
import type { ApiSettings, ContentTypes } from '../../contract/content-type.ts';
import type { WebhookTest } from '../../contract/events/webhook-report.ts';
import type { Webhook } from '../../contract/events/webhook.ts';
import type { Database } from '../../database/database.ts';
import type { OpenCacheService } from '../../http/cache-services.ts';
import type { CacheTags } from '../../http/cache-tags.ts';
import type { Logger } from '../../http/log.ts';
import type { ToldUpdates } from '../../write/told-updates.ts';
import { noticedWrites } from '../../write/noticed-writes.ts';
import { AT_ONCE, createDelivery, type Delivery } from './deliver.ts';
import { countPending, prune } from './outbox-rows.ts';
import { outboxSteps, toldUpdates } from './outbox-steps.ts';
import { createPost } from './post.ts';
import { addReceivers, readReceivers } from './receiver-rows.ts';
import { testReceiver } from './report-webhooks.ts';
import { TRIED_FOR } from './waits.ts';
import { receiversOf } from './receivers.ts';
import type { WebhookSettings } from './webhook-settings.ts';

const DAY = 24 * 3_600_000;
/** For how long rows that were told are kept, and how often older ones are deleted, in milliseconds. */
export const KEPT = 7 * DAY;
const PRUNE_INTERVAL = 600_000;
/** Rows of receivers that are not told for so long are given up. */
const MAX_WAIT = TRIED_FOR + DAY;
/** Further rows are not counted. */
const MOST_COUNTED = 100_000;

export interface OpenedWebhooks {
  /** The types whose updates are told. */
  readonly tellsUpdates: ToldUpdates;
  /** A database whose writes put their events into the outbox. */
  telling(database: Database): Database;
  /** Begins to tell. Call it once the tables exist. */
  start(database: Database): Promise<void>;
  /** Sends a request that tests a receiver. */
  test(name: string): Promise<WebhookTest>;
  /** The number of rows that wait, for metrics. */
  pending(): Promise<number>;
  stop(): Promise<void>;
}

async function pruneAll(database: Database, names: readonly string[]): Promise<void> {
  const states = await readReceivers(database);
  const telling = names.filter((name) => {
    const state = states.get(name);
    return state === undefined || (state.disabledAt === undefined && state.failures === 0);
  });
  const now = Date.now();
  await prune(database, { kept: now - KEPT, waits: now - MAX_WAIT, telling });
}

interface WebhookParts {
  readonly settings: WebhookSettings;
  readonly logger: Logger;
  /** Finds the tags of caches that no longer hold after a write. */
  readonly purge?: CacheTags['purge'] | undefined;
  /** Opens the caches among the receivers. */
  readonly openCache?: OpenCacheService | undefined;
}

/** Throws an error with a message for people if variables are missing or wrong. */
export function openWebhooks(
  definition: { readonly contentTypes: ContentTypes; readonly api: ApiSettings },
  webhooks: readonly Webhook[],
  { settings, logger, purge, openCache }: WebhookParts,
): OpenedWebhooks {
  const receivers = receiversOf(webhooks, settings, openCache);
  const names = receivers.map(({ name }) => name);
  const { post, close } = createPost({ allowsPrivate: settings.allowsPrivate, most: AT_ONCE });
  let started:
    { readonly delivery: Delivery; readonly database: Database; readonly pruning: NodeJS.Timeout } | undefined;
  const told = { types: definition.contentTypes, api: definition.api, webhooks, purge };
  const augment = outboxSteps(told);

  return {
    tellsUpdates: toldUpdates(webhooks, definition.contentTypes),
    telling: (database) => noticedWrites(database, augment, () => started?.delivery.nudge()),
    async start(database) {
      await addReceivers(database, names);
      const delivery = createDelivery({ database, receivers, post, logger });
      const clean = (): void => {
        pruneAll(database, names).catch((error: unknown) => logger.warn({ err: error }, 'events were not pruned'));
      };
      const pruning = setInterval(clean, PRUNE_INTERVAL).unref();
      started = { delivery, database, pruning };
      delivery.start();
    },
    test(name) {
      const receiver = receivers.find((one) => one.name === name);
      return receiver ? testReceiver(receiver, post) : Promise.reject(new Error(`there is no receiver ${name}`));
    },
    async pending() {
      if (!started) return 0;
      const { database } = started;
      const counts = await Promise.all(names.map((name) => countPending(database, name, MOST_COUNTED)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async stop() {
      clearInterval(started?.pruning);
      await started?.delivery.stop();
      close();
    },
  };
}
