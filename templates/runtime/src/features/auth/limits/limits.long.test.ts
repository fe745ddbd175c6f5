/** Rate limits: what is counted, and how little of it a caller can influence. */
import { Socket } from 'node:net';
import type { Context } from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../../test-support/projects/accounts/src/generated/app.ts';
import { openProject, PASSWORD, type TestProject, type TestServer } from '../../../../test-support/test-project.ts';
import { raw } from '../../../database/sql.ts';
import { normalizeAddress } from '../../../http/address.ts';
import type { HttpError } from '../../../contract/errors.ts';
import { hashSecret } from '../secrets.ts';
import { databaseAttemptCounter } from '../../../http/limits/database-attempt-counter.ts';
import { memoryAttemptCounter } from '../../../http/limits/memory-attempt-counter.ts';
import { rateLimits } from './rate-limits.ts';

let project: TestProject;

beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

async function withServer(environment: Record<string, string>, use: (server: TestServer) => Promise<void>) {
  const server = await project.start(environment);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

describe('limits of sign-in attempts', () => {
  test('can not be evaded by varying the request', async () => {
    await withServer({ AUTH_RATE_LIMIT: '6' }, async (server) => {
      const body = { identifier: 'nobody', password: 'wrong-password' };
      const variants = [
        { path: '/api/auth/local', headers: {}, body },
        { path: '/api/AUTH/Local', headers: {}, body },
        { path: '/api/auth/local/', headers: {}, body },
        { path: '/api/auth/local?x=1', headers: { 'x-forwarded-for': '10.0.0.1' }, body },
        { path: '/api/auth/local', headers: { forwarded: 'for=10.0.0.2' }, body: { ...body, email: 'other' } },
        { path: '/api/auth/local', headers: { 'x-real-ip': '10.0.0.3' }, body: { ...body, identifier: 'other' } },
      ];
      for (const { path, ...options } of variants) expect((await server.send('POST', path, options)).status).toBe(400);
      for (const { path, ...options } of variants) {
        const { status, headers, body: answer } = await server.send('POST', path, options);
        expect([status, answer.error.name], path).toEqual([429, 'RateLimitError']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      }
      expect((await server.send('GET', '/api/articles')).status).toBe(200);
      await server.register('somebody');
    });
  });

  test('count the address given by a trusted proxy', async () => {
    await withServer({ AUTH_RATE_LIMIT: '3', TRUST_PROXY: 'true' }, async (server) => {
      const from = (address: string, identifier: string) =>
        server.send('POST', '/api/auth/local', {
          headers: { 'x-forwarded-for': `1.2.3.4, ${address}` },
          body: { identifier, password: 'wrong-password' },
        });
      for (let host = 0; host < 3; host += 1) expect((await from(`2001:db8::${host}`, `u${host}`)).status).toBe(400);
      expect((await from('2001:db8::ffff', 'another')).status).toBe(429);
      expect((await from('2001:db8:0:1::1', 'another')).status).toBe(400);
    });
  });

  test('S09: attempts on an account from many addresses are delayed, and its owner can still sign in', async () => {
    await withServer({ AUTH_RATE_LIMIT: '3', TRUST_PROXY: 'true' }, async (server) => {
      await server.register('slowed');
      let host = 0;
      const signIn = async (identifier: string, password: string) => {
        const started = performance.now();
        const headers = { 'x-forwarded-for': `10.0.0.${(host += 1)}` };
        const { status } = await server.send('POST', '/api/auth/local', { headers, body: { identifier, password } });
        return { status, ms: performance.now() - started };
      };
      // Each from another address. A timer may fire a millisecond early.
      for (const least of [0, 0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]) {
        const identifier = host % 2 === 0 ? 'slowed@example.org' : 'Slowed@Example.org';
        const { status, ms } = await signIn(identifier, 'wrong-password');
        expect(status).toBe(400);
        expect(ms).toBeGreaterThan(least - 5);
      }
      expect((await signIn('slowed@example.org', PASSWORD)).status).toBe(200);
      // There is no account with this name, and the response must not reveal that.
      for (const least of [0, 0, 0, 250, 500]) {
        expect((await signIn('nobody@example.org', 'wrong-password')).ms).toBeGreaterThan(least - 5);
      }
    });
  }, 120_000);

  test('S09: no password is hashed for a client that disconnects while it is delayed', async () => {
    await withServer({ AUTH_RATE_LIMIT: '1', TRUST_PROXY: 'true', LOG_LEVEL: 'silent' }, async (server) => {
      const signIn = (
        host: number,
        { identifier = 'left', signal }: { identifier?: string; signal?: AbortSignal } = {},
      ) =>
        fetch(`${server.origin}/api/auth/local`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.1.${host}` },
          body: JSON.stringify({ identifier, password: 'wrong-password' }),
          ...(signal && { signal }),
        });
      const alone = performance.now();
      await signIn(200, { identifier: 'before' });
      const one = performance.now() - alone;
      for (let host = 0; host < 4; host += 1) expect((await signIn(host)).status).toBe(400);
      const leaving = Array.from({ length: 100 }, (_, index) =>
        signIn(10 + index, { signal: AbortSignal.timeout(300) }),
      );
      const left = await Promise.allSettled(leaving);
      expect(left.map(({ status }) => status)).toEqual(Array(100).fill('rejected'));
      // Their delays are over, and a hundred hashes would take fifty times as long as one.
      await new Promise((resolve) => setTimeout(resolve, 5200));
      const started = performance.now();
      await signIn(201, { identifier: 'after' });
      expect(performance.now() - started).toBeLessThan(one * 15 + 1000);
    });
  }, 60_000);

  test('are separate for each kind of attempt, and off if 0', async () => {
    await withServer({ AUTH_RATE_LIMIT: '2' }, async (server) => {
      const { jwt } = await server.register('one');
      const change = () =>
        server.send('POST', '/api/auth/change-password', {
          token: jwt,
          body: { currentPassword: 'wrong', password: PASSWORD, passwordConfirmation: PASSWORD },
        });
      expect([(await change()).status, (await change()).status, (await change()).status]).toEqual([400, 400, 429]);
      const reset = { code: 'x', password: PASSWORD, passwordConfirmation: PASSWORD };
      const answers = [];
      for (let n = 0; n < 3; n += 1) {
        answers.push((await server.send('POST', '/api/auth/reset-password', { body: reset })).status);
      }
      expect(answers).toEqual([400, 400, 429]);
      expect((await server.signIn('one', PASSWORD)).status).toBe(200);
    });
  });
});

function same(...addresses: string[]): void {
  expect(new Set(addresses.map(normalizeAddress)).size).toBe(1);
}

test('IPv6 addresses are counted per /64', () => {
  same('1.2.3.4', '::ffff:1.2.3.4', '::FFFF:1.2.3.4');
  same('2001:db8::1', '2001:0DB8:0:0:ffff:1:2:3', '2001:db8:0:0::', '2001:db8::1%eth0', '2001:db8::1.2.3.4');
  same('::1', '::', '::9');
  expect(normalizeAddress('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(normalizeAddress('2001:db8::1')).not.toBe(normalizeAddress('2001:db8:1::1'));
  expect(normalizeAddress('')).toBe('');
});

/** A request from an address, whose client stays connected. */
function requestFrom(ip: string): Context {
  return { ip, req: { socket: new Socket() } } as unknown as Context;
}

describe.each(['memory', 'database'] as const)('attempts counted in %s', (where) => {
  test('S09: an address that keeps trying one account is rejected for longer, and no one else is', async () => {
    const name = `pairs-${where}`;
    const server = await project.start({}, {}, name);
    const database = await project.open(name);
    let now = Date.now();
    const clock = () => now;
    const counter = where === 'memory' ? memoryAttemptCounter(clock) : databaseAttemptCounter(database, clock);
    try {
      const limits = rateLimits(counter, 3);
      const take = (address: string, account: string) =>
        limits.take(requestFrom(address), 'sign-in', account).then(
          () => 'taken',
          (error: HttpError) => Number(error.headers['Retry-After']),
        );
      // Spaced so that neither the limit of the address nor the delay of the account applies.
      const answers = [];
      for (let index = 0; index < 10; index += 1) {
        answers.push(await take('10.0.0.1', 'ann'));
        now += 61_000;
        await counter.reset(`sign-in account ${hashSecret('ann')}`);
      }
      expect(answers).toEqual([...Array<string>(9).fill('taken'), 900 - 9 * 61]);
      expect(await take('10.0.0.2', 'ann')).toBe('taken');
      expect(await take('10.0.0.1', 'bob')).toBe('taken');
      await limits.succeeded(requestFrom('10.0.0.1'), 'sign-in', 'ann');
      expect(await take('10.0.0.1', 'ann')).toBe('taken');
      // A successful attempt also resets the delay of the account.
      for (let index = 0; index < 20; index += 1) await counter.add(`sign-in account ${hashSecret('carl')}`, 600);
      const timed = async () => {
        const started = performance.now();
        await take('10.0.0.3', 'carl');
        return performance.now() - started;
      };
      expect(await timed()).toBeGreaterThan(4995);
      await limits.succeeded(requestFrom('10.0.0.3'), 'sign-in', 'carl');
      expect(await timed()).toBeLessThan(4000);
    } finally {
      await database.close();
      await server.close();
    }
  });
});

test('all instances share the counters in the database, which expire after a minute', async () => {
  const server = await project.start({}, {}, 'tries');
  const [one, two] = [await project.open('tries'), await project.open('tries')];
  let now = 1_700_000_000_000;
  const [first, second] = [databaseAttemptCounter(one, () => now), databaseAttemptCounter(two, () => now)];
  const counted = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).add('ann', 60)),
  );
  expect(counted.map(({ attempts }) => attempts).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  expect(new Set(counted.map(({ endsIn }) => endsIn))).toEqual(new Set([60_000]));
  expect(await first.add('bob', 60)).toEqual({ attempts: 1, endsIn: 60_000 });
  now += 59_000;
  expect(await second.add('ann', 60)).toEqual({ attempts: 21, endsIn: 1000 });
  now += 1000;
  expect(await second.add('ann', 60)).toEqual({ attempts: 1, endsIn: 60_000 });
  await first.reset('ann');
  expect(await second.add('ann', 60)).toEqual({ attempts: 1, endsIn: 60_000 });
  now += 11 * 60_000;
  await first.add('carl', 60);
  expect(await one.all(raw('SELECT name, tries FROM rate_limits'))).toEqual([{ name: 'carl', tries: 1 }]);
  await Promise.all([one.close(), two.close()]);
  await server.close();
});
