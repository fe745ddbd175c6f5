/** The secret that signs sessions: required in production, generated elsewhere. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../server/settings.ts';
import { loadOrCreateSecret } from './session-secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('it is generated once, at random, and appended to the existing file', () => {
  const path = join(folder, '.env');
  const secret = loadOrCreateSecret(path);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadOrCreateSecret(path)).toBe(secret);
  const other = join(folder, 'other');
  for (const text of ['PORT=1\nJWT_SECRET=\nHOST=x', 'PORT=1', 'PORT=1\n', '# JWT_SECRET=no\nJWT_SECRET=  \n']) {
    writeFileSync(other, text);
    const made = loadOrCreateSecret(other);
    expect(made).not.toBe(secret);
    expect(loadOrCreateSecret(other)).toBe(made);
    const kept = parseEnv(readFileSync(other, 'utf8'));
    expect(kept['PORT']).toBe(parseEnv(text)['PORT']);
    expect(kept['JWT_SECRET']).toBe(made);
  }
});

function read(secret: string | undefined, more: Record<string, string> = {}) {
  return () =>
    readSettings('x', { NODE_ENV: 'production', ...(secret !== undefined && { JWT_SECRET: secret }), ...more });
}

test('production does not start without a strong one', () => {
  expect(read(undefined)).toThrow('JWT_SECRET must be set in production');
  expect(read('')).toThrow('JWT_SECRET must be set in production');
  expect(read('too short')).toThrow('32 random characters');
  expect(read('secretsecretsecretsecretsecretsecret')).toThrow('random');
  expect(read('x'.repeat(64))).toThrow('random');
  expect(read('3q2+7wAAAAD/Xo5mJ8kLzPq1uVtYwZbC')().jwtSecret).toHaveLength(32);
  const wrong = read('3q2+7wAAAAD/Xo5mJ8kLzPq1uVtYwZbC', {
    AUTH_RATE_LIMIT: 'many',
    JWT_EXPIRES_IN: 'soon',
    PUBLIC_URL: 'javascript:alert(1)',
    SMTP_URL: 'http://mail',
  });
  for (const name of ['AUTH_RATE_LIMIT', 'JWT_EXPIRES_IN', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']) {
    expect(wrong).toThrow(name);
  }
});
