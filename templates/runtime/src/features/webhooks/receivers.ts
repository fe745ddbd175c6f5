/** The receivers of a server: its webhooks and caches, with the values of their variables. */
import type { Webhook } from '../../contract/events/webhook.ts';
import type { CacheService, OpenCacheService } from '../../http/cache-services.ts';
import { headersOf, messageOf, purgeMessage, tagsOf, testMessage } from './event-message.ts';
import { TEST_EVENT } from '../../contract/events/event-names.ts';
import type { OutboxRow } from './outbox-rows.ts';
import type { Sent } from './post.ts';
import { keysOf, type Message } from './sign.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** Who is told, and how. */
export interface Receiver {
  /** The variable with its URL. */
  readonly name: string;
  /** How many rows are leased for one request, at most. */
  readonly together: number;
  /** The first of some rows, as many as one request tells. */
  fitting(rows: readonly OutboxRow[]): number;
  /** The request that tells rows, at a time in milliseconds since 1970. */
  telling(rows: readonly OutboxRow[], now: number): Sent;
  /** A request that tests it, and changes nothing. */
  testing(now: number): Sent;
}

/** How many purges are told in one request. */
const TOGETHER = 100;
/** How many tags one request to a site of Next names, which revalidates each. */
const MOST_OF_NEXT = 100;
/** No answer has this tag. */
const UNUSED_TAG = 'test';

/** How many rows have, together, at most so many tags: at least one. */
function fittingTags(most: number): (rows: readonly OutboxRow[]) => number {
  return (rows) => {
    const tags = new Set<string>();
    for (const [index, row] of rows.entries()) {
      for (const tag of tagsOf(row)) tags.add(tag);
      if (index > 0 && tags.size > most) return index;
    }
    return rows.length;
  };
}

function signedReceiver(name: string, url: URL, keys: readonly Buffer[], cache: 'next' | undefined): Receiver {
  const signed = (event: string, message: Message, now: number): Sent => ({
    url,
    method: 'POST',
    headers: headersOf(event, message, { keys, now }),
    body: message.body,
    isNear: false,
  });
  const testing = (now: number): Sent => signed(TEST_EVENT, testMessage(now), now);
  if (cache === 'next') {
    return {
      name,
      together: TOGETHER,
      fitting: fittingTags(MOST_OF_NEXT),
      telling: (rows, now) => signed('cache.purge', purgeMessage(rows), now),
      testing,
    };
  }
  return {
    name,
    together: 1,
    fitting: () => 1,
    telling: ([row], now) => signed(row!.event, messageOf(row!), now),
    testing,
  };
}

function cacheReceiver(name: string, { most, isNear, request }: CacheService): Receiver {
  const sent = (tags: readonly string[]): Sent => {
    const { url, method, headers, body } = request(tags);
    return { url, method, headers: { ...headers, 'user-agent': 'content-gen' }, body, isNear };
  };
  return {
    name,
    together: TOGETHER,
    fitting: fittingTags(most),
    telling: (rows) => sent([...new Set(rows.flatMap(tagsOf))]),
    testing: () => sent([UNUSED_TAG]),
  };
}

function problemOfUrl(text: string | undefined): string | undefined {
  if (!text) return 'is not set: the URL of a webhook in the schema';
  const isWeb = /^https?:\/\//iu.test(text) && URL.canParse(text);
  if (!isWeb) return 'must be the URL of a webhook: https://…';
  const { username, password } = new URL(text);
  return username || password ? 'must not contain a user or a password: receivers verify the signature' : undefined;
}

function problemOfSecret(text: string | undefined): string | undefined {
  if (!text) return 'is not set: the secret of a webhook in the schema, such as whsec_$(openssl rand -base64 32)';
  return keysOf(text) === undefined
    ? 'must be whsec_ and at least 24 bytes in base64: whsec_$(openssl rand -base64 32); two of them, separated by a space, while one replaces the other'
    : undefined;
}

type Opened = Receiver | readonly (readonly [variable: string, problem: string])[];

function openSigned({ url, secret = '' }: Webhook, cache: 'next' | undefined, { valueOf }: WebhookSettings): Opened {
  const found = [[url, problemOfUrl(valueOf(url))] as const, [secret, problemOfSecret(valueOf(secret))] as const];
  const problems = found.flatMap(([name, problem]) => (problem === undefined ? [] : [[name, problem] as const]));
  if (problems.length > 0) return problems;
  return signedReceiver(url, new URL(valueOf(url) ?? ''), keysOf(valueOf(secret) ?? '') ?? [], cache);
}

/** Throws an error that names every variable that is missing or wrong. `openCache` opens those that are caches. */
export function receiversOf(
  webhooks: readonly Webhook[],
  settings: WebhookSettings,
  openCache: OpenCacheService | undefined,
): readonly Receiver[] {
  const opened = webhooks.map((webhook): Opened => {
    const { url, cache } = webhook;
    if (cache === undefined || cache === 'next') return openSigned(webhook, cache, settings);
    if (!openCache) throw new Error(`${url} is a cache, but the schema has no cacheTags`);
    const service = openCache(webhook, settings.valueOf);
    return 'request' in service ? cacheReceiver(url, service) : service;
  });
  const problems = opened.flatMap((one) => ('name' in one ? [] : one.map(([name, problem]) => `  ${name} ${problem}`)));
  if (problems.length > 0) throw new Error(['The settings of webhooks are invalid:', ...new Set(problems)].join('\n'));
  return opened.filter((one) => 'name' in one);
}
