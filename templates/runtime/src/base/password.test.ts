import { beforeAll, expect, test } from 'vitest';
import { readSettings } from '../server/settings.ts';
import { DEFAULT_PASSWORD_COST, hashPassword, needsRehash, setPasswordCost, verifyPassword } from './password.ts';

// Other files in this process start servers with a lower cost.
beforeAll(() => setPasswordCost(DEFAULT_PASSWORD_COST));

test('the cost is a setting, which can be low only outside of production; hashes of another cost are replaced', async () => {
  const production = { NODE_ENV: 'production', JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn' };
  expect(readSettings('x', production).auth.passwordCost).toBe(15);
  expect(() => readSettings('x', { ...production, AUTH_PASSWORD_COST: '14' })).toThrow(
    /AUTH_PASSWORD_COST must be at/u,
  );
  expect(readSettings('x', { ...production, AUTH_PASSWORD_COST: '16' }).auth.passwordCost).toBe(16);
  setPasswordCost(8);
  const weak = await hashPassword('secret');
  expect([weak.slice(0, 20), needsRehash(weak)]).toEqual(['$scrypt$ln=8,r=8,p=3', false]);
  setPasswordCost(DEFAULT_PASSWORD_COST);
  expect([needsRehash(weak), await verifyPassword('secret', weak)]).toEqual([true, true]);
});

test('a password is never truncated, and its Unicode normalisation form does not matter', async () => {
  const long = `${'x'.repeat(72)}tail é`;
  const hash = await hashPassword(long);
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword(long, hash)).toBe(true);
  expect(await verifyPassword(long.normalize('NFD'), hash)).toBe(true);
  expect(await verifyPassword(long.slice(0, 72), hash)).toBe(false);
  expect(await hashPassword(long)).not.toBe(hash);
});

test('verification uses the parameters stored in the hash', async () => {
  // scrypt("password", "NaClNaClNaClNaCl", N=2^10, r=8, p=16, 32 bytes)
  const hash =
    '$scrypt$ln=10,r=8,p=16$TmFDbE5hQ2xOYUNsTmFDbA$' +
    (await import('node:crypto'))
      .scryptSync('password', 'NaClNaClNaClNaCl', 32, { N: 1024, r: 8, p: 16 })
      .toString('base64')
      .replace(/=+$/, '');
  expect(await verifyPassword('password', hash)).toBe(true);
  expect(await verifyPassword('passwore', hash)).toBe(false);
});

test.each([
  null,
  '',
  'plain',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$scrypt$ln=30,r=8,p=1$TmFDbE5hQ2xOYUNsTmFDbA$TmFDbE5hQ2xOYUNsTmFDbA',
  '$scrypt$ln=15,r=0,p=1$TmFDbE5hQ2xOYUNsTmFDbA$TmFDbE5hQ2xOYUNsTmFDbA',
])('no password matches %j', async (hash) => {
  expect(await verifyPassword('x', hash)).toBe(false);
});

test('a password of a megabyte is refused before any work', async () => {
  const hash = await hashPassword('x');
  const started = performance.now();
  expect(await verifyPassword('x'.repeat(2 ** 20), hash)).toBe(false);
  expect(performance.now() - started).toBeLessThan(100);
});

test('bcrypt hashes are verified, and need to be replaced', async () => {
  const hash = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
  expect(await verifyPassword('some other', hash)).toBe(false);
  const { hash: bcrypt } = await import('bcryptjs');
  const own = await bcrypt('Pässwörd 🦊', 4);
  expect(await verifyPassword('Pässwörd 🦊', own)).toBe(true);
  expect(await verifyPassword('Pässwörd', own)).toBe(false);
  expect(needsRehash(own)).toBe(true);
  // A cost that would take hours.
  expect(await verifyPassword('Pässwörd 🦊', own.replace('$04$', '$31$'))).toBe(false);
});

test('verifying a bcrypt hash does not block the event loop', async () => {
  const { hash: bcrypt } = await import('bcryptjs');
  const own = await bcrypt('secret word', 11);
  const before = performance.eventLoopUtilization();
  const right = await Promise.all(
    Array.from({ length: 4 }, (_, index) => verifyPassword(index === 3 ? 'another' : 'secret word', own)),
  );
  expect(right).toEqual([true, true, true, false]);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});
