/** A team's endpoints: permissions checked before the body is read, validation, documentation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../test-support/projects/accounts/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import { ForbiddenError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Logger } from '../http/log.ts';
import type { EndpointTools } from './endpoints.ts';
import { schemaRef } from '../contract/routes/json-schema.ts';
import { describeServer, type Description } from './describe.ts';
import type { AnyEntries } from '../entries/typed/any-entries.ts';
import type { DeclaresEndpoints } from './mount-endpoints.ts';
import { permissionMatrix } from './permission-matrix.ts';
import type { AnyExtensions } from './definition.ts';

/** What the handler received last. */
let seen: { body: unknown; params: unknown; caller: Caller; log: Logger } | undefined;

const endpoints = ({ route, z }: EndpointTools<any>) => [
  route({
    method: 'POST',
    path: '/api/articles/{id}/rename',
    permission: 'article.update',
    summary: 'Rename an article',
    body: z.object({ title: z.string().min(3), tags: z.array(z.object({ name: z.string() })).default([]) }),
    answer: z.object({ id: z.number(), title: z.string() }),
    async handler({ body, params, caller, context: { entries, log } }) {
      seen = { body, params, caller, log };
      if (body.title === 'forbidden') throw new ForbiddenError('Not this title');
      const { data } = await entries.as(caller).article.update(Number(params.id), { title: body.title });
      return { id: data.id, title: data.attributes.title, secret: 'no part of the answer' };
    },
  }),
  route({
    method: 'GET',
    path: '/reports',
    permission: null,
    query: z.object({ year: z.coerce.number().int() }),
    answer: z.object({ year: z.number() }),
    handler: ({ query }) => (query.year === 1 ? ({} as { year: number }) : query),
  }),
  route({ method: 'DELETE', path: '/api/reports', permission: 'article.delete', handler: () => {} }),
  route({
    method: 'POST',
    path: '/lists',
    permission: null,
    body: z.object({
      list: z.array(z.number()).optional(),
      byName: z.record(z.string(), z.array(z.number())).optional(),
    }),
    handler: () => {},
  }),
];
const extensions = (declared: (tools: EndpointTools<any>) => readonly object[]): AnyExtensions =>
  ({ endpoints: declared }) as AnyExtensions;

function articlesOf(entries: AnyEntries) {
  const found = entries['article'];
  if (!found || !('create' in found)) throw new Error('articles have no entries');
  return found;
}

let project: TestProject;
let server: TestServer;
let token: string;

beforeAll(async () => {
  project = await openProject({ ...definition, roles: { ...definition.roles, public: ['article.find'] } });
  server = await project.start({}, extensions(endpoints));
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
  await server.send('POST', '/api/articles', { token, body: { data: { title: 'first' } } });
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

describe('an endpoint', () => {
  it('checks permissions before it reads the body', async () => {
    const path = '/api/articles/1/rename';
    expect((await server.send('POST', path, { body: { title: 1 } })).status).toBe(403);
    expect((await server.send('POST', path, { body: { title: 1 }, token: 'nobody' })).status).toBe(401);
    expect((await server.send('GET', '/reports?year=2001', { token: 'nobody' })).status).toBe(401);
    expect(seen).toBeUndefined();
  });

  it('passes valid values to the handler, and responds as its schema says', async () => {
    const { status, body } = await server.send('POST', '/api/articles/1/rename', { token, body: { title: 'second' } });
    expect([status, body]).toEqual([200, { id: 1, title: 'second' }]);
    expect(seen).toMatchObject({ body: { title: 'second', tags: [] }, params: { id: '1' }, caller: { kind: 'token' } });
    expect(seen?.log.bindings()).toEqual({ requestId: expect.any(String) });
  });

  it('refuses invalid values with the path of each', async () => {
    const { status, body } = await server.send('POST', '/api/articles/1/rename', {
      token,
      body: { title: 'a', tags: [{ name: 1 }] },
    });
    expect([status, body.error.name]).toEqual([400, 'ValidationError']);
    expect(body.error.details.errors.map(({ path }: { path: string[] }) => path)).toEqual([
      ['title'],
      ['tags', '0', 'name'],
    ]);
    expect((await server.send('GET', '/reports?year=x')).body.error.details.errors[0].path).toEqual(['year']);
  });

  it('answers the longest requests in little time and space, whatever is wrong with them', async () => {
    // The number of invalid values that fit into a body, and the longest of keys.
    for (const body of [
      { list: Array(300_000).fill('') },
      { byName: { ['k'.repeat(900_000)]: Array(100).fill('') } },
    ]) {
      const { status, text } = await server.send('POST', '/lists', { body });
      expect([status, text.length < 100_000]).toEqual([400, true]);
    }
    const { status, body } = await server.send('GET', `/reports?year=2001&year=2002&${'y=1&'.repeat(35_000)}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('received NaN')]);
    expect((await server.send('GET', '/reports?year=1&year=2&__proto__=3')).status).toBe(400);
  }, 20_000);

  it('tells the client why, if its error says so', async () => {
    const { status, body } = await server.send('POST', '/api/articles/1/rename', {
      token,
      body: { title: 'forbidden' },
    });
    expect([status, body.error.message]).toEqual([403, 'Not this title']);
  });

  it('can be outside /api/, can have no response body, and knows its methods', async () => {
    expect((await server.send('GET', '/reports?year=2001')).body).toEqual({ year: 2001 });
    expect((await server.send('DELETE', '/api/reports', { token })).status).toBe(204);
    const refused = await server.send('PUT', '/api/reports', { token });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'DELETE']);
  });

  it('responds with 500 rather than with something that its schema does not allow', async () => {
    expect((await server.send('GET', '/reports?year=1')).status).toBe(500);
  });

  it('is in the description of the server', () => {
    const generated: Description = { paths: { '/api/articles': { get: {} } } };
    const { paths, components } = describeServer(generated, extensions(endpoints), new Set(['article.delete']));
    expect(Object.keys(paths)).toEqual([
      '/api/articles',
      '/api/articles/{id}/rename',
      '/reports',
      '/api/reports',
      '/lists',
    ]);
    expect(paths).toMatchObject({
      '/api/articles/{id}/rename': {
        post: {
          summary: 'Rename an article',
          security: [{ bearer: [] }],
          operationId: 'postArticlesByIdRename',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: schemaRef('PostArticlesByIdRenameRequest') } } },
          responses: {
            200: { content: { 'application/json': { schema: schemaRef('PostArticlesByIdRenameResponse') } } },
            404: {},
          },
        },
      },
      '/reports': { get: { parameters: [{ name: 'year', in: 'query', required: true, schema: { type: 'integer' } }] } },
      '/api/reports': { delete: { security: [{}, { bearer: [] }], responses: { 204: {} } } },
    });
    expect(components?.schemas).toMatchObject({
      PostArticlesByIdRenameRequest: { required: ['title'] },
      PostArticlesByIdRenameResponse: { required: ['id', 'title'] },
    });
  });

  it.each([
    ['GET', '/api/articles/{slug}', 'article.find', 'has the method and path of article.findOne'],
    ['POST', '/api/auth/local', null, 'has the method and path of signIn'],
    ['GET', '/api/articles/count', 'article.count', 'requires the permission article.count'],
  ] as const)('%s %s, for %s, is refused at start', async (method, path, permission, reason) => {
    const declared = ({ route }: EndpointTools<any>) => [route({ method, path, permission, handler: () => {} })];
    await expect(project.start({}, extensions(declared), 'refused')).rejects.toThrow(reason);
  });
});

it('onStart runs before requests, and ends the start if it throws; onStop after them', async () => {
  const calls: string[] = [];
  const lifecycle: AnyExtensions = {
    async onStart({ entries }) {
      await articlesOf(entries).create({ title: 'by onStart' });
      calls.push('start');
    },
    async onStop({ entries }) {
      const listed = await articlesOf(entries).find();
      calls.push(`stop with ${JSON.stringify(listed)}`);
    },
  };
  const started = await project.start({}, lifecycle, 'lifecycle');
  expect((await started.send('GET', '/api/articles')).body.data).toHaveLength(1);
  await started.close();
  expect(calls).toEqual(['start', expect.stringContaining('by onStart')]);
  const failing: AnyExtensions = { onStart: () => Promise.reject(new Error('not today')) };
  await expect(project.start({}, failing, 'lifecycle')).rejects.toThrow('not today');
});

it('has rows in the permission matrix, with the roles that may use it', async () => {
  const roles = { public: ['article.find', 'article.delete'], authenticated: ['article.update'] };
  const rows = permissionMatrix({ ...definition, roles }, extensions(endpoints) as DeclaresEndpoints);
  const rowOf = (path: string, method: string) => rows.find((row) => row.path === path && row.method === method);
  expect(rowOf('/api/articles', 'GET')?.roles).toEqual(['public']);
  expect(rowOf('/api/articles/{id}/rename', 'POST')?.roles).toEqual(['authenticated']);
  expect(rowOf('/reports', 'GET')?.roles).toEqual(['public', 'authenticated']);
  expect(rowOf('/api/reports', 'DELETE')).toMatchObject({ permission: 'article.delete', roles: ['public'] });
});
