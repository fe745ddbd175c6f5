/**
 * The property of cache tags: if a write changes the bytes of an answer, at least one of its tags is purged. With random reads and writes;
 * `CACHE_SEED` and `CACHE_WRITES` make others.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/cached/src/generated/app.ts';
import { cachedContent, randomOf } from '../../../test-support/cached-content.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../../../test-support/webhook-receiver.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';

const SEED = Number(process.env['CACHE_SEED'] ?? 7);
const WRITES = Number(process.env['CACHE_WRITES'] ?? 120);

let project: TestProject;
let server: TestServer;
let database: Database;
let cdn: WebhookReceiver;
let admin: string;

beforeAll(async () => {
  project = await openProject(definition);
  cdn = await receiveWebhooks();
  server = await project.start({ CDN_HOOK: cdn.url, CDN_SECRET: SECRET, WEBHOOKS_ALLOW_PRIVATE: 'true' });
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
});
afterAll(async () => {
  await server?.close();
  await cdn?.close();
  await database?.close();
  await project?.remove();
});

/** The data of an answer; a refused write would test nothing. */
function written({ status, body, text }: Awaited<ReturnType<TestServer['send']>>): any {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body?.data ?? body;
}

const write = async (method: string, path: string, data?: unknown) =>
  written(await server.send(method, `/api/${path}`, { token: admin, ...(data !== undefined && { body: { data } }) }));

const tagsOf = (headers: Headers) => new Set((headers.get('cache-tag') ?? '').split(',').filter((tag) => tag !== ''));

/** The tags that were purged since the last call. */
let seen = 0;
async function purged(): Promise<ReadonlySet<string>> {
  const rows = await database.all(raw(`SELECT id, entry FROM outbox WHERE id > ${seen} ORDER BY id`));
  seen = Number(rows.at(-1)?.['id'] ?? seen);
  return new Set(rows.flatMap(({ entry }) => JSON.parse(String(entry)) as string[]));
}

it('purges a tag of each answer that a write changes', async () => {
  const content = cachedContent(write, randomOf(SEED));
  await content.fill();
  const read = async (url: string) => {
    const { status, text, headers } = await server.send('GET', `/api/${url}`);
    return { text: `${status} ${text}`, tags: tagsOf(headers), status };
  };
  let [changed, dropped] = [0, 0];
  for (let count = 0; count < WRITES; count += 1) {
    const before = new Map<string, Awaited<ReturnType<typeof read>>>();
    for (const url of content.paths()) before.set(url, await read(url));
    await purged();
    const written = await content.write();
    const tags = await purged();
    for (const [url, { text, tags: own, status }] of before) {
      if (status !== 200) continue;
      expect(own.size, `${url} has tags`).toBeGreaterThan(0);
      const isChanged = (await read(url)).text !== text;
      const isPurged = [...own].some((tag) => tags.has(tag));
      if (isChanged) changed += 1;
      if (isPurged) dropped += 1;
      expect(!isChanged || isPurged, `${url}, changed by ${written}, write ${count} of seed ${SEED}`).toBe(true);
    }
  }
  console.log(`${changed} answers changed, ${dropped} were purged: ${(dropped / changed).toFixed(2)}`);
}, 120_000);

it('tells the receiver, and tags only what is the same for everybody', async () => {
  const { id } = await write('POST', 'tags', { name: 'told' });
  const { headers } = await server.send('GET', `/api/tags/${id}`);
  expect(headers.get('cache-tag')?.split(',')).toHaveLength(2);
  const told = cdn.told.length;
  await write('PUT', `tags/${id}`, { name: 'changed' });
  const isTold = () =>
    cdn.told
      .slice(told)
      .some(({ body }) => body.event === 'cache.purge' && body.tags.some((tag: string) => tagsOf(headers).has(tag)));
  await vi.waitFor(() => expect(isTold()).toBe(true), { timeout: 5000 });
  const own = await server.send('GET', `/api/tags/${id}`, { token: admin });
  expect([own.headers.get('cache-tag'), own.headers.get('cache-control')]).toEqual([null, 'private, no-cache']);
  for (const path of [`tags/${id + 999}`, 'tags?asOf=2020-01-01', '_audit']) {
    expect((await server.send('GET', `/api/${path}`)).headers.get('cache-tag')).toBeNull();
  }
});

it('purges everything once visitors may find something else', async () => {
  const { headers } = await server.send('GET', '/api/tags');
  await purged();
  const { body } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
  const { id } = body.roles.find(({ type }: any) => type === 'public');
  await server.send('PUT', `/api/users-permissions/roles/${id}`, { token: admin, body: { description: 'all' } });
  const tags = await purged();
  expect([...tagsOf(headers)].some((tag) => tags.has(tag))).toBe(true);
});
