/** What `beforeFind` hides is not there for writes either: of entries, of files, of users. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/desk/src/generated/app.ts';
import { createToken, dump, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import type { Database } from '../database/database.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
/** Tokens of one who sees everything, and of another who may do as much, but does not see what is hidden. */
let all: string;
let some: string;

const isAll = ({ permissions }: { readonly permissions: ReadonlySet<string> }) => permissions.has('tokens.find');
const hiding = (filters: object) => ({
  beforeFind: ({ caller }: any) => (isAll(caller) ? undefined : filters),
});

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start({}, {
    hooks: {
      article: hiding({ title: { $ne: 'hidden' } }),
      file: hiding({ name: { $ne: 'hidden.png' } }),
      user: hiding({ username: { $ne: 'hidden' } }),
    },
  } as any);
  database = await project.open();
  all = await createToken(database, { kind: 'full-access' });
  const permissions = [
    ...['find', 'findOne', 'create', 'update', 'delete'].map((action) => `article.${action}`),
    ...['find', 'findOne', 'create', 'update', 'destroy', 'me'].map((action) => `users.${action}`),
    ...['find', 'findOne', 'upload', 'destroy'].map((action) => `upload.${action}`),
  ];
  some = await createToken(database, { kind: 'custom', permissions });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

test('filters with a condition that has no value show nothing', async () => {
  let filters: object = { title: 'shown' };
  const hooks = { article: { beforeFind: () => filters } };
  const other = await project.start({}, { hooks } as any, 'conditions');
  const opened = await project.open('conditions');
  const token = await createToken(opened, { kind: 'full-access' });
  await opened.close();
  const send = (method: string, path: string, data?: object) =>
    other.send(method, path, { token, ...(data && { body: { data } }) });
  await send('POST', '/api/articles', { title: 'hidden' });
  expect((await send('GET', '/api/articles')).body.data).toEqual([]);
  for (filters of [{ title: undefined }, { id: { $eq: undefined } }, { $and: [undefined] }]) {
    const { status, text } = await send('GET', '/api/articles');
    expect([status, text.includes('hidden')], JSON.stringify(Object.keys(filters))).toEqual([500, false]);
    expect((await send('DELETE', '/api/articles/1')).status).toBe(500);
  }
  filters = {};
  expect((await send('GET', '/api/articles')).body.data).toHaveLength(1);
  await other.close();
});

async function upload(token: string, name: string | undefined, fields: Record<string, string> = {}, query = '') {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (name !== undefined) form.append('files', new Blob([PNG], { type: 'image/png' }), name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.origin}/api/upload${query}`, { method: 'POST', headers, body: form });
  const body: any = await response.json();
  return { status: response.status, body };
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Refused with this status, and without a trace. */
async function refused(status: number, request: () => Promise<{ readonly status: number }>): Promise<void> {
  const before = await dump(database);
  expect((await request()).status).toBe(status);
  expect(await dump(database)).toBe(before);
}

describe('what beforeFind hides', () => {
  test('gets no files by an upload', async () => {
    const make = async (title: string) => {
      const { body } = await server.send('POST', '/api/articles', { token: all, body: { data: { title } } });
      return String(body.data.id);
    };
    const form = async (title: string) => ({ ref: 'article', refId: await make(title), field: 'cover' });
    const hidden = await form('hidden');
    const none = await upload(some, 'a.png', { ...hidden, refId: '99' });
    const answer = await upload(some, 'a.png', hidden);
    expect(answer.body.error.message).toBe(none.body.error.message);
    await refused(400, () => upload(some, 'a.png', hidden));
    expect((await upload(some, 'a.png', await form('shown'))).status).toBe(200);
  });

  test('files are neither described, nor replaced, nor deleted', async () => {
    const [hidden] = (await upload(all, 'hidden.png')).body;
    const query = `?id=${hidden.id}`;
    const info = { fileInfo: JSON.stringify({ caption: 'mine' }) };
    await refused(404, () => upload(some, undefined, info, query));
    await refused(404, () => upload(some, 'b.png', info, query));
    await refused(404, () => server.send('DELETE', `/api/upload/files/${hidden.id}`, { token: some }));
    const [shown] = (await upload(all, 'shown.png')).body;
    expect((await upload(some, undefined, info, `?id=${shown.id}`)).body.caption).toBe('mine');
    expect((await server.send('DELETE', `/api/upload/files/${shown.id}`, { token: some })).status).toBe(200);
    expect((await server.send('DELETE', `/api/upload/files/${hidden.id}`, { token: all })).status).toBe(200);
  });

  test('users are neither changed nor deleted', async () => {
    const { body: roles } = await server.send('GET', '/api/users-permissions/roles', { token: all });
    const authenticated = roles.roles.find(({ type }: any) => type === 'authenticated').id;
    const make = async (username: string) => {
      const body = { username, email: `${username}@example.org`, password: 'a long password', role: authenticated };
      return (await server.send('POST', '/api/users', { token: all, body })).body.id;
    };
    const [hidden, shown] = [await make('hidden'), await make('shown')];
    const change = (id: number) =>
      server.send('PUT', `/api/users/${id}`, { token: some, body: { password: 'another password' } });
    const remove = (id: number) => server.send('DELETE', `/api/users/${id}`, { token: some });
    await refused(404, () => change(hidden));
    await refused(404, () => remove(hidden));
    expect([(await change(shown)).status, (await remove(shown)).status]).toEqual([200, 200]);
  });
});
