/** Who may read histories, and which versions are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passedMoment } from '../../../test-support/passed-moment.ts';
import { definition } from '../../../test-support/projects/archive/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { begin } from './begin.ts';
import { completeSince } from './complete-since.ts';
import { versionOf } from './content.ts';
import { prune } from './prune.ts';
import { createRecorder } from './record-writes.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let token: string;
/** What the project's own code gets. */
let own: any;
const { contentTypes: types } = definition;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start({}, { onStart: (services: unknown) => (own = services) } as any);
  database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

const ask = (
  method: string,
  path: string,
  { data, by = token, headers }: { data?: unknown; by?: string | undefined; headers?: Record<string, string> } = {},
) =>
  server.send(method, `/api/${path}`, {
    token: by === '' ? undefined : by,
    ...(headers && { headers }),
    ...(data !== undefined && { body: { data } }),
  });
const create = async (path: string, data: unknown) => (await ask('POST', path, { data })).body.data;
const V5 = { 'Strapi-Response-Format': 'v5' };

describe('rights', () => {
  it('needs history, and what reads the entry', async () => {
    const { id } = await create('articles?status=draft', { title: 'Open one', note: 'hidden' });
    const closed = await create('articles?status=draft', { title: 'Closed' });
    const [{ version }] = (await ask('GET', `articles/${id}/history`)).body.data;
    const { jwt } = await server.register('ann');
    expect((await ask('GET', `articles/${id}/history`, { by: jwt })).status).toBe(200);
    expect((await ask('GET', `articles/${id}/history`, { by: '' })).status).toBe(403);
    expect((await ask('GET', `articles/${id}?asOf=2026-01-01T00:00:00Z`, { by: '' })).status).toBe(403);
    const permissions = ['article.history', 'article.find', 'article.findOne'];
    const blind = await createToken(database, { kind: 'custom', permissions });
    expect((await ask('GET', `articles/${id}/history`, { by: blind })).status).toBe(403);
    const reader = await createToken(database, { kind: 'custom', permissions: [...permissions, 'article.preview'] });
    expect((await ask('GET', `articles/${id}/history/${version}`, { by: reader })).status).toBe(200);
    expect((await ask('POST', `articles/${id}/history/${version}/restore`, { by: reader })).status).toBe(403);
    // A version of one entry is none of another.
    expect((await ask('GET', `articles/${closed.id}/history/${version}`)).status).toBe(404);
  });

  it('follows the rules of the role', async () => {
    const open = await create('articles?status=draft', { title: 'Open two' });
    const closed = await create('articles?status=draft', { title: 'Closed' });
    const { id } = await server.register('rita');
    const role = await database.get(sql`SELECT id FROM user_roles WHERE name = ${'reader'}`);
    await database.run(sql`UPDATE users SET role_id = ${Number(role?.['id'])} WHERE id = ${id}`);
    const { jwt } = (await server.signIn('rita', 'a long password')).body;
    expect((await ask('GET', `articles/${open.id}/history`, { by: jwt })).status).toBe(200);
    expect((await ask('GET', `articles/${closed.id}/history`, { by: jwt })).status).toBe(404);
    const now = new Date().toISOString();
    const { body } = await ask('GET', `articles?publicationState=preview&asOf=${now}`, { by: jwt });
    expect(body.data.every(({ attributes }: any) => attributes.title.startsWith('Open'))).toBe(true);
    expect(body.data.length).toBe(body.meta.pagination.total);
    // What is hidden can't be found out by filters either, from whatever side.
    const { id: tag } = await create('tags', { name: 'of both', articles: [open.id, closed.id] });
    const { id: other } = await create('tags', { name: 'of one', articles: [closed.id] });
    const later = await passedMoment();
    const found = async (path: string, by?: string): Promise<unknown> => {
      const answer = await ask('GET', `${path}&publicationState=preview&asOf=${later}`, { by });
      return [answer.body.data.map((one: { id: number }) => one.id), answer.body.meta.pagination.total];
    };
    const titles = `filters[id][$in][0]=${open.id}&filters[id][$in][1]=${closed.id}&sort=title`;
    expect(await found(`articles?${titles}`, jwt)).toEqual([[open.id], 1]);
    expect(await found(`articles?${titles}`)).toEqual([[closed.id, open.id], 2]);
    const viewer = await createToken(database, { kind: 'full-access' });
    expect(await found('tags?filters[articles][title]=Closed', viewer)).toEqual([[tag, other], 2]);
    expect(await found('tags?filters[articles][title]=Closed', jwt)).toEqual([[], 0]);
    // Nor by what is populated.
    const populated = async (query: string, by?: string): Promise<unknown> => {
      const path = `tags?sort=id&filters[id][$in][0]=${tag}&filters[id][$in][1]=${other}&${query}`;
      const { body } = await ask('GET', `${path}&publicationState=preview&asOf=${later}`, { by });
      return body.data.map(({ attributes: { articles } }: any) =>
        Array.isArray(articles.data) ? articles.data.map((one: { id: number }) => one.id) : articles.data,
      );
    };
    const newest = 'populate[articles][sort]=id:desc';
    const titled = 'populate[articles][filters][title]=Closed';
    const counted = `populate[articles][count]=true&populate[articles][filters][title][$ne]=x`;
    expect(await populated(newest, viewer)).toEqual([[closed.id, open.id], [closed.id]]);
    expect(await populated(newest, jwt)).toEqual([[open.id], []]);
    expect(await populated(titled, viewer)).toEqual([[closed.id], [closed.id]]);
    expect(await populated(titled, jwt)).toEqual([[], []]);
    expect(await populated(counted, viewer)).toEqual([{ attributes: { count: 2 } }, { attributes: { count: 1 } }]);
    expect(await populated(counted, jwt)).toEqual([{ attributes: { count: 1 } }, { attributes: { count: 0 } }]);
    await database.run(sql`DELETE FROM articles WHERE id = ${closed.id}`);
    expect(await populated(titled, viewer)).toEqual([[closed.id], [closed.id]]);
    expect(await populated(titled, jwt)).toEqual([[], []]);
    expect((await ask('GET', `articles/${closed.id}?publicationState=preview&asOf=${now}`, { by: jwt })).status).toBe(
      404,
    );
  });
});

describe('cursors', () => {
  it('read a list as of a time, which is another one than that of now', async () => {
    const tags = [];
    for (const name of ['c', 'a', 'e', 'b', 'd']) tags.push(await create('tags', { name: `cursor ${name}` }));
    const time = await passedMoment();
    for (const { id } of tags.slice(0, 3)) await ask('DELETE', `tags/${id}`);
    const path = 'tags?filters[name][$startsWith]=cursor&sort=name&pagination[pageSize]=2';
    const page = (after: string, asOf = `&asOf=${time}`) => ask('GET', `${path}&pagination[after]=${after}${asOf}`);
    const namesOf = ({ body }: any) => body.data.map(({ attributes }: any) => attributes.name.at(-1));
    const first = await page('');
    const second = await page(first.body.meta.pagination.next);
    const third = await page(second.body.meta.pagination.next);
    expect([first, second, third].map(namesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(third.body.meta.pagination).toEqual({ pageSize: 2, next: null });
    const mixed = await page(first.body.meta.pagination.next, '');
    expect([mixed.status, mixed.body.error.message]).toEqual([400, expect.stringContaining('belongs to a list')]);
    // The order of ids needs no place in the list: what is hidden from somebody by now is passed over.
    const unsorted = (after: string) =>
      ask('GET', `tags?pagination[pageSize]=1&pagination[withCount]=true&pagination[after]=${after}&asOf=${time}`);
    const ids: number[] = [];
    let next: string | null = '';
    let total = 0;
    while (next !== null) {
      const { data, meta }: any = (await unsorted(next)).body;
      ids.push(...data.map((one: { id: number }) => one.id));
      ({ next, total } = meta.pagination);
    }
    expect(ids).toHaveLength(total);
    expect(ids.slice(-5)).toEqual(tags.map(({ id }) => id));
  });

  it('say so if their entry is hidden by now', async () => {
    const open = [];
    for (const letter of ['a', 'b', 'c']) open.push(await create('articles', { title: `Open cursor ${letter}` }));
    const { id } = await server.register('rosa');
    const role = await database.get(sql`SELECT id FROM user_roles WHERE name = ${'reader'}`);
    await database.run(sql`UPDATE users SET role_id = ${Number(role?.['id'])} WHERE id = ${id}`);
    const { jwt } = (await server.signIn('rosa', 'a long password')).body;
    const time = await passedMoment();
    const page = (after: string, sort: string) =>
      ask(
        'GET',
        `articles?filters[title][$contains]=cursor&sort=${sort}&pagination[pageSize]=1&pagination[after]=${after}&asOf=${time}`,
        { by: jwt },
      );
    const [sorted, unsorted] = [await page('', 'title'), await page('', '')];
    await ask('PUT', `articles/${open[0].id}`, { data: { title: 'Closed' } });
    const refused = await page(sorted.body.meta.pagination.next, 'title');
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('no longer in the list'),
    ]);
    const passed = await page(unsorted.body.meta.pagination.next, '');
    expect(passed.body.data.map((one: { id: number }) => one.id)).toEqual([open[1].id]);
  });
});

describe('formats', () => {
  it('answers in the v5 format, by document ids', async () => {
    const { documentId } = (await ask('POST', 'articles?status=draft', { data: { title: 'One' }, headers: V5 })).body
      .data;
    await ask('PUT', `articles/${documentId}?status=draft`, { data: { title: 'Two' }, headers: V5 });
    const { body } = await ask('GET', `articles/${documentId}/history`, { headers: V5 });
    const first = body.data.at(-1).version;
    const shown = await ask('GET', `articles/${documentId}/history/${first}`, { headers: V5 });
    expect(shown.body.data).toMatchObject({ documentId, title: 'One' });
    const { status, body: restored } = await ask('POST', `articles/${documentId}/history/${first}/restore`, {
      headers: V5,
    });
    expect([status, restored.data?.title]).toEqual([200, 'One']);
  });

  it('filters and sorts in the v5 format, by document ids', async () => {
    const made = async (path: string, data: object) => (await ask('POST', path, { data, headers: V5 })).body.data;
    const tag = await made('tags', { name: 'v5' });
    const [one, two] = [
      await made('articles', { title: 'v5 a', tags: [tag.documentId] }),
      await made('articles', { title: 'v5 b' }),
    ];
    await ask('PUT', `articles/${two.documentId}`, { data: { tags: [tag.documentId] }, headers: V5 });
    const time = await passedMoment();
    await ask('PUT', `articles/${two.documentId}`, { data: { title: 'v5 0', tags: [] }, headers: V5 });
    await ask('DELETE', `articles/${one.documentId}`, { headers: V5 });
    const query = `filters[tags][documentId]=${tag.documentId}&sort=title:desc&asOf=${time}`;
    const { body } = await ask('GET', `articles?${query}`, { headers: V5 });
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['v5 b', 'v5 a']);
    expect(body.meta.pagination.total).toBe(2);
    // Types without drafts are published when they are created.
    const published = `tags?filters[publishedAt]=${tag.publishedAt}&filters[documentId]=${tag.documentId}`;
    expect((await ask('GET', `${published}&asOf=${time}`, { headers: V5 })).body.data).toEqual([tag]);
    const path = (title: string) => `articles/${two.documentId}?filters[title]=${title}&asOf=${time}`;
    expect((await ask('GET', path('v5 b'), { headers: V5 })).body.data.title).toBe('v5 b');
    expect((await ask('GET', path('v5 0'), { headers: V5 })).status).toBe(404);
  });

  it('answers, and counts, own code as of a time', async () => {
    const { article } = own.entries;
    for (const title of ['Counted a', 'Counted b']) await create('articles', { title });
    const asOf = await passedMoment();
    const filters = { title: { $startsWith: 'Counted' } };
    await article.deleteMany({ filters });
    const found = await article.find({ filters, sort: 'title:desc', asOf });
    expect(found.data.map(({ attributes }: any) => attributes.title)).toEqual(['Counted b', 'Counted a']);
    expect([await article.count({ filters, asOf }), await article.count({ filters })]).toEqual([2, 0]);
    const all = await article.find({ asOf, pagination: { withCount: true } });
    expect(await article.count({ asOf })).toBe(all.meta.pagination.total);
  });

  it('keeps what no request may write, and passwords', async () => {
    const { id } = await create('articles?status=draft', { title: 'One', key: 'first secret' });
    await database.run(sql`UPDATE articles SET rating = 5 WHERE id = ${id}`);
    await ask('PUT', `articles/${id}?status=draft`, { data: { title: 'Two' } });
    await database.run(sql`UPDATE articles SET rating = 7 WHERE id = ${id}`);
    const [, first] = (await ask('GET', `articles/${id}/history`)).body.data;
    expect((await ask('POST', `articles/${id}/history/${first.version}/restore`)).status).toBe(200);
    expect(await database.get(sql`SELECT title, rating FROM articles WHERE id = ${id}`)).toEqual({
      title: 'One',
      rating: 7,
    });
    const stored = await database.all(sql`SELECT content FROM content_history WHERE entry_id = ${id}`);
    expect(JSON.stringify(stored)).not.toContain('"key"');
  });

  it('refuses what former content can not be asked', async () => {
    const now = new Date().toISOString();
    for (const query of [
      'publicationFilter=modified',
      'pagination[after]=nonsense',
      'publicationState=preview&populate[tags][sort]=note',
      'publicationState=preview&populate[tags][filters][articles][note]=a',
      // It is private.
      'filters[note]=a',
      'sort=note',
    ]) {
      expect([query, (await ask('GET', `articles?${query}&asOf=${now}`)).status]).toEqual([query, 400]);
    }
    expect((await ask('GET', `pages?filters[localizations][name]=a&asOf=${now}`)).body.error.message).toContain(
      'filter by the locale instead',
    );
    expect((await ask('GET', `pages?_q=a&asOf=${now}`)).body.error.message).toContain('full-text index');
    for (const time of ['yesterday', '2026-02-30T00:00:00Z', '2026-02-01T24:00:00Z']) {
      expect([time, (await ask('GET', `articles?asOf=${time}`)).status]).toEqual([time, 400]);
    }
    expect((await ask('GET', `plains?asOf=${now}`)).body.error.message).toContain('plain has no history');
    expect((await ask('GET', `articles?asOf=2020-01-01T00:00:00Z`)).body.error.message).toContain('is complete since');
  });

  it('has the history of a single type', async () => {
    await ask('PUT', 'home', { data: { text: 'one' } });
    await ask('PUT', 'home', { data: { text: 'two' } });
    const [, first] = (await ask('GET', 'home/history')).body.data;
    expect((await ask('GET', `home/history/${first.version}`)).body.data.attributes.text).toBe('one');
    expect((await ask('POST', `home/history/${first.version}/restore`)).body.data.attributes.text).toBe('one');
    expect((await ask('GET', `home?asOf=${new Date().toISOString()}`)).body.data.attributes.text).toBe('one');
  });
});

it('looks through a limited number of entries', async () => {
  const digits = raw(Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL '));
  const hundred = sql`(SELECT a.n * 10 + b.n AS n FROM (${digits}) AS a CROSS JOIN (${digits}) AS b)`;
  const { id } = await create('tags', { name: 'last' });
  await database.run(
    sql`INSERT INTO content_history (subject, state, entry_id, entry_version, action, since, actor, renames, content) SELECT 'tag', 1, 100000 + x.n * 100 + y.n, 1, 'update', ${Date.now()}, '{"kind":"server"}', 0, '{"id":' || (100000 + x.n * 100 + y.n) || ',"name":"tag ' || (9999 - x.n * 100 - y.n) || '","articles":[],"~":{}}' FROM ${hundred} AS x CROSS JOIN ${hundred} AS y`,
  );
  const time = await passedMoment();
  const { status, body } = await ask('GET', `tags?sort=name&asOf=${time}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('at most 10000 entries')]);
  expect((await ask('GET', `tags?asOf=${time}`)).status).toBe(200);
  const named = [id, 100_007, 100_005].map((one, at) => `filters[id][$in][${at}]=${one}`).join('&');
  const { body: some } = await ask('GET', `tags?${named}&sort=name&asOf=${time}`);
  expect(some.data.map((one: { id: number }) => one.id)).toEqual([id, 100_007, 100_005]);
  await database.run(sql`DELETE FROM content_history WHERE subject = 'tag' AND entry_id >= 109000`);
  const started = performance.now();
  const { body: all } = await ask('GET', `tags?filters[name][$contains]=9&sort=name:desc&asOf=${time}`);
  console.log(`${all.meta.pagination.total} found in ${(performance.now() - started).toFixed(0)} ms`);
  expect(all.data[0].id).toBe(100_000);
  await database.run(sql`DELETE FROM content_history WHERE subject = 'tag' AND entry_id >= 100000`);
});

describe('what is kept', () => {
  const never = () => false;

  it('keeps the last versions, and says since when the history is complete', async () => {
    const { id } = await create('authors', { name: 'v0' });
    for (let count = 1; count < 6; count += 1) await ask('PUT', `authors/${id}`, { data: { name: `v${count}` } });
    await prune(database, types, { now: Date.now(), isStopping: never });
    const { data } = (await ask('GET', `authors/${id}/history`)).body;
    expect(data).toHaveLength(3);
    expect(await completeSince(database, 'author')).toBe(Date.parse(data.at(-1).at));
  });

  it('keeps what was current in the last days', async () => {
    const { id } = await create('badges', { name: 'v0' });
    for (let count = 1; count < 4; count += 1) await ask('PUT', `badges/${id}`, { data: { name: `v${count}` } });
    const [, second, third] = (await ask('GET', `badges/${id}/history`)).body.data;
    const day = 24 * 3_600_000;
    const old = sql`UPDATE content_history SET since = since - ${40 * day} WHERE id <= ${second.version} AND subject = ${'badge'}`;
    await database.run(old);
    await prune(database, types, { now: Date.now(), isStopping: never });
    const kept = (await ask('GET', `badges/${id}/history`)).body.data.map(({ version }: any) => version);
    expect(kept).toContain(second.version);
    expect(kept).not.toContain(third.version);
  });

  it('begins with entries that no write has recorded', async () => {
    await database.run(
      sql`INSERT INTO tags (name, created_at, updated_at, document_id) VALUES (${'old'}, ${'2026-01-01T00:00:00.000Z'}, ${'2026-01-01T00:00:00.000Z'}, ${'abcdefghijklmnopqrstuvwx'})`,
    );
    await database.run(sql`DELETE FROM content_history WHERE subject = ${'tag'} AND entry_id = 0`);
    await begin(database, types, createRecorder(types), never);
    const row = await database.get(sql`SELECT id FROM tags WHERE name = ${'old'}`);
    const { data } = (await ask('GET', `tags/${Number(row?.['id'])}/history`)).body;
    expect(data).toMatchObject([{ action: 'begin', by: { kind: 'server' } }]);
  });
});

it('follows renames, also of two that swap their names', () => {
  const article = types.types['article'];
  if (!article) throw new Error('there is no article');
  const text = JSON.stringify({
    id: 1,
    heading: 'a',
    slug: 'b',
    gone: 'c',
    facts: [{ id: 2, words: 'd' }],
    body: [{ id: 3, __component: 'shared.note', words: 'e' }],
    about: [{ __type: 'api::label.label', id: 4 }],
    '~': { note: 'f' },
  });
  const { content, dropped } = versionOf(types, article, text, [
    [
      { kind: 'type', from: 'label', to: 'tag' },
      { kind: 'component', from: 'shared.note', to: 'shared.fact' },
      { kind: 'attribute', owner: 'shared.fact', from: 'words', to: 'text' },
    ],
    [
      { kind: 'attribute', owner: 'article', from: 'heading', to: 'slug' },
      { kind: 'attribute', owner: 'article', from: 'slug', to: 'title' },
    ],
  ]);
  expect(content).toMatchObject({
    slug: 'a',
    title: 'b',
    note: 'f',
    facts: [{ text: 'd' }],
    body: [{ __component: 'shared.fact', text: 'e' }],
    about: [{ __type: 'api::tag.tag', id: 4 }],
  });
  expect(dropped).toEqual({ gone: 'c' });
});
