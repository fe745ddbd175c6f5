/** Instances share rate limits and notifications through Redis, and continue alone without it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import { openProxy } from '../../../test-support/proxy.ts';
import { hasRedis, REDIS_URL } from '../../../test-support/redis.ts';
import { openProject, type TestProject } from '../../../test-support/test-project.ts';
import { createAccess } from '../../access/access.ts';
import { memoryAttemptCounter } from '../../features/auth/limits/memory-attempt-counter.ts';
import { sharedAttemptCounter } from '../../features/auth/limits/shared-attempt-counter.ts';
import type { Logger } from '../../http/log.ts';
import { readSettings } from '../settings.ts';
import { type OpenedRedis, openRedis } from './open-redis.ts';

const SECRET = 'a secret of the tests, of thirty-two characters';

let project: TestProject;
beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

const opened: OpenedRedis[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

interface Logged {
  readonly warnings: string[];
  readonly news: string[];
}

/** One instance, and what it logs. */
async function openInstance(
  url: string,
  name: string,
  secret = SECRET,
): Promise<{ readonly redis: OpenedRedis; readonly logged: Logged }> {
  const logged: Logged = { warnings: [], news: [] };
  const logger = {
    warn: (...line: unknown[]) => void logged.warnings.push(JSON.stringify(line)),
    info: (...line: unknown[]) => void logged.news.push(JSON.stringify(line)),
  } as unknown as Logger;
  const redis = await openRedis(url, { name, secret }, logger);
  if (!redis) throw new Error('the package redis is not installed');
  opened.push(redis);
  return { redis, logged };
}

const wrong = { identifier: 'nobody', password: 'wrong-password' };

async function signInTo(origin: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...wrong, identifier: randomUUID() });
  return (await fetch(`${origin}/api/auth/local`, { method: 'POST', headers, body })).status;
}

describe.skipIf(!(await hasRedis()))('with Redis', () => {
  test('instances count attempts together, although each has its own SQLite database', async () => {
    // A new secret, since keys of an earlier run may still exist.
    const environment = { REDIS_URL, AUTH_RATE_LIMIT: '4', JWT_SECRET: `${SECRET} ${randomUUID()}` };
    const [one, two] = [await project.start(environment), await project.start(environment)];
    const answers = [];
    for (const { origin } of [one, two, one, two, one, two]) answers.push(await signInTo(origin));
    expect(answers).toEqual([400, 400, 400, 400, 429, 429]);
    await Promise.all([one.close(), two.close()]);
  });

  test('counters end with their windows, can be reset, and belong to one server', async () => {
    const name = randomUUID();
    const [{ redis: one }, { redis: two }] = [await openInstance(REDIS_URL, name), await openInstance(REDIS_URL, name)];
    const { redis: staging } = await openInstance(REDIS_URL, name, `${SECRET} of staging`);
    const counted = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).count('a', 60)));
    expect(counted.map((one) => one?.attempts).sort((a = 0, b = 0) => a - b)).toEqual(
      counted.map((_, index) => index + 1),
    );
    for (const endsIn of counted.map((one) => one?.endsIn)) {
      expect(endsIn).toBeGreaterThan(1000);
      expect(endsIn).toBeLessThanOrEqual(60_000);
    }
    expect((await staging.count('a', 60))?.attempts).toBe(1);
    expect(await one.forget('a')).toBe(true);
    expect((await two.count('a', 60))?.attempts).toBe(1);
    expect((await one.count('short', 1))?.attempts).toBe(1);
    await expect.poll(async () => (await one.count('short', 1))?.attempts, { timeout: 20_000, interval: 1500 }).toBe(1);
  });

  test('changed permissions apply to the next request of other instances', async () => {
    const database = await project.open('told');
    const server = await project.start({}, {}, 'told');
    const name = randomUUID();
    const [{ redis: one }, { redis: two }] = [await openInstance(REDIS_URL, name), await openInstance(REDIS_URL, name)];
    // The clocks stand still, so that nothing is reloaded because a second has passed.
    const accessOf = (redis: OpenedRedis) =>
      createAccess(
        database,
        definition.roles,
        { publish: redis.publish, subscribe: (topic, listener) => redis.subscribe(topic, () => listener(null, 0)) },
        () => 0,
      );
    const [first, second] = [accessOf(one), accessOf(two)];
    for (const access of [first, second]) {
      await access.refresh();
      await expect.poll(() => access.refresh(), { timeout: 10_000 }).toBeUndefined();
    }
    await first.reload();
    await expect.poll(() => second.refresh() !== undefined, { timeout: 10_000 }).toBe(true);
    expect(first.refresh()).toBeUndefined();
    await database.close();
    await server.close();
  });

  test('a lost connection is left alone, with one warning, and used again once it is back', async () => {
    const proxy = await openProxy(REDIS_URL);
    const name = randomUUID();
    const { redis, logged } = await openInstance(proxy.url, name);
    const counter = sharedAttemptCounter(redis, memoryAttemptCounter());
    expect((await counter.add('a', 600)).attempts).toBe(1);
    expect((await counter.add('a', 600)).attempts).toBe(2);
    await proxy.cut();
    // It now counts on its own.
    for (const count of [1, 2, 3]) expect((await counter.add('a', 600)).attempts).toBe(count);
    await counter.reset('a');
    expect((await counter.add('a', 600)).attempts).toBe(1);
    await expect.poll(() => logged.warnings.length, { timeout: 10_000 }).toBe(1);
    await proxy.restore();
    await expect.poll(async () => (await redis.count('b', 600)) !== undefined, { timeout: 30_000 }).toBe(true);
    expect((await counter.add('a', 600)).attempts).toBe(3);
    expect([logged.warnings.length, logged.news.length]).toEqual([1, 1]);
    await proxy.close();
  }, 60_000);

  test('a server that never responds is waited for once, not by each request', async () => {
    const proxy = await openProxy(REDIS_URL);
    const { redis, logged } = await openInstance(proxy.url, randomUUID());
    expect((await redis.count('a', 60))?.attempts).toBe(1);
    proxy.silence();
    expect(await redis.count('a', 60)).toBeUndefined();
    const started = performance.now();
    for (let index = 0; index < 20; index += 1) expect(await redis.count('a', 60)).toBeUndefined();
    // Twenty timeouts would have taken ten seconds.
    expect(performance.now() - started).toBeLessThan(4000);
    expect(logged.warnings).toHaveLength(1);
    await proxy.close();
  }, 30_000);
});

test('a server without a reachable Redis starts, responds and limits like one without Redis', async () => {
  const server = await project.start({ REDIS_URL: 'redis://127.0.0.1:1/', AUTH_RATE_LIMIT: '2' }, {}, 'alone');
  expect([await signInTo(server.origin), await signInTo(server.origin), await signInTo(server.origin)]).toEqual([
    400, 400, 429,
  ]);
  expect((await server.send('GET', '/api/articles')).status).toBeLessThan(500);
  await server.close();
});

test('other addresses are refused', () => {
  expect(() => readSettings('x', { REDIS_URL: 'http://127.0.0.1' })).toThrow(/REDIS_URL must be redis:\/\//u);
  expect(readSettings('x', {}).redisUrl).toBeUndefined();
});
