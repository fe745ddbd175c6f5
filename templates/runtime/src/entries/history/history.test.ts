/** Histories on each engine: versions are listed, shown, compared and restored. Random writes are in test/replay.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../../test-support/projects/archive/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';

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
    const time = new Date(Date.now() + 1).toISOString();
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
});
