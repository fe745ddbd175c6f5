/** A team's code around generated routes, in both formats of responses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/market/src/generated/app.ts';
import { definition as newspaper } from '../../../test-support/projects/newspaper/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { HttpError } from '../../contract/errors.ts';

let project: TestProject;
let server: TestServer;
let token: string;
let own: any;
const calls: string[] = [];

const actions = {
  product: {
    use: [
      async (ctx: any, next: () => Promise<void>) => {
        calls.push(`${ctx.method} ${ctx.path}`);
        await next();
        ctx.set('X-Used', 'yes');
      },
    ],
    async find(next: any, request: any) {
      const { query } = request;
      const answer = await next({
        ...request,
        query: { ...query, filters: { $and: [query.filters ?? {}, { price: { $gt: 1 } }] } },
      });
      return { ...answer, meta: { ...answer.meta, currency: 'EUR' } };
    },
    async findOne(next: any, request: any) {
      if (request.key === 'nothing') return { hello: 'there' };
      const { data, meta } = await next(request);
      return {
        data: { ...data, attributes: { ...data.attributes, title: data.attributes.title.toUpperCase() } },
        meta,
      };
    },
    create: (next: any, { data, ...request }: any) => next({ ...request, data: { price: 5, ...data } }),
    update: {
      policies: [({ caller, ctx }: any) => caller.kind === 'token' && ctx.get('X-Why') !== ''],
      run: (next: any, request: any) => next(request),
    },
    delete() {
      throw new HttpError(409, 'ConflictError', 'Products are never deleted');
    },
  },
  front: { update: async (next: any, request: any) => ({ ...(await next(request)), seen: request.caller.kind }) },
};

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start({}, { actions, onStart: (services: unknown) => (own = services) } as any);
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const send = (method: string, path: string, data?: object, headers = {}) =>
  server.send(method, path, { token, headers, ...(data && { body: { data } }) });
const NESTED = { 'Strapi-Response-Format': 'v4' };

test('a query is changed before, an answer after, in the format of the response', async () => {
  const { status, body } = await send('POST', '/api/products', { title: 'Lamp' });
  expect([status, body.data.price, body.data.title]).toEqual([201, 5, 'Lamp']);
  await own.entries.product.create({ title: 'Free', price: 0 });
  const list = await send('GET', '/api/products?filters[title][$ne]=x&sort=title');
  expect(list.body).toMatchObject({ data: [{ title: 'Lamp' }], meta: { currency: 'EUR', pagination: { total: 1 } } });
  const nested = await send('GET', '/api/products', undefined, NESTED);
  expect(nested.body.data).toMatchObject([{ documentId: body.data.documentId, attributes: { title: 'Lamp' } }]);
  const one = await send('GET', `/api/products/${body.data.documentId}`);
  expect(one.body).toMatchObject({ data: { title: 'LAMP' }, meta: {} });
  const tag = one.headers.get('etag') ?? '';
  const known = { 'If-None-Match': tag };
  expect((await send('GET', `/api/products/${body.data.documentId}`, undefined, known)).status).toBe(304);
  expect((await own.entries.product.find()).data).toHaveLength(2);
});

test('an action answers something else, refuses, and is guarded', async () => {
  const { data } = (await own.entries.product.find()) as { data: { documentId: string }[] };
  const path = `/api/products/${data[0]?.documentId}`;
  expect((await send('GET', '/api/products/nothing')).body).toEqual({ hello: 'there' });
  expect((await send('DELETE', path)).body.error).toMatchObject({ status: 409, message: 'Products are never deleted' });
  expect((await send('PUT', path, { price: 7 })).status).toBe(403);
  const why = { 'X-Why': 'a sale' };
  const changed = await send('PUT', path, { price: 7 }, why);
  expect([changed.status, changed.body.data.price, changed.headers.get('x-used')]).toEqual([200, 7, 'yes']);
  expect((await send('PUT', path, { price: 'no' }, why)).status).toBe(400);
  const anonymous = await server.send('PUT', path, { body: { data: { price: 1 } }, headers: why });
  expect(anonymous.status).toBe(403);
  calls.length = 0;
  await send('PUT', '/api/front', { text: 'hello' });
  expect(calls).toEqual([]);
  const front = await send('PUT', '/api/front', { text: 'hello again' });
  expect(front.body).toMatchObject({ data: { text: 'hello again' }, seen: 'token' });
});

test('adding a locale in the v4 format runs the action of create, and answers flat', async () => {
  const create = async (next: any, request: any) => {
    const { data, localeOf } = request;
    const answer = await next({ ...request, data: { ...data, title: `${data.title}!` } });
    return { ...answer, data: { ...answer.data, attributes: { ...answer.data.attributes, localeOf } } };
  };
  const papers = await openProject(newspaper);
  const running = await papers.start({}, { actions: { article: { create } } } as any);
  const database = await papers.open();
  const by = { token: await createToken(database, { kind: 'full-access' }) };
  await database.close();
  const { data } = (await running.send('POST', '/api/articles', { ...by, body: { data: { title: 'Day' } } })).body;
  const path = `/api/articles/${data.id}/localizations`;
  const added = await running.send('POST', path, { ...by, body: { locale: 'fr', title: 'Tag' } });
  await running.close();
  await papers.remove();
  expect(data.attributes.title).toBe('Day!');
  expect(added).toMatchObject({ status: 201, body: { title: 'Tag!', locale: 'fr', localeOf: data.id } });
  expect(added.body.localizations).toMatchObject([{ id: data.id, title: 'Day!' }]);
});

test('actions of a type that does not exist stop the start', async () => {
  const started = project.start({}, { actions: { prodcut: {} } } as any, 'misspelled');
  await expect(started).rejects.toThrow('actions of "prodcut"');
});
