/** Limits of tries: what is counted, and how little of it a caller can choose. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  generateProject,
  PASSWORD,
  SCHEMA,
  type AccessProject,
  type AccessServer,
} from '../../../../../test/support/access-server.ts';
import { raw } from '../../database/sql.ts';
import { normaliseAddress } from './address.ts';
import { databaseTries } from './database-tries.ts';

let project: AccessProject;

beforeAll(async () => {
  project = await generateProject(SCHEMA);
});
afterAll(() => project?.remove());

async function withServer(environment: Record<string, string>, use: (server: AccessServer) => Promise<void>) {
  const server = await project.start(environment);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

describe('of signing in', () => {
  test('hold whatever a caller varies', async () => {
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

  test('count an account from wherever it is tried, and the address that a trusted proxy says', async () => {
    await withServer({ AUTH_RATE_LIMIT: '3', TRUST_PROXY: 'true' }, async (server) => {
      const from = (address: string, identifier: string) =>
        server.send('POST', '/api/auth/local', {
          headers: { 'x-forwarded-for': `1.2.3.4, ${address}` },
          body: { identifier, password: 'wrong-password' },
        });
      for (let host = 0; host < 3; host += 1) expect((await from(`10.0.0.${host}`, 'Ann@x.org')).status).toBe(400);
      expect((await from('10.0.0.9', 'ann@x.org')).status).toBe(429);
      for (let host = 0; host < 3; host += 1) expect((await from(`2001:db8::${host}`, `u${host}`)).status).toBe(400);
      expect((await from('2001:db8::ffff', 'another')).status).toBe(429);
      expect((await from('2001:db8:0:1::1', 'another')).status).toBe(400);
    });
  });

  test('are each of their own, and none where it is 0', async () => {
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
  expect(new Set(addresses.map(normaliseAddress)).size).toBe(1);
}

test('an address is counted as the network that somebody has', () => {
  same('1.2.3.4', '::ffff:1.2.3.4', '::FFFF:1.2.3.4');
  same('2001:db8::1', '2001:0DB8:0:0:ffff:1:2:3', '2001:db8:0:0::', '2001:db8::1%eth0', '2001:db8::1.2.3.4');
  same('::1', '::', '::9');
  expect(normaliseAddress('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(normaliseAddress('2001:db8::1')).not.toBe(normaliseAddress('2001:db8:1::1'));
  expect(normaliseAddress('')).toBe('');
});

test('tries in the database are counted by all instances together, and forgotten after a minute', async () => {
  const server = await project.start({}, {}, 'tries');
  const [one, two] = [await project.open('tries'), await project.open('tries')];
  let now = 1_700_000_000_000;
  const [first, second] = [databaseTries(one, 10, () => now), databaseTries(two, 10, () => now)];
  const waits = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).add('ann')));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  expect(new Set(waits)).toEqual(new Set([0, 60_000]));
  expect(await first.add('bob')).toBe(0);
  now += 59_000;
  expect(await second.add('ann')).toBe(1000);
  now += 1000;
  expect(await second.add('ann')).toBe(0);
  now += 11 * 60_000;
  await first.add('carl');
  expect(await one.all(raw('SELECT name, tries FROM rate_limits'))).toEqual([{ name: 'carl', tries: 1 }]);
  await Promise.all([one.close(), two.close()]);
  await server.close();
});
