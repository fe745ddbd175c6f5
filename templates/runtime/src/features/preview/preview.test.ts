/** `?marks=true`: what is marked, and for whom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let everything: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  database = await project.open();
  everything = await createToken(database, { kind: 'full-access' });
  const create = async (path: string, data: object) => {
    const { status, body, text } = await server.send('POST', `/api/${path}`, { token: everything, body: { data } });
    expect(status, text).toBe(201);
    return body.data.id;
  };
  const author = await create('authors', { name: 'Ada' });
  await create('articles', {
    title: 'First',
    slug: 'first',
    publishedAt: null,
    author,
    seo: { title: 'Found' },
    blocks: [{ __component: 'shared.quote', text: 'Said' }],
    about: [{ id: author, type: 'author' }],
  });
  await server.send('PUT', '/api/work-place', { token: everything, body: { data: { text: 'Here' } } });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

const read = (path: string, token?: string) => server.send('GET', `/api/${path}`, { ...(token && { token }) });
const drafts = 'publicationState=preview&marks=true';

/** The answer without marks, and all marks in it by their places. */
function apart(value: unknown, place = ''): { readonly plain: unknown; readonly marks: Record<string, string> } {
  if (typeof value !== 'object' || value === null) return { plain: value, marks: {} };
  const marks: Record<string, string> = {};
  const plain = Array.isArray(value) ? [] : {};
  for (const [name, one] of Object.entries(value)) {
    if (name === '__source') {
      marks[place] = one;
      continue;
    }
    const inner = apart(one, `${place}/${name}`);
    Object.assign(marks, inner.marks);
    (plain as Record<string, unknown>)[name] = inner.plain;
  }
  return { plain, marks };
}

test('drafts, what is populated in them, and components have a source, and nothing else differs', async () => {
  const query = 'populate=author,seo,blocks,about,cover,owner,localizations';
  const plain = await read(`articles?${query}&publicationState=preview`, everything);
  const { body } = await read(`articles?${query}&${drafts}`, everything);
  const { plain: rest, marks } = apart(body);
  expect(rest).toEqual(plain.body);
  const at = '/data/0/attributes';
  expect(marks).toEqual({
    [at]: 'article/1',
    [`${at}/author/data/attributes`]: 'author/1',
    [`${at}/about/data/0/attributes`]: 'author/1',
    [`${at}/seo`]: 'article/1/seo:1',
    [`${at}/blocks/0`]: 'article/1/blocks:2',
  });
  expect(apart((await read(`articles/1?${drafts}`, everything)).body).marks).toEqual({
    '/data/attributes': 'article/1',
  });
  // A type without drafts, for who sees those of others.
  expect(apart((await read(`work-place?${drafts}`, everything)).body).marks).toEqual({
    '/data/attributes': 'work-place/1',
  });
});

describe('without marks', () => {
  test('what is published, to everybody: it says what to add', async () => {
    const { status, body, headers } = await read('articles?marks=true', everything);
    expect([status, body.error.message, headers.get('etag')]).toEqual([
      400,
      'Invalid parameter marks: only drafts are marked, so it needs publicationState=preview',
      null,
    ]);
  });

  test('visitors, and who lacks `preview`', async () => {
    const reader = await createToken(database, {
      kind: 'custom',
      permissions: ['article.find', 'article.findOne', 'work-place.find'],
    });
    for (const token of [undefined, reader]) {
      for (const path of ['articles', 'work-place']) {
        const { text } = await read(`${path}?${drafts}`, token);
        expect(text, path).not.toContain('__source');
        expect((await read(`${path}?${drafts}`, token)).status, path).toBe(403);
      }
    }
    expect((await read(`articles?marks=true`)).status).toBe(400);
  });
});
