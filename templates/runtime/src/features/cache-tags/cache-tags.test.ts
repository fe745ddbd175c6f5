/**
 * The property of cache tags: if a write changes the bytes of an answer, at least one of its tags is purged. With random reads and writes;
 * `CACHE_SEED` and `CACHE_WRITES` make others.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/cached/src/generated/app.ts';
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

const write = async (method: string, path: string, data?: unknown) =>
  (await server.send(method, `/api/${path}`, { token: admin, ...(data !== undefined && { body: { data } }) })).body
    ?.data;

const tagsOf = (headers: Headers) => new Set((headers.get('cache-tag') ?? '').split(',').filter((tag) => tag !== ''));

/** The tags that were purged since the last call. */
let seen = 0;
async function purged(): Promise<ReadonlySet<string>> {
  const rows = await database.all(raw(`SELECT id, entry FROM outbox WHERE id > ${seen} ORDER BY id`));
  seen = Number(rows.at(-1)?.['id'] ?? seen);
  return new Set(rows.flatMap(({ entry }) => JSON.parse(String(entry)) as string[]));
}

/** Repeatable random numbers. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

it('purges a tag of each answer that a write changes', async () => {
  const random = randomOf(SEED);
  const ids: Record<'articles' | 'tags' | 'authors' | 'pages', number[]> = {
    articles: [],
    tags: [],
    authors: [],
    pages: [],
  };
  const some = (list: readonly number[]) => list[random(list.length)];
  const several = (list: readonly number[]) => list.filter(() => random(3) === 0);
  const make = {
    tags: () => ({ name: `tag ${random(9)}`, hidden: random(4) === 0, articles: several(ids.articles) }),
    authors: () => ({ name: `author ${random(9)}`, articles: several(ids.articles) }),
    articles: () => ({
      title: `title ${random(99)}`,
      section: ['a', 'b'][random(2)],
      tags: several(ids.tags),
      author: some(ids.authors) ?? null,
      facts: [{ text: `fact ${random(9)}`, about: some(ids.tags) ?? null }],
      publishedAt: random(4) === 0 ? null : new Date(1_700_000_000_000).toISOString(),
    }),
    pages: () => ({ name: `page ${random(9)}`, rank: random(5) }),
  };
  const kinds = Object.keys(ids) as (keyof typeof ids)[];
  for (const kind of [...kinds, ...kinds, ...kinds]) {
    const made = await write('POST', kind, make[kind]());
    ids[kind].push(made.id);
  }
  const urls = () => [
    ...kinds.flatMap((kind) => ids[kind].map((id) => `${kind}/${id}`)),
    ...kinds,
    'articles?populate=tags&sort=title',
    'articles?populate=*',
    'articles?filters[section]=a',
    'articles?filters[tags][name][$contains]=1&fields[0]=title',
    'articles?sort=author.name',
    'tags?populate[articles][populate]=author',
    'authors?populate=articles&pagination[pageSize]=2',
    'articles?populate[facts][populate]=about',
    'pages?locale=all',
    ...ids.articles.map((id) => `articles/${id}?populate[tags]=*`),
  ];
  const read = async (url: string) => {
    const { status, text, headers } = await server.send('GET', `/api/${url}`);
    return { text: `${status} ${text}`, tags: tagsOf(headers), status };
  };
  let [changed, dropped] = [0, 0];
  for (let count = 0; count < WRITES; count += 1) {
    const all = urls();
    const before = new Map<string, Awaited<ReturnType<typeof read>>>();
    for (const url of all) before.set(url, await read(url));
    await purged();
    const kind = kinds[random(kinds.length)]!;
    const id = some(ids[kind]);
    const action = id === undefined ? 0 : random(8);
    if (action === 0) ids[kind].push((await write('POST', kind, make[kind]())).id);
    else if (action === 1 && ids[kind].length > 2) {
      await write('DELETE', `${kind}/${id}`);
      ids[kind] = ids[kind].filter((one) => one !== id);
    } else if (action === 2 && kind === 'articles') {
      await write('PUT', `articles/${id}?status=draft`, { title: `draft ${random(99)}` });
    } else await write('PUT', `${kind}/${id}`, make[kind]());
    const tags = await purged();
    for (const [url, { text, tags: own, status }] of before) {
      if (status !== 200) continue;
      expect(own.size, `${url} has tags`).toBeGreaterThan(0);
      const isChanged = (await read(url)).text !== text;
      const isPurged = [...own].some((tag) => tags.has(tag));
      if (isChanged) changed += 1;
      if (isPurged) dropped += 1;
      expect(!isChanged || isPurged, `${url}, changed by write ${count} of seed ${SEED}`).toBe(true);
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
