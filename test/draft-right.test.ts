/** The action `draft`: who has it writes drafts, by every door, and never what is published. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: draft-right
databases: [sqlite, postgres, mysql]
api: { format: v4 }
graphql: true
locales: [en, de]
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, required: true }
      state: { type: string }
      author: { type: relation, relation: manyToOne, target: user }
  home: { kind: singleType, draftAndPublish: true, localized: true, attributes: { title: { type: string } } }
permissions:
  public: { article: [find, findOne], home: [find] }
  authenticated:
    extends: public
    article: [preview, { draft: { where: { author: $user }, set: { author: $user }, except: [state] } }]
    home: [preview, draft]
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  let ann: { id: number; jwt: string };
  let bob: { id: number; jwt: string };
  beforeAll(async () => {
    site = await startOn(engine, project, 'draft_right');
    ann = await site.server.register('ann');
    bob = await site.server.register('bob');
  });
  afterAll(() => site?.close());

  const V5 = { 'strapi-response-format': 'v5' };
  const send = (method: string, path: string, data?: object, token = ann.jwt, headers: object = V5) =>
    site.server.send(method, `/api${path}`, { token, headers: { ...headers }, ...(data && { body: { data } }) });

  it('creates and changes own drafts, and leaves publishing to others', async () => {
    expect((await send('POST', '/articles', { title: 'a' })).status).toBe(403);
    const created = await send('POST', '/articles?status=draft', { title: 'a' });
    expect([created.status, created.body.data?.publishedAt]).toEqual([201, null]);
    const path = `/articles/${created.body.data.documentId}`;
    const stored = await send('GET', `${path}?status=draft&populate=author`, undefined, site.admin);
    expect(stored.body.data.author.id).toBe(ann.id);
    const refused = [
      await send('PUT', path, { title: 'b' }),
      await send('POST', `${path}/actions/publish`),
      await send('DELETE', path),
      await send('PUT', `${path}?status=draft`, { title: 'b' }, bob.jwt),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await send('PUT', `${path}?status=draft`, { state: 'x' })).status).toBe(400);
    expect((await send('PUT', `${path}?status=draft`, { title: 'b' })).status).toBe(200);
    expect((await send('POST', `${path}/actions/publish`, undefined, site.admin)).status).toBe(200);
    expect((await send('PUT', `${path}?status=draft`, { title: 'c' })).status).toBe(200);
    expect((await send('GET', path)).body.data.title).toBe('b');
    expect((await send('POST', `${path}/actions/unpublish`)).status).toBe(403);
    expect((await send('POST', `${path}/actions/discard-draft`)).status).toBe(200);
    expect((await send('GET', `${path}?status=draft`)).body.data.title).toBe('b');
  });

  it('may not publish, take back or publish by the words of the other format', async () => {
    const v4 = { 'strapi-response-format': 'v4' };
    const created = await send('POST', '/articles', { title: 'd', publishedAt: null }, ann.jwt, v4);
    expect(created.status).toBe(201);
    const path = `/articles/${created.body.data.id}`;
    const now = new Date().toISOString();
    expect((await send('PUT', path, { title: 'e' }, ann.jwt, v4)).status).toBe(200);
    expect((await send('PUT', path, { publishedAt: now }, ann.jwt, v4)).status).toBe(403);
    expect((await send('PUT', path, { publishedAt: now }, site.admin, v4)).status).toBe(200);
    expect((await send('PUT', path, { title: 'f' }, ann.jwt, v4)).status).toBe(403);
    expect((await send('PUT', path, { publishedAt: null }, ann.jwt, v4)).status).toBe(403);
    expect((await send('PUT', `${path}?status=draft`, { title: 'f' }, ann.jwt, v4)).status).toBe(200);
    const seen = await send('GET', path, undefined, ann.jwt, v4);
    expect(seen.body.data.attributes.title).toBe('e');
  });

  it('holds for single types, their locales, and batches', async () => {
    expect((await send('PUT', '/home', { title: 'a' })).status).toBe(403);
    expect((await send('PUT', '/home?status=draft', { title: 'a' })).status).toBe(200);
    expect((await send('PUT', '/home?status=draft&locale=de', { title: 'b' })).status).toBe(200);
    expect((await send('PUT', '/home?locale=de', { title: 'c' })).status).toBe(403);
    expect((await send('GET', '/home')).status).toBe(404);
    const operations = (query: string) => [
      { method: 'POST', path: `/api/articles${query}`, body: { data: { title: 'x' } } },
    ];
    const batch = async (query: string) =>
      (
        await site.server.send('POST', '/api/_batch', {
          token: ann.jwt,
          headers: V5,
          body: { operations: operations(query) },
        })
      ).status;
    expect([await batch(''), await batch('?status=draft')]).toEqual([403, 200]);
  });

  it('is no right to publish by GraphQL', async () => {
    const query = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }';
    const create = async (data: object) => {
      const { body } = await site.server.send('POST', '/graphql', {
        token: ann.jwt,
        body: { query, variables: { data } },
      });
      return body.errors?.[0]?.extensions?.error?.name ?? body.data?.createArticle?.data?.id;
    };
    expect(await create({ title: 'x', publishedAt: new Date().toISOString() })).toBe('ForbiddenError');
    expect(Number(await create({ title: 'x', publishedAt: null }))).toBeGreaterThan(0);
  });
});
