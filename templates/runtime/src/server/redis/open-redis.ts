/** What the instances of a server share through Redis: the counters of rate limits, and notifications of changed permissions. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Redis from 'redis';
import type { Instances } from '../../base/instances.ts';
import type { Logger } from '../../http/log.ts';
import { createRedisLink } from './redis-link.ts';
import { loadRedis, REDIS_MISSING } from './redis-package.ts';

/** The connection to Redis. */
export interface OpenedRedis extends Instances {
  close(): void;
}

/** In milliseconds: how long a start waits for the connection, timeout of an attempt, and longest delay between attempts. */
const START_TIME = 1000;
const CONNECT_TIMEOUT = 3000;
const LONGEST_PAUSE = 2000;
/** Interval of pings, and the silence after which a connection is considered dead, in milliseconds. */
const PING_INTERVAL = 5000;
const SILENCE = 15_000;

/** Increments a counter, and makes sure that it has an expiry. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }`;

/** The prefix of keys and channels. It depends on the secret, to separate servers with the same name, such as in staging. */
function prefixOf(name: string, secret: string): string {
  const digest = createHmac('sha256', secret).update('redis').digest('hex').slice(0, 12);
  return `content-gen:${name}:${digest}`;
}

function createClient({ createClient: create }: typeof Redis, url: string) {
  return create({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    socket: {
      connectTimeout: CONNECT_TIMEOUT,
      socketTimeout: SILENCE,
      reconnectStrategy: (attempts) => Math.min(LONGEST_PAUSE, 50 * 2 ** Math.min(attempts, 8)),
    },
  });
}

/**
 * Connects to Redis, which is used whenever it is reachable: it may be down at the start, and fail later. Undefined, with a warning
 * in the log, if the package is missing. `secret` is the one that the instances of a server share.
 */
export async function openRedis(
  url: string,
  { name, secret }: { readonly name: string; readonly secret: string | undefined },
  logger: Logger,
): Promise<OpenedRedis | undefined> {
  const redis = loadRedis();
  if (!redis) {
    logger.warn(`Redis is not used: ${REDIS_MISSING}`);
    return undefined;
  }
  const prefix = prefixOf(name, secret ?? randomUUID());
  const own = randomUUID();
  const link = createRedisLink(logger);
  const listeners = new Map<string, (() => void)[]>();
  const client = createClient(redis, url);
  const subscriber = createClient(redis, url);
  const hear = (topic: string): void => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };
  for (const one of [client, subscriber]) one.on('error', (error) => link.failed(error));
  // Notifications may have been missed while disconnected: assume one for every topic.
  subscriber.on('ready', () => {
    for (const topic of listeners.keys()) hear(topic);
  });
  const connected = Promise.all([client.connect(), subscriber.connect()]).then(async () => {
    await subscriber.subscribe(`${prefix}:told`, (text) => {
      const [from, topic = ''] = text.split(' ');
      if (from !== own) hear(topic);
    });
  });
  await Promise.race([connected.catch((error: unknown) => link.failed(error)), sleep(START_TIME)]);
  return {
    async count(key, seconds) {
      const span = String(seconds * 1000);
      const counted = await link.use(() => client.eval(COUNT, { keys: [`${prefix}:count:${key}`], arguments: [span] }));
      if (!Array.isArray(counted)) return undefined;
      return { attempts: Number(counted[0]), endsIn: Math.max(1, Number(counted[1])) };
    },
    forget: async (key) => (await link.use(() => client.del(`${prefix}:count:${key}`))) !== undefined,
    publish: (topic) => void link.use(() => client.publish(`${prefix}:told`, `${own} ${topic}`)),
    subscribe: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    close() {
      link.close();
      client.destroy();
      subscriber.destroy();
    },
  };
}
