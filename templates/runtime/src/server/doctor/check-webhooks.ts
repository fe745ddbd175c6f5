/** Checks that the receivers of webhooks are told. Loaded only by servers with webhooks. */
import type { Webhook } from '../../contract/events/webhook.ts';
import type { Database } from '../../database/database.ts';
import { countPending } from '../../features/webhooks/outbox-rows.ts';
import { readReceivers } from '../../features/webhooks/receiver-rows.ts';
import { receiversOf } from '../../features/webhooks/receivers.ts';
import { loadCacheServices } from '../load-cache-tags.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const of = findingsAbout('webhooks');

/** More waiting events than a receiver usually leaves. */
const MANY = 10_000;

async function checkReceiver(database: Database, name: string): Promise<Finding> {
  const state = (await readReceivers(database)).get(name);
  const waiting = await countPending(database, name, MANY);
  const text = `${name}: ${waiting === MANY ? `at least ${MANY}` : waiting} events wait`;
  const look = `npm run server -- webhooks list ${name}`;
  if (state?.disabledAt !== undefined) {
    const why = state.reason === undefined ? '' : `, because ${state.reason}`;
    return of.warning(`${text}; it is disabled${why}: npm run server -- webhooks enable ${name}`);
  }
  const failures = state?.failures ?? 0;
  if (failures > 0) return of.warning(`${text}; it has failed ${failures} times in a row: ${look}`);
  return waiting === MANY ? of.warning(`${text}: ${look}`) : of.good(text);
}

/** Checks the variables of the webhooks, and how their receivers are. */
export async function checkWebhooks(
  webhooks: readonly Webhook[],
  database: Database,
  settings: Settings,
): Promise<readonly Finding[]> {
  try {
    const receivers = receiversOf(webhooks, settings.webhooks, await loadCacheServices({ webhooks }));
    return await Promise.all(receivers.map(({ name }) => checkReceiver(database, name)));
  } catch (error) {
    return [of.bad(messageOf(error))];
  }
}
