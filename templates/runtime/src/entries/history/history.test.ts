/** Histories on each engine: versions are listed, shown, compared and restored. Random writes are in test/replay.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passedMoment } from '../../../test-support/passed-moment.ts';
import { definition } from '../../../test-support/projects/archive/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

const EVERYTHING =
  'populate[tags][fields]=id&populate[author][fields]=id&populate[badge][fields]=id&populate[cover][fields]=id&populate[about][on][api::tag.tag][fields]=id&populate[facts][populate][about][fields]=id&populate[lead][populate][about][fields]=id&populate[body][on][shared.fact][populate][about][fields]=id&publicationState=preview';
describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let server: TestServer;
  let database: Database;
  let close: () => Promise<void>;
  let token: string;

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'history');
    server = await project.start({ DATABASE_URL: opened?.url ?? project.urlOf('test') });
    database = opened?.database ?? (await project.open());
    token = await createToken(database, { kind: 'full-access' });
    close = async () => {
      await server.close();
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.send(method, `/api/${path}`, { token, headers, ...(body !== undefined && { body }) });
  const send = async (method: string, path: string, data?: unknown) => {
    const answer = await ask(method, path, data === undefined ? undefined : path === '_batch' ? data : { data });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} ${JSON.stringify(data)}: ${answer.status} ${answer.text}`);
    }
    return answer.body?.data;
  };
  const versionsOf = async (path: string) => (await send('GET', `${path}/history`)) as any[];

  it('keeps all digits of decimals', async () => {
    const price = '12345678901234567.891';
    const { id } = await send('POST', 'articles', { title: 'Exact', price });
    const time = await passedMoment();
    await send('PUT', `articles/${id}`, { price: '1.50' });
    const found = async (value: string) =>
      (await ask('GET', `articles?filters[id]=${id}&filters[price]=${value}&asOf=${time}`)).body.data.length;
    expect([await found(price), await found('12345678901234567.892')]).toEqual([1, 0]);
    const [last, first] = await versionsOf(`articles/${id}`);
    const between = await send('GET', `articles/${id}/history/${first.version}..${last.version}`);
    expect(JSON.stringify(between)).toContain('"before":12345678901234568,"after":1.5');
    await ask('POST', `articles/${id}/history/${first.version}/restore`);
    expect((await ask('GET', `articles/${id}?publicationState=preview`)).text).toContain(`"price":${price}`);
    expect((await ask('GET', `articles/${id}/history/${last.version}`)).text).toContain('"price":1.5,');
  });

  it('filters and sorts what is populated, as of a time and in versions', async () => {
    const tags: number[] = [];
    for (const name of ['b', 'c', 'a', 'd']) tags.push((await send('POST', 'tags', { name })).id);
    const [b = 0, c = 0, a = 0, d = 0] = tags;
    const { id } = await send('POST', 'articles', {
      title: 'Asked',
      tags,
      author: (await send('POST', 'authors', { name: 'Ann' })).id,
      facts: [{ text: 'two', about: c }, { text: 'one', about: a }, { text: 'three' }],
      lead: { text: 'lead', about: b },
      body: [{ __component: 'shared.fact', text: 'z', about: d }],
    });
    const path = `articles/${id}`;
    const [{ version }] = await versionsOf(path);
    const asked = {
      'populate[tags][filters][name][$ne]=d&populate[tags][sort]=name': [a, b, c],
      'populate[tags][sort]=name:desc&populate[tags][start]=1&populate[tags][limit]=2': [c, b],
      'populate[tags][filters][articles][author][name]=Ann&populate[tags][limit]=1': [b],
      'populate[tags][filters][name][$gt]=a&populate[tags][count]=true': 3,
      'populate[author][filters][name]=Ann&populate[author][fields]=name': 'Ann',
      'populate[author][filters][name]=Bob&populate[author][fields]=name': null,
      'populate[facts][sort]=text': ['one', 'three', 'two'],
      'populate[facts][filters][about][name][$in][0]=a&populate[facts][filters][about][name][$in][1]=c': ['two', 'one'],
      'populate[facts][filters][about][$notNull]=true&populate[facts][sort]=about.name&populate[facts][limit]=1': [
        'one',
      ],
      'populate[lead][filters][about][name]=b': 'lead',
      'populate[lead][filters][about][name]=a': null,
      'populate[body][on][shared.fact][populate][about][filters][name]=a': ['z'],
    };
    const shown = ({ tags: listed, author, facts, lead, body }: any): unknown => {
      if (listed) return listed.data.attributes?.count ?? listed.data.map((one: { id: number }) => one.id);
      if (author) return author.data?.attributes.name ?? null;
      if (body) return body.map(({ text, about }: any) => (about.data === null ? text : about));
      return facts ? facts.map(({ text }: { text: string }) => text) : (lead?.text ?? null);
    };
    const answers = async (read: string, query: string) => {
      const all: [string, unknown][] = [];
      for (const each of Object.keys(asked)) {
        const { status, text, body } = await ask('GET', `${read}?${each}${query}`);
        all.push([each, status === 200 ? shown(body.data.attributes) : text]);
      }
      return Object.fromEntries(all);
    };
    expect(await answers(path, '')).toEqual(asked);
    expect(await answers(`${path}/history/${version}`, '')).toEqual(asked);
    const time = await passedMoment();
    for (const [index, tag] of tags.entries()) await send('PUT', `tags/${tag}`, { name: `now ${index}` });
    await send('PUT', path, { tags: [d], author: null, facts: [], lead: null, body: [] });
    await send('DELETE', `tags/${a}`);
    expect(await answers(path, `&asOf=${time}`)).toEqual(asked);
    const versionNow = await ask('GET', `${path}/history/${version}?populate[tags][sort]=name:desc`);
    expect(shown(versionNow.body.data.attributes)).toEqual([d, c, b]);
    for (const one of tags.filter((tag) => tag !== a)) await send('DELETE', `tags/${one}`);
  });

  it('searches what entries contained then', async () => {
    const made: number[] = [];
    for (const data of [
      { title: 'ÄPFEL und Birnen' },
      { title: 'Kirschen', slug: 'äpfel-1' },
      { title: 'Nichts', note: 'äpfel' },
      { title: '100 %' },
    ]) {
      made.push((await send('POST', 'articles', data)).id);
    }
    const found = async (search: string, asOf = ''): Promise<number[]> => {
      const query = `_q=${encodeURIComponent(search)}&sort=id&filters[id][$gte]=${made[0]}${asOf}`;
      const { body } = await ask('GET', `articles?${query}`);
      expect(body.meta.pagination.total, search).toBe(body.data.length);
      return body.data.map((one: { id: number }) => one.id);
    };
    const searches = ['äpfel', 'BIRNEN', 'sch', '%', '', 'Pflaumen'];
    const now = await Promise.all(searches.map((search) => found(search)));
    expect(now.slice(0, 4)).toEqual([[made[0], made[1]], [made[0]], [made[1]], [made[3]]]);
    const time = await passedMoment();
    for (const id of made) await send('PUT', `articles/${id}`, { title: 'Pflaumen', slug: null });
    expect(await Promise.all(searches.map((search) => found(search, `&asOf=${time}`)))).toEqual(now);
    for (const id of made) await send('DELETE', `articles/${id}`);
  });

  it('lists, shows, compares and restores versions', async () => {
    const [one, two, three] = [
      await send('POST', 'tags', { name: 'one' }),
      await send('POST', 'tags', { name: 'two' }),
      await send('POST', 'tags', { name: 'three' }),
    ];
    const article = await send('POST', 'articles?status=draft', {
      title: 'First',
      note: 'hidden',
      price: '12.50',
      facet: { a: [1, null] },
      tags: [one.id, two.id, three.id],
      about: [{ id: one.id, __type: 'api::tag.tag' }],
      facts: [{ text: 'a', secret: 's', about: one.id }, { text: 'b' }],
      lead: { text: 'lead' },
      body: [{ __component: 'shared.fact', text: 'z' }],
    });
    const path = `articles/${article.id}`;
    await send('PUT', `${path}?status=draft`, {
      title: 'Second',
      note: 'other',
      tags: [three.id, one.id, two.id],
      facts: [{ text: 'c' }],
    });
    const [second, first] = await versionsOf(path);
    expect(first).toMatchObject({ action: 'create', by: { kind: 'token' } });
    expect(second).toMatchObject({ action: 'update' });

    const was = await ask('GET', `${path}/history/${first.version}?populate=*`);
    expect(was.body.meta.history).toMatchObject({ version: first.version, action: 'create' });
    expect(was.body.data).toMatchObject({
      id: article.id,
      attributes: {
        title: 'First',
        price: 12.5,
        facet: { a: [1, null] },
        facts: [{ text: 'a' }, { text: 'b' }],
        lead: { text: 'lead' },
      },
    });
    expect(was.text).not.toContain('hidden');
    expect(was.text).not.toContain('secret');
    expect(was.body.data.attributes.tags.data.map(({ id }: any) => id)).toEqual([one.id, two.id, three.id]);

    const differing = await ask('GET', `${path}/history/${first.version}..${second.version}`);
    expect(differing.body.data.filter(({ attribute }: any) => attribute !== 'facts')).toEqual([
      { attribute: 'title', before: 'First', after: 'Second' },
      { attribute: 'tags', changes: [{ kind: 'moved', id: three.id, from: 3, to: 1 }] },
    ]);
    expect(differing.text).not.toContain('hidden');

    await send('DELETE', `tags/${two.id}`);
    const refused = await ask('POST', `${path}/history/${first.version}/restore`);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.errors[0]).toMatchObject({
      path: ['tags'],
      message: expect.stringContaining(`the tag ${two.id} no longer exists`),
    });
    const stale = await ask('POST', `${path}/history/${first.version}/restore?missing=ignore`, undefined, {
      'If-Match': '"1"',
    });
    expect(stale.status).toBe(412);
    await send('POST', `${path}/history/${first.version}/restore?missing=ignore`);
    const restored = await ask('GET', `${path}?${EVERYTHING}`);
    expect(restored.body.data.attributes).toMatchObject({ title: 'First', price: 12.5, publishedAt: null });
    expect(restored.body.data.attributes.tags.data.map(({ id }: any) => id)).toEqual([one.id, three.id]);
    expect(restored.body.data.attributes.facts.map(({ text }: any) => text)).toEqual(['a', 'b']);
    const [last, byTag] = await versionsOf(path);
    expect(last).toMatchObject({ action: 'restore', of: first.version });
    expect(byTag).toMatchObject({ action: 'link' });
    expect((await ask('GET', `${path}/history/999999`)).status).toBe(404);
    expect((await ask('GET', `tags/${two.id}/history`)).status).toBe(404);
    const page = await ask('GET', `${path}/history?pagination[pageSize]=2`);
    expect(page.body.data).toHaveLength(2);
    const rest = await ask(
      'GET',
      `${path}/history?pagination[pageSize]=2&pagination[after]=${page.body.meta.pagination.next}`,
    );
    expect(rest.body).toMatchObject({
      data: [{ version: second.version }, { version: first.version }],
      meta: { pagination: { next: null } },
    });
  });

  it('shows what drafts refer to only to those who ask for drafts', async () => {
    const tag = await send('POST', 'tags', { name: 'tag' });
    const author = await send('POST', 'authors', { name: 'Ann' });
    const article = await send('POST', 'articles', { title: 'Main' });
    const links = { tags: [tag.id], author: author.id };
    await send('PUT', `articles/${article.id}?status=draft`, links);
    const visitor = await createToken(database, {
      kind: 'custom',
      permissions: ['tag', 'author']
        .flatMap((type) => [`${type}.find`, `${type}.findOne`, `${type}.history`])
        .concat('article.find'),
    });
    const [tagPath, authorPath] = [`tags/${tag.id}`, `authors/${author.id}`];
    const pending = { tag: (await versionsOf(tagPath))[0].version, author: (await versionsOf(authorPath))[0].version };
    const listed = async (path: string, query: string, by: string): Promise<unknown> => {
      const { body } = await server.send('GET', `/api/${path}?${query}`, { token: by });
      const { articles } = body.data?.attributes ?? {};
      return articles?.data?.map?.(({ id }: any) => id) ?? articles?.data?.attributes ?? body.error;
    };
    const versions = [`${tagPath}/history/${pending.tag}`, `${authorPath}/history/${pending.author}`];
    for (const path of versions) {
      for (const by of [visitor, token]) expect(await listed(path, 'populate=articles', by)).toEqual([]);
      expect(await listed(path, 'populate[articles][count]=true', visitor)).toEqual({ count: 0 });
      expect(await listed(path, 'populate=articles&publicationState=preview', visitor)).toMatchObject({ status: 403 });
      expect(await listed(path, 'populate=articles&publicationState=preview', token)).toEqual([article.id]);
    }
    const [, { version: before }] = await versionsOf(tagPath);
    const differences = async (by: string): Promise<unknown> => {
      const path = `/api/${tagPath}/history/${before}..${pending.tag}`;
      return (await server.send('GET', path, { token: by })).body.data?.map(({ attribute }: any) => attribute);
    };
    expect([await differences(visitor), await differences(token)]).toEqual([[], ['articles']]);
    await send('POST', `articles/${article.id}/actions/publish`);
    await send('PUT', `articles/${article.id}?status=draft`, { tags: [], author: null });
    for (const path of [tagPath, authorPath]) {
      const [{ version }] = await versionsOf(path);
      expect(await listed(`${path}/history/${version}`, 'populate=articles', visitor)).toEqual([article.id]);
      expect(await listed(`${path}/history/${version}`, 'populate=articles&publicationState=preview', token)).toEqual(
        [],
      );
    }
    for (const path of versions) expect(await listed(path, 'populate=articles', visitor)).toEqual([]);
    // Where it is not kept any more what visitors saw, it is what they saw next.
    const ofAuthor = sql`subject = ${'author'} AND state = 1 AND entry_id = ${author.id}`;
    const last = await database.get(sql`SELECT MAX(id) AS id FROM content_history WHERE ${ofAuthor}`);
    await database.run(sql`DELETE FROM content_history WHERE ${ofAuthor} AND id < ${Number(last?.['id'])}`);
    expect(await listed(versions[1] ?? '', 'populate=articles', visitor)).toEqual([article.id]);
    for (const path of [tagPath, authorPath, `articles/${article.id}`]) await send('DELETE', path);
  });
});
