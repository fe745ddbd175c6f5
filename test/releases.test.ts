/** Releases: entries that are published together, all or none, at a time or by somebody, and reverted together. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../templates/runtime/test-support/webhook-receiver.ts';
import { openSchema } from './support/served-project.ts';

const DAY = 86_400_000;

const SCHEMA = `
name: releases
databases: [sqlite, postgres, mysql]
api: { format: v5 }
locales: [en, de]
schedules: true
webhooks: [{ url: $SITE_HOOK, secret: $SITE_SECRET, types: [article] }]
contentTypes:
  article:
    draftAndPublish: true
    history: true
    attributes:
      title: { type: string, required: true }
      slug: { type: string, unique: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      see: { type: relation, relation: manyWay, target: article }
      parts: { type: component, component: part.one, repeatable: true }
  author:
    draftAndPublish: true
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  tag:
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  home:
    kind: singleType
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string }
      code: { type: string, unique: true, localized: false }
components:
  part.one: { attributes: { text: { type: string }, tags: { type: relation, relation: manyWay, target: tag } } }
permissions:
  public: { article: [find, findOne], author: [find], tag: [find], home: [find] }
  authenticated: { extends: public, article: [preview, draft], releases: [find, create, update] }
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let database: Database;
  let site: WebhookReceiver;
  let servers: TestServer[];
  let admin: string;
  const url = () => made?.url ?? project.urlOf('releases');
  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'releases');
    site = await receiveWebhooks();
    const environment = {
      DATABASE_URL: url(),
      SITE_HOOK: site.url,
      SITE_SECRET: SECRET,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    };
    servers = [await project.start(environment), await project.start(environment)];
    database = await openDatabase(url());
    admin = await createToken(database, { kind: 'full-access' });
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await site?.close();
    await database?.close();
    await made?.drop();
  });
  beforeEach(async () => {
    for (const table of ['planned_releases', 'articles', 'authors', 'tags', 'homes']) {
      await database.run(raw(`DELETE FROM ${table}`));
    }
  });

  const send = (method: string, path: string, body?: object, token = admin) =>
    servers[0]!.send(method, `/api${path}`, { token, ...(body && { body }) });
  const make = async (type: string, data: object, status = '?status=draft') => {
    const { body } = await send('POST', `/${type}${status}`, { data });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data as { id: number; documentId: string };
  };
  const release = async (items: object[], more: object = {}) => {
    const { body } = await send('POST', '/releases', { name: 'Spring', items, ...more });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const item = (type: string, documentId: string, action = 'publish') => ({ type, id: documentId, action });
  /** What visitors see, or what they will see once a release is published. */
  const everything = async (id?: number) => {
    const more = id === undefined ? '' : `&release=${id}`;
    const articles = await send(
      'GET',
      `/articles?sort=title&populate[tags][fields]=name&populate[see][fields]=title&populate[author][fields]=name&populate[parts][populate]=tags${more}`,
    );
    const authors = await send('GET', `/authors?populate[articles][fields]=title&sort=name${more}`);
    const tags = await send('GET', `/tags?populate[articles][fields]=title&sort=name${more}`);
    return JSON.stringify(
      [articles, authors, tags].map(({ body }) => body.data),
      (key, value) => (['updatedAt', 'publishedAt'].includes(key) ? undefined : (value as unknown)),
    );
  };
  const titles = async () => (await send('GET', '/articles?sort=title')).body.data.map(({ title }: any) => title);
  const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

  it('publishes and takes back all at once, whatever the order of values that change hands', async () => {
    const [one, two] = [
      await make('articles', { title: 'A', slug: 'a' }, ''),
      await make('articles', { title: 'B', slug: 'b' }, ''),
    ];
    const three = await make('articles', { title: 'C' });
    await send('PUT', `/articles/${one.documentId}?status=draft`, { data: { slug: 'b' } });
    await send('PUT', `/articles/${two.documentId}?status=draft`, { data: { slug: 'c' } });
    const author = await make('authors', { name: 'Ann', articles: [one.documentId, three.documentId] });
    const { id } = await release([
      item('article', one.documentId),
      item('article', two.documentId),
      item('article', three.documentId),
      item('author', author.documentId),
    ]);
    expect((await send('POST', `/releases/${id}/actions/check`)).body.data.refusals).toEqual([]);
    expect(await titles()).toEqual(['A', 'B']);
    const [now, then] = [await everything(), await everything(id)];
    expect([await everything(), then === now]).toEqual([now, false]);
    const published = await send('POST', `/releases/${id}/actions/publish`);
    expect(published.body.data).toMatchObject({ state: 'published', version: 2, refusals: [] });
    expect([await everything(), await everything(id)]).toEqual([then, then]);
    const list = (await send('GET', '/articles?sort=title')).body.data;
    expect(list.map(({ slug }: any) => slug)).toEqual(['b', 'c', null]);
    const [ann] = (await send('GET', '/authors?populate=articles')).body.data;
    expect(ann.articles.map(({ title }: any) => title)).toEqual(['A', 'C']);
    expect((await send('POST', `/releases/${id}/actions/publish`)).status).toBe(409);
    expect((await send('PUT', `/releases/${id}`, { name: 'Late' })).status).toBe(409);
  });

  it('publishes nothing if one item is refused, and names all that are', async () => {
    await make('articles', { title: 'Taken', slug: 'same' }, '');
    const good = await make('articles', { title: 'Good' });
    const incomplete = await make('articles', { slug: 'incomplete' });
    const again = await make('articles', { title: 'Again', slug: 'same' });
    const { id } = await release([good, incomplete, again].map(({ documentId }) => item('article', documentId)));
    const before = await everything();
    const expected = [
      { item: 1, message: expect.any(String), errors: [expect.objectContaining({ path: ['title'] })] },
      { item: 2, message: expect.stringMatching(/unique/u), errors: [expect.objectContaining({ path: ['slug'] })] },
    ];
    expect((await send('POST', `/releases/${id}/actions/check`)).body.data.refusals).toEqual(expected);
    const refused = await send('POST', `/releases/${id}/actions/publish`);
    expect([refused.status, refused.body.error.details.refusals]).toEqual([400, expected]);
    expect(await everything()).toBe(before);
    expect((await send('GET', `/releases/${id}`)).body.data).toMatchObject({ state: 'open', version: 1 });
    // It can be looked at before it is ready, but for what the database itself refuses.
    const looked = await send('GET', `/articles?release=${id}`);
    expect([looked.status, looked.body.error.message]).toEqual([400, expect.stringMatching(/unique/u)]);
    await send('PUT', `/releases/${id}`, { items: [item('article', incomplete.documentId)] });
    const [first, last] = (await send('GET', `/articles?release=${id}&sort=id`)).body.data;
    expect([first.slug, last.slug, last.title]).toEqual(['same', 'incomplete', null]);
  });

  it('makes the former versions current again, with their relations and components, unless somebody has changed them', async () => {
    const tags: string[] = [];
    for (const name of ['t1', 't2', 't3']) tags.push((await make('tags', { name }, '')).documentId);
    const ann = await make('authors', { name: 'Ann' }, '');
    const bob = await make('authors', { name: 'Bob' }, '');
    const other = await make('articles', { title: 'Other', author: ann.documentId, tags: [tags[0]] }, '');
    const main = await make(
      'articles',
      {
        title: 'Main',
        slug: 'main',
        author: ann.documentId,
        tags: [tags[2], tags[0]],
        see: [other.documentId],
        parts: [{ text: 'p', tags: [tags[1]] }],
      },
      '',
    );
    const fresh = await make('articles', { title: 'Fresh', tags: [tags[1]] });
    await send('PUT', `/articles/${other.documentId}`, { data: { see: [main.documentId] } });
    const before = await everything();
    const next = {
      title: 'Next',
      slug: 'next',
      author: bob.documentId,
      tags: [tags[1]],
      see: [],
      parts: [{ text: 'q' }],
    };
    await send('PUT', `/articles/${main.documentId}?status=draft`, { data: next });
    const { id } = await release([
      item('article', main.documentId),
      item('article', fresh.documentId),
      item('article', other.documentId, 'unpublish'),
    ]);
    const then = await everything(id);
    const count = (await send('GET', `/articles?filters[title]=Next&release=${id}`)).body.meta.pagination.total;
    const one = await send('GET', `/articles/${fresh.documentId}?populate=tags&release=${id}`);
    expect([count, one.body.data.tags.length, one.headers.get('etag')]).toEqual([1, 1, null]);
    expect((await send('GET', `/articles/${other.documentId}?release=${id}`)).status).toBe(404);
    expect(await everything()).toBe(before);
    await send('POST', `/releases/${id}/actions/publish`);
    expect(await titles()).toEqual(['Fresh', 'Next']);
    expect(await everything()).toBe(then);
    const reverted = await send('POST', `/releases/${id}/actions/revert`);
    expect(reverted.body.data).toMatchObject({ state: 'reverted' });
    expect(await everything()).toBe(before);
    // The drafts stay as they are.
    const draft = (await send('GET', `/articles/${main.documentId}?status=draft`)).body.data;
    expect([draft.title, draft.slug]).toEqual(['Next', 'next']);
    await send('POST', `/articles/${main.documentId}/actions/publish`);
    expect(await titles()).toEqual(['Next', 'Other']);
    expect((await send('POST', `/releases/${id}/actions/revert`)).status).toBe(409);

    const again = await release([item('article', main.documentId), item('article', fresh.documentId)]);
    await send('POST', `/releases/${again.id}/actions/publish`);
    await send('PUT', `/articles/${main.documentId}`, { data: { title: 'By somebody' } });
    const refused = await send('POST', `/releases/${again.id}/actions/revert`);
    expect([refused.status, refused.body.error.details.refusals.map(({ item: at }: any) => at)]).toEqual([400, [0]]);
    expect(refused.body.error.message).toBe('Nothing of the release was reverted: 1 of its 2 items were changed since');
    expect(await titles()).toEqual(['By somebody', 'Fresh', 'Other']);
  });

  it('is about locales, whose shared unique values stay claimed', async () => {
    await send('PUT', '/home', { data: { title: 'Hello', code: 'one' } });
    await send('PUT', '/home?locale=de', { data: { title: 'Hallo' } });
    await send('PUT', '/home?status=draft&locale=de', { data: { title: 'Neu', code: 'two' } });
    const { id, items } = await release([{ type: 'home', locale: 'de', action: 'publish' }]);
    expect(items).toEqual([expect.objectContaining({ type: 'home', locale: 'de' })]);
    const shown = async (locale: string, more = '') => {
      const { title, code } = (await send('GET', `/home?locale=${locale}${more}`)).body.data;
      return [title, code];
    };
    expect([await shown('en', `&release=${id}`), await shown('de', `&release=${id}`), await shown('en')]).toEqual([
      ['Hello', 'two'],
      ['Neu', 'two'],
      ['Hello', 'one'],
    ]);
    await send('POST', `/releases/${id}/actions/publish`);
    expect([await shown('en'), await shown('de')]).toEqual([
      ['Hello', 'two'],
      ['Neu', 'two'],
    ]);
    await send('POST', `/releases/${id}/actions/revert`);
    expect([await shown('en'), await shown('de')]).toEqual([
      ['Hello', 'one'],
      ['Hallo', 'one'],
    ]);
    const claims = await database.all(raw('SELECT * FROM homes_published'));
    expect(
      claims.filter((row) => Object.entries(row).some(([name, value]) => name.includes('claim') && value === 'one')),
    ).toHaveLength(1);
  });

  it('is published once when it is due, by two instances, or kept with its reasons', async () => {
    const all = await Promise.all([...Array(6)].map((_, index) => make('articles', { title: `T${index}` })));
    const at = inTime(10 * DAY);
    const planned = await release(
      all.slice(0, 5).map(({ documentId }) => item('article', documentId)),
      { at },
    );
    expect(planned).toMatchObject({ state: 'planned', at });
    const incomplete = await make('articles', { slug: 'incomplete' });
    const bad = await release([item('article', all[5]!.documentId), item('article', incomplete.documentId)], { at });
    await Promise.all(servers.map((server) => server.advance(11 * DAY)));
    expect(await titles()).toEqual(['T0', 'T1', 'T2', 'T3', 'T4']);
    expect((await send('GET', `/releases/${planned.id}`)).body.data).toMatchObject({ state: 'published', version: 2 });
    const kept = (await send('GET', `/releases/${bad.id}`)).body.data;
    expect(kept).toMatchObject({ state: 'open', at, refusals: [{ item: 1 }] });
    await send('PUT', `/articles/${incomplete.documentId}?status=draft`, { data: { title: 'Complete' } });
    expect((await send('PUT', `/releases/${bad.id}`, { at: inTime(100 * DAY) })).body.data.refusals).toEqual([]);
    await servers[1]!.advance(100 * DAY);
    expect((await send('GET', `/releases/${bad.id}`)).body.data.state).toBe('published');
    expect((await send('GET', '/releases')).body.data.map(({ id }: any) => id)).toEqual([bad.id, planned.id]);
    expect((await send('DELETE', `/releases/${bad.id}`)).status).toBe(204);
    await send('PUT', `/articles/${incomplete.documentId}?status=draft`, { data: { title: null } });
    await send('PUT', `/articles/${incomplete.documentId}/schedule`, { publishAt: inTime(400 * DAY) });
    await servers[1]!.advance(400 * DAY);
    const told = () =>
      site.told.flatMap(({ event, body }) => {
        if (event === 'schedule.refuse') return [[event, body.model, body.entry.errors[0].path[0]]];
        return event.startsWith('release.') ? [[event, body.release.id]] : [];
      });
    await expect.poll(told, { timeout: 10_000 }).toContainEqual(['schedule.refuse', 'article', 'title']);
    expect(told()).toEqual(
      expect.arrayContaining([
        ['release.publish', planned.id],
        ['release.refuse', bad.id],
        ['release.publish', bad.id],
      ]),
    );
  });

  it('needs the right to publish each item from whoever plans or publishes, and shows only what may be seen', async () => {
    const { jwt } = await servers[0]!.register(`ann${Date.now()}`);
    const article = await make('articles', { title: 'A' });
    const author = await make('authors', { name: 'Hidden' });
    const asAnn = (method: string, path: string, body?: object) => send(method, path, body, jwt);
    const mine = await asAnn('POST', '/releases', { name: 'Mine', items: [item('article', article.documentId)] });
    expect(mine.status).toBe(201);
    const { id, version } = mine.body.data;
    expect((await asAnn('POST', '/releases', { name: 'x', items: [item('author', author.documentId)] })).status).toBe(
      400,
    );
    expect((await asAnn('PUT', `/releases/${id}`, { at: inTime(9000 * DAY) })).status).toBe(403);
    expect((await asAnn('POST', `/releases/${id}/actions/publish`)).status).toBe(403);
    expect((await asAnn('POST', `/releases/${id}/actions/check`)).body.data.refusals).toEqual([
      expect.objectContaining({ item: 0, message: 'Forbidden' }),
    ]);
    const items = [item('article', article.documentId), item('author', author.documentId)];
    expect((await send('PUT', `/releases/${id}`, { items, version })).status).toBe(200);
    expect((await send('PUT', `/releases/${id}`, { items, version })).status).toBe(412);
    const seen = (await asAnn('GET', `/releases/${id}`)).body.data;
    expect([seen.items.length, seen.hidden]).toEqual([1, 1]);
    const names = async (path: string, token = admin) =>
      (await send('GET', `/${path}release=${id}`, undefined, token)).body.data.map(
        ({ title, name }: any) => title ?? name,
      );
    expect([await names('articles?', jwt), await names('authors?', jwt), await names('authors?')]).toEqual([
      ['A'],
      [],
      ['Hidden'],
    ]);
    expect((await fetch(`${servers[0]!.origin}/api/articles?release=${id}`)).status).toBe(403);
    const statuses = ['x', `${id}&status=draft`, `${id}&asOf=2026-01-01T00:00:00Z`, '99999'].map(
      async (value) => (await send('GET', `/articles?release=${value}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 400, 400, 404]);
    const live = await send('GET', `/articles?release=${id}&status=published`);
    expect(live.body.data).toHaveLength(1);
    await asAnn('PUT', `/releases/${id}`, { items: [] });
    expect((await send('GET', `/releases/${id}`)).body.data.items).toEqual([
      expect.objectContaining({ type: 'author' }),
    ]);
    expect((await fetch(`${servers[0]!.origin}/api/releases`)).status).toBe(403);
    for (const body of [
      {},
      { name: '' },
      { name: 'x', items: [{}] },
      { name: 'x', items: [item('tag', '1')] },
      { name: 'x', at: '1' },
    ]) {
      expect((await send('POST', '/releases', body)).status).toBe(400);
    }
  });
});
