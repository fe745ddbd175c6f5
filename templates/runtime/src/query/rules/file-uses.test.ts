/** Files are found by who may find an entry that uses them, and by who has uploaded them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/magazine/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';

let project: TestProject;
let server: TestServer;
let admin: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  const database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

async function upload(token: string, name: string): Promise<number> {
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.origin}/api/upload`, { method: 'POST', headers, body: form });
  const [file]: any = await response.json();
  return file.id;
}

const create = async (path: string, data: object): Promise<number> =>
  (await server.send('POST', path, { token: admin, body: { data } })).body.data.id;

async function usesOf(id: number, token: string): Promise<readonly number[]> {
  const { body } = await server.send('GET', `/api/upload/files/${id}/uses`, { token });
  return body.map((use: any) => use.id);
}

async function filesOf(token?: string): Promise<readonly string[]> {
  const { body } = await server.send('GET', '/api/upload/files?sort=name', token ? { token } : {});
  return body.map(({ name }: any) => name);
}

test('a file is there for whoever sees an entry with it', async () => {
  const ann = await server.register('ann');
  const bob = await server.register('bob');
  const ids = { shown: 0, team: 0, draft: 0, unused: 0 };
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) ids[name] = await upload(ann.jwt, `${name}.txt`);
  const team = await create('/api/teams', { name: 'desk', members: [bob.id] });
  await create('/api/articles', { title: 'one', cover: ids.shown });
  await create('/api/articles', { title: 'two', cover: ids.team, visibility: 'team', team });
  await create('/api/articles', { title: 'three', cover: ids.draft, publishedAt: null });
  expect(await filesOf()).toEqual(['shown.txt']);
  expect(await filesOf(bob.jwt)).toEqual(['shown.txt', 'team.txt']);
  expect(await filesOf(ann.jwt)).toEqual(['draft.txt', 'shown.txt', 'team.txt', 'unused.txt']);
  const statusOf = async (id: number, token?: string): Promise<number> =>
    (await server.send('GET', `/api/upload/files/${id}`, token ? { token } : {})).status;
  expect([await statusOf(ids.shown), await statusOf(ids.team), await statusOf(ids.unused)]).toEqual([200, 404, 404]);
  expect([await statusOf(ids.team, bob.jwt), await statusOf(ids.unused, bob.jwt)]).toEqual([200, 404]);
  expect(await statusOf(ids.unused, ann.jwt)).toBe(200);
  // The uploader is in no answer.
  const { text } = await server.send('GET', `/api/upload/files/${ids.shown}?populate=*`, { token: admin });
  expect(text).not.toContain('uploadedBy');
});

test('a draft that the caller may not see is not named among the uses of a file', async () => {
  const eva = await server.register('eva');
  const [was, is] = [await upload(eva.jwt, 'was.txt'), await upload(eva.jwt, 'is.txt')];
  const id = await create('/api/articles', { title: 'both', cover: was });
  await server.send('PUT', `/api/articles/${id}?status=draft`, { token: admin, body: { data: { cover: is } } });
  expect([await usesOf(was, eva.jwt), await usesOf(is, eva.jwt)]).toEqual([[id], []]);
  expect([await usesOf(was, admin), await usesOf(is, admin)]).toEqual([[id], [id]]);
  const data = { author: eva.id, cover: is };
  await server.send('PUT', `/api/articles/${id}?status=draft`, { token: admin, body: { data } });
  // The rule of preview asks the draft, that of find what is published.
  expect(await usesOf(is, eva.jwt)).toEqual([id]);
});
