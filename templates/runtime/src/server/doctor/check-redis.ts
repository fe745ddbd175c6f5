/** Checks that Redis is reachable, for servers with `REDIS_URL`. */
import { loadRedis, REDIS_MISSING } from '../redis/redis-package.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const of = findingsAbout('redis');

/** Timeout of the connection, in milliseconds. */
const TIMEOUT = 3000;

/** `Redis 7.0.15`, or Valkey, which reports both versions. Undefined if the account may not run INFO. */
function versionIn(info: string): string | undefined {
  const value = (name: string): string | undefined => new RegExp(`^${name}:(.+?)\\r?$`, 'mu').exec(info)?.[1];
  const valkey = value('valkey_version');
  const redis = value('redis_version');
  if (valkey !== undefined) return `Valkey ${valkey}`;
  return redis === undefined ? undefined : `Redis ${redis}`;
}

/** Connects to Redis. No findings without `REDIS_URL`. */
export async function checkRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<readonly Finding[]> {
  if (redisUrl === undefined) return [];
  const redis = loadRedis();
  if (!redis) return [of.bad(`not used: ${REDIS_MISSING}`)];
  const client = redis.createClient({
    url: redisUrl,
    socket: { connectTimeout: TIMEOUT, socketTimeout: TIMEOUT, reconnectStrategy: false },
  });
  // The awaited calls below report errors too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info('server').catch(() => '');
    const started = performance.now();
    await client.ping();
    const milliseconds = (performance.now() - started).toFixed(1);
    return [of.good(`${versionIn(info) ?? 'Redis'} at ${new URL(redisUrl).host}, responds in ${milliseconds} ms`)];
  } catch (error) {
    const reason = messageOf(error);
    return [of.bad(`${new URL(redisUrl).host} can't be used: ${reason}; each instance counts without it`)];
  } finally {
    client.destroy();
  }
}
