/** Every check of the list of attacks, B01 to B128, is a test here or can't apply. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

const CHECKS = 128;

/** Number → what it would take for the check to apply. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  B10: 'permissions are of types, not of rows: who may find entries of a type may find all of them',
  B23: 'there are no rights to single attributes that a namesake could inherit',
  B24: 'entries have no history',
  B25: 'there is no export',
  B40: 'there is no export to CSV',
  B57: 'permissions are of types and actions, not of single attributes; private ones are nobody’s to read',
  B58: 'entries have no owners',
  B62: 'permissions are not of single locales',
  B63: 'there are no requests about several entries',
  B76: 'there are no refresh tokens: a session is one token, and is ended with all others of its user',
  B115: 'the server calls no address that a request or an entry names',
  B116: 'there are no webhooks',
  B117: 'there are no webhooks',
  B123: 'there are no idempotent writes: Idempotency-Key is not looked at',
};

function numberOf(check: number): string {
  return `B${String(check).padStart(2, '0')}`;
}

/** The numbers in the titles of tests that are run. */
function testedNumbers(): Set<string> {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const texts = readdirSync(folder)
    .filter((name) => /^3-\d-.*\.test\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const titles = texts.flatMap((text) => [...text.matchAll(/\btest\(\s*['"`]((?:B\d+(?:, )?)+): /g)]);
  return new Set(titles.flatMap(([, numbers = '']) => numbers.split(', ')));
}

test('every check is a test, or is listed with the reason why it can’t be', () => {
  const tested = testedNumbers();
  const all = Array.from({ length: CHECKS }, (_, index) => numberOf(index + 1));
  expect(all.filter((number) => !tested.has(number) && !(number in NOT_APPLICABLE))).toEqual([]);
  expect(Object.keys(NOT_APPLICABLE).filter((number) => tested.has(number))).toEqual([]);
  expect([...tested, ...Object.keys(NOT_APPLICABLE)].filter((number) => !all.includes(number))).toEqual([]);
});

describe('what is not offered', () => {
  let server: AttackedServer;
  beforeAll(async () => {
    server = await startAttacked();
  });
  afterAll(() => server?.stop());

  test('is not half there', async () => {
    const { first = 0 } = server.seed.ids;
    const missing = ['/api/articles/export', '/api/articles/1/history', '/api/articles/1/versions', '/api/webhooks'];
    for (const path of [...missing, '/api/articles.csv', '/api/export', '/api/batch']) {
      for (const method of ['GET', 'POST']) {
        const { status } = await server.call('admin', method, path, { json: [{ method: 'DELETE', id: first }] });
        expect([404, 405], `${method} ${path}`).toContain(status);
      }
    }
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      expect((await server.call('admin', method, '/api/articles', { json: [first] })).status).toBe(405);
    }
    for (const path of ['/api/articles/1,2', '/api/articles/*', '/api/articles/all', '/api/articles/bulk']) {
      expect((await server.call('admin', 'DELETE', path)).status, path).toBe(404);
    }
    const plain = await server.get('reader', '/api/articles');
    for (const query of ['cursor=eyJpZCI6MX0', 'after=1', 'before[ssn]=x', 'format=csv', 'export=1']) {
      expect((await server.get('reader', `/api/articles?${query}`)).text).toBe(plain.text);
    }
    for (const [value, status] of [
      ['garbage', 200],
      ['*', 200],
      ['x'.repeat(10_000), 400],
    ] as const) {
      const headers = { 'Idempotency-Key': value };
      const answer = await server.call('writer', 'PUT', `/api/articles/${first}`, { data: { body: 'x' }, headers });
      expect(answer.status).toBe(status);
    }
    // An address in a body is text.
    const fetched = { url: 'http://127.0.0.1:1/x.png', hero: 'http://169.254.169.254/latest', title: 'x' };
    expect((await server.call('writer', 'POST', '/api/articles', { data: fetched })).status).toBe(400);
    expect((await server.call('writer', 'POST', '/api/upload', { json: { url: fetched.url } })).status).toBe(400);
  });
});
