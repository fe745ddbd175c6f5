/** `POST /api/_batch` on each engine: in order, in one transaction, with the permissions and the code of each route. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition as market } from '../../../test-support/projects/market/src/generated/app.ts';
import { definition as newspaper } from '../../../test-support/projects/newspaper/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import type { AnyExtensions } from '../../index.ts';
import type { ServerDefinition } from '../../server/definition.ts';

interface Served {
  readonly project: TestProject;
  readonly server: TestServer;
  readonly database: Database;
  readonly token: string;
  readonly close: () => Promise<void>;
}

async function serve(engine: DialectName, definition: ServerDefinition, extensions: object = {}): Promise<Served> {
  const project = await openProject(definition);
  const opened = engine === 'sqlite' ? undefined : await openEngine(engine, `batch_${definition.name}`);
  const server = await project.start(
    { DATABASE_URL: opened?.url ?? project.urlOf('test') },
    extensions as AnyExtensions,
  );
  const database = opened?.database ?? (await project.open());
  const close = async () => {
    await server.close();
    await (opened ? opened.drop() : database.close());
    await project.remove();
  };
  return { project, server, database, token: await createToken(database, { kind: 'full-access' }), close };
}

describe.each(await testedEngines())('on %s', (engine) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(engine, newspaper);
  });
  afterAll(() => served?.close());

  const get = async (path: string) => (await served.server.send('GET', path, { token: served.token })).body;
  const total = async (path: string): Promise<number> => (await get(path)).meta.pagination.total;
  const batch = (operations: unknown, { token = served.token, headers = {} } = {}) =>
    served.server.send('POST', '/api/_batch', { token, headers, body: { operations } });

  it('writes in order, and names what earlier operations made: in relations, components and paths', async () => {
    const { status, body } = await batch([
      { id: 'ann', method: 'POST', path: '/api/authors', body: { data: { name: '$ann', handle: `b ${engine}` } } },
      { id: 't', method: 'POST', path: '/api/tags?fields=name', body: { data: { name: 'sea' } } },
      {
        id: 'a',
        method: 'POST',
        path: '/api/articles?populate=author,tags',
        body: { data: { title: 'One', author: '$ann', tags: { connect: [{ id: '$t' }] } } },
      },
      { method: 'POST', path: '/api/articles/$a/localizations', body: { locale: 'fr', title: 'Un' } },
      { method: 'PUT', path: '/api/articles/$a', body: { data: { title: 'Two' } } },
      { method: 'PUT', path: '/api/home', body: { data: { text: 'Hello' } } },
      { method: 'DELETE', path: '/api/home' },
    ]);
    expect([status, body.results?.map((result: any) => result.status)]).toEqual([
      200,
      [201, 201, 201, 201, 200, 201, 200],
    ]);
    const [ann, tag, article, french, changed, home] = body.results;
    // A text is no reference.
    expect(ann.data.attributes.name).toBe('$ann');
    expect(article.data.attributes).toMatchObject({
      title: 'One',
      author: { data: { id: ann.data.id } },
      tags: { data: [{ id: tag.data.id }] },
    });
    expect([french.data.title, changed.data.attributes.title, home.data.attributes.text]).toEqual([
      'Un',
      'Two',
      'Hello',
    ]);
    expect((await get(`/api/articles/${article.data.id}`)).data.attributes.title).toBe('Two');
  });

  it('publishes, takes back and discards drafts by the actions of their routes', async () => {
    const made = await batch([
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Draft', publishedAt: null } } },
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Live' } } },
    ]);
    const [draft, live] = made.body.results.map(({ data }: any) => data.id);
    const act = (id: number, action: string) => ({ method: 'POST', path: `/api/articles/${id}/actions/${action}` });
    const { status, body } = await batch([
      act(draft, 'publish'),
      { method: 'PUT', path: `/api/articles/${live}?status=draft`, body: { data: { title: 'Changed' } } },
      act(live, 'discard-draft'),
      act(live, 'unpublish'),
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    const [published, , discarded, unpublished] = body.results.map(({ data }: any) => data.attributes);
    expect(published.publishedAt).toEqual(expect.any(String));
    expect([discarded.title, unpublished.publishedAt]).toEqual(['Live', null]);
    const refused = await batch([act(live, 'publish'), act(live, 'unpublish'), act(live, 'discard-draft')]);
    expect([refused.status, refused.body.error.details.operation]).toEqual([400, 2]);
    expect((await served.server.send('GET', `/api/articles/${live}`, { token: served.token })).status).toBe(404);
  });

  it('answers creates that follow each other as if each were a request', async () => {
    const [ann] = (
      await batch([{ method: 'POST', path: '/api/authors', body: { data: { name: 'Cy', handle: `c ${engine}` } } }])
    ).body.results;
    const author = ann.data.id;
    const path = '/api/articles?populate=author,tags&publicationState=preview';
    const all = ['One', 'Two', 'Three'].map((title, index) => ({
      title,
      author,
      ...(index === 1 && { publishedAt: null }),
      ...(index === 2 && { locale: 'fr' }),
    }));
    for (const headers of [{}, { 'Strapi-Response-Format': 'v5' }]) {
      const { body } = await batch(
        all.map((data) => ({ method: 'POST', path, body: { data } })),
        { headers },
      );
      const single = [];
      for (const data of all) {
        single.push((await served.server.send('POST', path, { token: served.token, headers, body: { data } })).body);
      }
      const withoutKeys = (value: unknown) =>
        JSON.parse(
          JSON.stringify(value, (name, member) =>
            /^(?:id|documentId|\w+At)$/u.test(name) && member !== null ? 'given' : member,
          ),
        );
      expect(withoutKeys(body.results)).toEqual(single.map((one) => ({ status: 201, ...withoutKeys(one) })));
    }
    const { body } = await served.server.send(
      'GET',
      `/api/authors/${author}?populate=articles&publicationState=preview`,
      { token: served.token },
    );
    expect(body.data.attributes.articles.data.map(({ attributes }: any) => attributes.title)).toEqual(
      Array.from({ length: 4 }, () => ['One', 'Two', 'Three']).flat(),
    );
  });

  it('does nothing if an operation fails, and says which', async () => {
    const before = [await total('/api/tags'), await total('/api/authors')];
    const good = { method: 'POST', path: '/api/tags', body: { data: { name: 'x' } } };
    const author = { method: 'POST', path: '/api/authors', body: { data: { name: 'Bo', handle: 'taken' } } };
    const failures: readonly [object, number][] = [
      [{ method: 'POST', path: '/api/authors', body: { data: {} } }, 400],
      [{ method: 'POST', path: '/api/authors', body: {} }, 400],
      [{ method: 'PUT', path: '/api/tags/987654', body: { data: { name: 'y' } } }, 404],
      [{ method: 'DELETE', path: '/api/tags/987654' }, 404],
      [{ method: 'POST', path: '/api/articles', body: { data: { title: 'x', tags: ['$nobody'] } } }, 400],
      [{ method: 'POST', path: '/api/users', body: {} }, 400],
      [{ method: 'POST', path: '/api/tags?filters[x]=1', body: { data: { name: 'y' } } }, 400],
    ];
    for (const [failing, expected] of failures) {
      for (const at of [0, 1, 2]) {
        const operations: object[] = [good, good];
        operations.splice(at, 0, failing);
        const { status, body } = await batch(operations);
        expect([status, body.error.details.operation], JSON.stringify(failing)).toEqual([expected, at]);
      }
    }
    for (const [operations, operation] of [
      [[good, author, good, author], 3],
      [[author, author], 1],
    ] as const) {
      const twice = await batch(operations);
      expect([twice.status, twice.body.error.details]).toMatchObject([
        400,
        { operation, errors: [{ path: ['handle'] }] },
      ]);
    }
    expect([await total('/api/tags'), await total('/api/authors')]).toEqual(before);
  });

  it('checks preconditions, permissions, and the batch itself', async () => {
    const made = await served.server.send('POST', '/api/tags', { token: served.token, body: { data: { name: 'v' } } });
    const change = (ifMatch: string | null) => ({
      method: 'PUT',
      path: `/api/tags/${made.body.data.id}`,
      body: { data: { name: 'w' } },
      ifMatch,
    });
    const tag = made.headers.get('etag');
    expect((await batch([change(tag)])).status).toBe(200);
    const stale = await batch([change(tag)]);
    expect([stale.status, stale.body.error.details.operation]).toEqual([412, 0]);
    const may = await createToken(served.database, { kind: 'custom', permissions: ['tag.create'] });
    const create = { method: 'POST', path: '/api/tags', body: { data: { name: 'mine' } } };
    expect((await batch([create], { token: may })).status).toBe(200);
    const refused = await batch([create, { method: 'DELETE', path: `/api/tags/${made.body.data.id}` }], { token: may });
    expect([refused.status, refused.body.error.details]).toEqual([403, { operation: 1 }]);
    const malformed = [
      [],
      'x',
      Array.from({ length: 101 }, () => create),
      [{ ...create, more: 1 }],
      [{ method: 'GET', path: '/api/tags' }],
    ];
    for (const operations of malformed) expect((await batch(operations)).status).toBe(400);
    const repeated = await batch([
      { id: 'a', ...create },
      { id: 'a', ...create },
    ]);
    expect(repeated.body.error.details.errors).toMatchObject([{ path: ['operations', '1', 'id'] }]);
  });

  it('is written once for a key, and all of it', async () => {
    const before = await total('/api/pages');
    const create = { method: 'POST', path: '/api/pages', body: { data: { title: 'p' } } };
    const headers = { 'Idempotency-Key': `batch on ${engine}` };
    const [one, two] = [await batch([create, create], { headers }), await batch([create, create], { headers })];
    expect([one.status, two.status, two.text, two.headers.get('idempotency-replayed')]).toEqual([
      200,
      200,
      one.text,
      'true',
    ]);
    expect(await total('/api/pages')).toBe(before + 2);
    const failing = [create, { method: 'DELETE', path: '/api/pages/987654' }];
    const refused = { 'Idempotency-Key': `refused on ${engine}` };
    expect((await batch(failing, { headers: refused })).status).toBe(404);
    expect((await batch(failing, { headers: refused })).headers.get('idempotency-replayed')).toBe('true');
    expect(await total('/api/pages')).toBe(before + 2);
  });

  it('is whole while many are written at once', async () => {
    const before = await total('/api/tags');
    const many = Array.from({ length: 12 }, (_, index) =>
      batch([
        { id: 't', method: 'POST', path: '/api/tags', body: { data: { name: `t ${index}` } } },
        { method: 'PUT', path: '/api/home', body: { data: { text: `home ${index}` } } },
        index % 3 === 0
          ? { method: 'DELETE', path: '/api/pages/987654' }
          : { method: 'POST', path: '/api/pages', body: { data: { title: 'x', tags: ['$t'] } } },
      ]),
    );
    const answers = await Promise.all(many);
    const statuses = answers.map(({ status }, index) => [index % 3 === 0, status]);
    for (const [fails, status] of statuses) expect(fails ? [404, 409] : [200, 409, 503]).toContain(status);
    const done = answers.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    expect(await total('/api/tags')).toBe(before + done);
  });
});

describe.each(await testedEngines())("the project's own code on %s", (engine) => {
  let served: Served;
  const calls: string[] = [];
  const extensions = {
    hooks: {
      tag: {
        beforeCreate({ data }: any) {
          return { ...data, name: `${data.name}!` };
        },
        async afterCreate({ entry, context }: any) {
          await context.entries.part.create({ name: `part of ${entry.attributes.name}` });
        },
        committed({ entry }: any) {
          calls.push(entry.attributes.name);
        },
      },
    },
    actions: {
      product: {
        policies: [({ caller }: any) => caller.kind === 'token'],
        async create(next: any, request: any) {
          // Reads and writes what the batch has written before.
          const { data } = await request.context.entries.tag.find();
          await request.context.entries.part.create({ name: 'by an action' });
          return next({ ...request, data: { ...request.data, price: data.length } });
        },
      },
      story: { use: [(_: unknown, next: () => unknown) => next()] },
    },
  };
  beforeAll(async () => {
    served = await serve(engine, market, extensions);
  });
  afterAll(() => served?.close());

  const batch = (operations: unknown) =>
    served.server.send('POST', '/api/_batch', { token: served.token, body: { operations } });
  const total = async (path: string): Promise<number> =>
    (await served.server.send('GET', path, { token: served.token })).body.meta.pagination.total;
  const tag = (name: string) => ({ method: 'POST', path: '/api/tags', body: { data: { name } } });

  it('runs in the transaction, and after it only what belongs there', async () => {
    const product = {
      method: 'POST',
      path: '/api/products?populate=tags',
      body: { data: { title: 'Lamp', tags: ['$t'] } },
    };
    const { status, body } = await batch([{ id: 't', ...tag('sea') }, tag('sun'), product]);
    expect([status, body.results?.[2].data]).toMatchObject([
      200,
      { price: 2, tags: [{ documentId: body.results[0].data.documentId }] },
    ]);
    expect(calls).toEqual(['sea!', 'sun!']);
    expect(await total('/api/parts')).toBe(3);
    const failed = await batch([{ id: 't', ...tag('air') }, product, { method: 'DELETE', path: '/api/stories/x' }]);
    expect([failed.status, failed.body.error.details.operation]).toEqual([403, 2]);
    expect([calls.length, await total('/api/parts'), await total('/api/tags')]).toEqual([2, 3, 2]);
  });
});
