/** What a rule leaves out does not exist for the caller, however it is asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition as magazine } from '../../test-support/projects/magazine/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import type { Database } from '../database/database.ts';
import type { ServerDefinition } from './definition.ts';

/** Without the rules of files. */
function withoutFiles({ rules = {}, ...definition }: ServerDefinition): ServerDefinition {
  const kept = Object.entries(rules).map(([role, own]) => {
    const others = Object.entries(own).filter(([permission]) => !permission.startsWith('upload.'));
    return [role, Object.fromEntries(others)] as const;
  });
  return { ...definition, rules: Object.fromEntries(kept) };
}

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
let ann: { readonly jwt: string; readonly id: number };
let bob: { readonly jwt: string; readonly id: number };
const ids: Record<string, number> = {};

async function make(path: string, data: object): Promise<number> {
  const { status, body } = await server.send('POST', `/api/${path}`, { token: admin, body: { data } });
  if (status !== 201 && status !== 200) throw new Error(JSON.stringify(body));
  return body.data.id;
}

async function titles(token: string | undefined, query = ''): Promise<readonly string[]> {
  const { status, body } = await server.send('GET', `/api/articles?sort=title&${query}`, { token });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.meta.pagination.total).toBe(body.data.length);
  return body.data.map(({ attributes }: any) => attributes.title);
}

beforeAll(async () => {
  project = await openProject(withoutFiles(magazine));
  server = await project.start();
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  ann = await server.register('ann');
  bob = await server.register('bob');
  const published = { publishedAt: new Date().toISOString() };
  ids['team'] = await make('teams', { name: 'Red', desk: 'north', members: [ann.id] });
  ids['news'] = await make('categories', { name: 'News', moderators: [ann.id] });
  const article = (title: string, data: object) => make('articles', { title, ...published, ...data });
  ids['open'] = await article('open', { body: 'apple', category: ids['news'], note: { text: 'secret' } });
  ids['later'] = await article('later', { embargo: '2999-01-01T00:00:00.000Z' });
  ids['earlier'] = await article('earlier', { embargo: '2001-01-01T00:00:00.000Z' });
  ids['team article'] = await article('of the team', { visibility: 'team', team: ids['team'], body: 'apple' });
  ids['bobs'] = await article('of bob', { visibility: 'team', author: bob.id });
  ids['draft'] = await make('articles', { title: 'draft of bob', author: bob.id, publishedAt: null });
  ids['other draft'] = await make('articles', { title: 'draft of nobody', publishedAt: null });
  for (const title of ['open', 'team article', 'bobs']) {
    await make('comments', { text: `on ${title}`, article: ids[title] });
  }
  await make('comments', { text: 'hidden', hidden: true, article: ids['open'] });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

test('a list has what an action of the caller may change, if it is asked for', async () => {
  expect(await titles(bob.jwt, 'permitted=update')).toEqual(['of bob']);
  expect(await titles(admin, 'permitted=delete')).toEqual(await titles(admin));
  const status = async (query: string, token?: string): Promise<number> =>
    (await server.send('GET', `/api/articles?${query}`, { token })).status;
  expect(await status('permitted=update')).toBe(403);
  expect(await status('permitted=find', bob.jwt)).toBe(400);
  // The pages of another list can't follow.
  const { body } = await server.send('GET', '/api/articles?pagination[after]=&pagination[pageSize]=1', {
    token: admin,
  });
  const next = `pagination[after]=${body.meta.pagination.next}`;
  expect(await status(next, admin)).toBe(200);
  expect(await status(`${next}&permitted=update`, admin)).toBe(400);
});

describe('lists', () => {
  test('have what the rule of the role leaves', async () => {
    expect(await titles(undefined)).toEqual(['earlier', 'open']);
    expect(await titles(ann.jwt)).toEqual(['earlier', 'later', 'of the team', 'open']);
    expect(await titles(bob.jwt)).toEqual(['earlier', 'later', 'of bob', 'open']);
    expect(await titles(admin)).toEqual(['earlier', 'later', 'of bob', 'of the team', 'open']);
  });

  test('show drafts as the rule of previews says', async () => {
    const preview = 'publicationState=preview';
    expect(await titles(bob.jwt, preview)).toEqual(['draft of bob', 'of bob']);
    expect(await titles(ann.jwt, preview)).toEqual([]);
    const nested = '/api/categories?populate[articles][populate]=*&publicationState=preview';
    expect((await server.send('GET', nested, { token: ann.jwt })).status).toBe(200);
  });

  test('are searched, filtered and sorted within it', async () => {
    expect(await titles(undefined, '_q=apple')).toEqual(['open']);
    expect(await titles(ann.jwt, '_q=apple')).toEqual(['of the team', 'open']);
    expect(await titles(bob.jwt, 'filters[comments][text][$contains]=on')).toEqual(['of bob', 'open']);
    const byComments = 'filters[title][$ne]=later&filters[comments][text]=hidden';
    expect(await titles(undefined, byComments)).toEqual([]);
    expect(await titles(ann.jwt, byComments)).toEqual(['open']);
  });

  test('one rule is that of each caller, whose values differ', async () => {
    for (const [token, title] of [
      [ann.jwt, 'of the team'],
      [bob.jwt, 'of bob'],
      [ann.jwt, 'of the team'],
    ] as const) {
      expect(await titles(token, 'filters[visibility]=team')).toEqual([title]);
    }
  });
});

test('relations, counts and nested lists have no more', async () => {
  const count = async (token: string | undefined) => {
    const query = `/api/articles/${ids['open']}?populate[comments][count]=true`;
    return (await server.send('GET', query, { token })).body.data.attributes.comments.data.attributes.count;
  };
  expect([await count(undefined), await count(ann.jwt)]).toEqual([1, 2]);
  const { body } = await server.send('GET', '/api/comments?populate[article][populate]=comments&sort=text');
  const shown = body.data.map(({ attributes }: any) => [
    attributes.text,
    attributes.article.data?.attributes.comments.data.length ?? null,
  ]);
  expect(shown).toEqual([
    ['on bobs', null],
    ['on open', 1],
    ['on team article', null],
  ]);
});

test('an entry that is left out is not found', async () => {
  const statusOf = async (title: string, token?: string) =>
    (await server.send('GET', `/api/articles/${ids[title]}`, { token })).status;
  expect([await statusOf('open'), await statusOf('later'), await statusOf('bobs')]).toEqual([200, 404, 404]);
  expect([await statusOf('bobs', ann.jwt), await statusOf('bobs', bob.jwt)]).toEqual([404, 200]);
});

test('attributes that are left out are not there', async () => {
  const known = `/api/articles/${ids['open']}?populate=*`;
  expect((await server.send('GET', known)).body.data.attributes).not.toHaveProperty('note');
  expect((await server.send('GET', known, { token: ann.jwt })).body.data.attributes.note.text).toBe('secret');
  const alike = async (query: (name: string) => string) => {
    const answers = await Promise.all(
      ['note', 'nope'].map((name) => server.send('GET', `/api/articles${query(name)}`)),
    );
    const [ours, theirs] = answers.map(({ status, text }) => [status, text.replaceAll('nope', 'note')]);
    expect(ours).toEqual(theirs);
    return answers[0]?.status;
  };
  expect(await alike((name) => `?populate=${name}`)).toBe(400);
  expect(await alike((name) => `?filters[${name}][text]=secret`)).toBe(400);
  expect(await alike((name) => `/${ids['open']}?populate=${name}`)).toBe(400);
});
