/** How each cache is purged: its requests, their limits, and what waits together. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/cached/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../../../test-support/webhook-receiver.ts';
import type { CacheKind, Webhook } from '../../contract/events/webhook.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';
import { openCacheService } from './cache-services.ts';

const VALUES: Readonly<Record<string, string>> = {
  VARNISH_URL: 'http://varnish:6081',
  SERVICE: 'SU1Z0isxPaozGVKXdv0eY',
  ZONE: '023e105f4ecef8ad9ca31a8372d0c353',
  TOKEN: 'a-token',
};

function requestOf(cache: CacheKind, url: string, more: Partial<Webhook> = {}): unknown {
  const webhook = { url, cache, events: ['cache.purge'], types: [], ...more } as const;
  const service = openCacheService(webhook, (name) => VALUES[name]);
  if (!('request' in service)) return service;
  const { url: to, method, headers, body } = service.request(['one', 'two']);
  return [`${method} ${to.href}`, headers, body];
}

it('asks each cache in its own way', () => {
  expect(requestOf('varnish', 'VARNISH_URL')).toEqual(['PURGE http://varnish:6081/', { 'xkey-purge': 'one two' }, '']);
  expect(requestOf('varnish', 'VARNISH_URL', { soft: true })).toMatchObject([{}, { 'xkey-softpurge': 'one two' }, '']);
  expect(requestOf('fastly', 'SERVICE', { secret: 'TOKEN', soft: true })).toEqual([
    'POST https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge',
    {
      'fastly-key': 'a-token',
      accept: 'application/json',
      'content-type': 'application/json',
      'fastly-soft-purge': '1',
    },
    '{"surrogate_keys":["one","two"]}',
  ]);
  expect(requestOf('cloudflare', 'ZONE', { secret: 'TOKEN' })).toEqual([
    'POST https://api.cloudflare.com/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache',
    { authorization: 'Bearer a-token', 'content-type': 'application/json' },
    '{"tags":["one","two"]}',
  ]);
});

it('says which variables are missing or wrong', () => {
  expect(requestOf('varnish', 'NONE')).toEqual([['NONE', 'is not set: the address of a cache in the schema']]);
  expect(requestOf('fastly', 'VARNISH_URL', { secret: 'NONE' })).toEqual([
    ['VARNISH_URL', 'must be the id of a service of Fastly'],
    ['NONE', 'is not set: the token for a cache in the schema'],
  ]);
});

let project: TestProject;
let server: TestServer;
let database: Database;
let site: WebhookReceiver;

beforeAll(async () => {
  const purges = [{ url: 'SITE', secret: 'SITE_SECRET', cache: 'next', events: ['cache.purge'], types: [] }] as const;
  project = await openProject({ ...definition, webhooks: purges });
  site = await receiveWebhooks();
  server = await project.start({ SITE: site.url, SITE_SECRET: SECRET, WEBHOOKS_ALLOW_PRIVATE: 'true' });
  database = await project.open();
});
afterAll(async () => {
  await server?.close();
  await site?.close();
  await database?.close();
  await project?.remove();
});

it('purges many entries in few requests, each within the limit, and again what was refused', async () => {
  const admin = await createToken(database, { kind: 'full-access' });
  site.answering((_, count) => (count === 0 ? 500 : 200));
  for (let batch = 0; batch < 3; batch += 1) {
    const operations = Array.from({ length: 90 }, (_, index) => ({
      method: 'POST',
      path: '/api/tags',
      body: { data: { name: `tag ${index}` } },
    }));
    const { status } = await server.send('POST', '/api/_batch', { token: admin, body: { operations } });
    expect(status).toBe(200);
  }
  const rows = async (where: string) => database.all(raw(`SELECT entry FROM outbox ${where}`));
  await vi.waitFor(async () => expect(await rows('WHERE state = 0')).toEqual([]), { timeout: 20_000 });
  const all = new Set((await rows('')).flatMap(({ entry }) => JSON.parse(String(entry)) as string[]));
  const accepted = site.accepted();
  expect(new Set(accepted.flatMap(({ body }) => body.tags))).toEqual(all);
  expect(Math.max(...site.told.map(({ body }) => body.tags.length))).toBeLessThanOrEqual(100);
  // One by one there would be 270.
  expect(site.told.length).toBeLessThan(20);
  // A receiver may ignore an id that it has seen.
  const told = new Map(site.told.map(({ body }) => [body.id, JSON.stringify(body.tags)]));
  for (const { body } of site.told) expect(told.get(body.id)).toBe(JSON.stringify(body.tags));
  const { headers } = await server.send('GET', '/api/tags');
  expect(headers.get('cache-tag')).not.toBeNull();
});
