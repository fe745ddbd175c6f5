/** How requests name types and entries: by every name of a type and, in the v5 format, by either id, in every place. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSchema } from './support/served-project.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';

const schema = (format: string) => `
name: naming
api: { format: ${format} }
locales: [en, fr]
contentTypes:
  tag: { attributes: { name: { type: string } } }
  post:
    localized: true
    attributes:
      title: { type: string, required: true }
      cover: { type: media }
      tags: { type: relation, relation: manyToMany, target: tag }
      about: { type: relation, relation: morphToMany, targets: [tag, user] }
users:
  attributes:
    avatar: { type: media }
    likes: { type: relation, relation: manyToMany, target: tag }
permissions:
  public: { tag: [find] }
  manager: { tag: '*', upload: '*', users: '*' }
`;

const USER_NAMES = ['user', 'api::user.user', 'plugin::users-permissions.user'];
const FILE_NAMES = ['file', 'api::file.file', 'plugin::upload.file'];

type Json = any;

describe.each(['v4', 'v5'])('in the %s format', (format) => {
  const isDocument = format === 'v5';
  let project: TestProject;
  let server: TestServer;
  let admin: string;
  let user: Json;
  let tags: Json[];

  async function send(method: string, path: string, body?: unknown, token: string | undefined = admin): Promise<Json> {
    const answer = await server.send(method, path, { body, token });
    if (answer.status >= 300) throw Object.assign(new Error(answer.text), answer.body.error);
    return answer.body;
  }
  const made = async (plural: string, data: object): Promise<Json> =>
    (await send('POST', `/api/${plural}`, { data })).data;
  const keyOf = ({ id, documentId }: Json): string | number => (isDocument ? documentId : id);
  const valuesOf = (entry: Json): Json => (isDocument ? entry : entry.attributes);
  const listOf = (value: Json): Json[] => (isDocument ? value : value.data);

  async function upload(fields: Record<string, string>, query = '', token = admin): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('files', new Blob([pngOf(2, 2)]), 'a.png');
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${server.origin}/api/upload${query}`, { method: 'POST', body: form, headers });
  }

  beforeAll(async () => {
    project = await openSchema(schema(format));
    server = await project.start();
    const database = await project.open();
    admin = await createToken(database, { kind: 'full-access' });
    await database.close();
    tags = [await made('tags', { name: 'a' }), await made('tags', { name: 'b' })];
    user = await send('POST', '/api/users', { username: 'ada', email: 'ada@example.org', password: 'a long password' });
  });
  afterAll(async () => {
    await server?.close();
    await project?.remove();
  });

  it('every name of a type is understood in polymorphic relations, and in `on`', async () => {
    for (const type of USER_NAMES) {
      const about = [{ __type: type, id: user.id }, ...(isDocument ? [] : [{ type: 'tag', id: tags[0].id }])];
      const post = await made('posts', { title: type, about });
      const found = await send('GET', `/api/posts/${keyOf(post)}?populate[about][on][${type}][fields]=username`);
      const [first] = listOf(valuesOf(found.data).about);
      expect(valuesOf(first)).toMatchObject({ __type: 'plugin::users-permissions.user', username: 'ada' });
    }
    await expect(made('posts', { title: 'x', about: [{ __type: 'plugin::user', id: user.id }] })).rejects.toMatchObject(
      {
        status: 400,
      },
    );
  });

  it('every name of a type is understood by uploads, which name the entry by its id', async () => {
    for (const ref of USER_NAMES) {
      const answer = await upload({ ref, refId: String(user.id), field: 'avatar' });
      const [{ id }] = (await answer.json()) as Json[];
      const { avatar } = await send('GET', `/api/users/${user.id}?populate=avatar`);
      expect(avatar.id).toBe(id);
    }
    const post = await made('posts', { title: 'x' });
    for (const ref of ['post', 'api::post.post']) {
      expect((await upload({ ref, refId: String(post.id), field: 'cover' })).ok).toBe(true);
    }
    for (const ref of ['api::tag.post', 'plugin::post']) {
      expect((await upload({ ref, refId: '1', field: 'cover' })).status).toBe(400);
    }
    // The type is understood, but nobody may attach files to files.
    for (const ref of FILE_NAMES) expect((await upload({ ref, refId: '1', field: 'cover' })).status).toBe(403);
  });

  it('attaching a file changes no user with more permissions than the caller has', async () => {
    const roles: Json = (await send('GET', '/api/users-permissions/roles')).roles;
    const role = roles.find(({ name }: Json) => name.toLowerCase() === 'manager').id;
    const person = { email: 'm@example.org', username: 'manager', password: 'a long password', role };
    await send('POST', '/api/users', person);
    const { jwt } = (await server.signIn(person.username, person.password)).body;
    const attach = async () => (await upload({ ref: 'user', refId: String(user.id), field: 'avatar' }, '', jwt)).status;
    expect(await attach()).toBe(isDocument ? 201 : 200);
    const strong = await send('POST', '/api/users-permissions/roles', {
      name: 'Strong',
      description: '',
      permissions: ['post.delete'],
    });
    const { id } = strong.role ?? (await send('GET', '/api/users-permissions/roles')).roles.at(-1);
    await send('PUT', `/api/users/${user.id}`, { role: id });
    expect(await attach()).toBe(403);
  });

  it('one value stands for a list of one', async () => {
    const [a, b] = tags.map(keyOf);
    const post = await made('posts', { title: 'x', tags: { connect: a } });
    const tagsAfter = async (change: unknown): Promise<string[]> => {
      await send('PUT', `/api/posts/${keyOf(post)}`, { data: { tags: change } });
      const found = await send('GET', `/api/posts/${keyOf(post)}?populate=tags`);
      return listOf(valuesOf(found.data).tags).map((tag) => valuesOf(tag).name);
    };
    const named = (key: unknown) => (isDocument ? { documentId: key } : { id: key });
    expect(await tagsAfter({ connect: { ...named(b), position: { start: true } } })).toEqual(['b', 'a']);
    expect(await tagsAfter({ disconnect: b })).toEqual(['a']);
    expect(await tagsAfter({ set: named(b) })).toEqual(['b']);
    expect(await tagsAfter({ set: a })).toEqual(['a']);
  });

  if (format === 'v4') {
    it('a populated relation can be sent back as it was read', async () => {
      const about = [{ type: 'user', id: user.id }];
      const post = await made('posts', { title: 'x', tags: tags.map(({ id }) => id), about });
      const read = async () => (await send('GET', `/api/posts/${post.id}?populate=*&fields=title`)).data.attributes;
      const before = await read();
      await send('PUT', `/api/posts/${post.id}`, {
        data: { ...before, tags: { data: [...before.tags.data].reverse() } },
      });
      const after = await read();
      expect(after).toEqual({ ...before, tags: { data: [...before.tags.data].reverse() } });
    });
    return;
  }

  it('users are named by document id, and name related entries by it', async () => {
    const likes = async (): Promise<string[]> =>
      (await send('GET', `/api/users/${user.documentId}?populate=likes`)).likes.map(({ name }: Json) => name);
    const [a, b] = tags.map(keyOf);
    await send('PUT', `/api/users/${user.documentId}`, { likes: [a, { documentId: b }] });
    expect(await likes()).toEqual(['a', 'b']);
    await send('PUT', `/api/users/${user.id}`, { likes: { connect: { documentId: b, position: { before: a } } } });
    expect(await likes()).toEqual(['b', 'a']);
    await send('PUT', `/api/users/${user.id}`, { likes: { disconnect: ['aaaaaaaaaaaaaaaaaaaaaaaa', tags[1].id] } });
    expect(await likes()).toEqual(['a']);
    const unknown = { likes: ['aaaaaaaaaaaaaaaaaaaaaaaa'] };
    await expect(send('PUT', `/api/users/${user.id}`, unknown)).rejects.toMatchObject({ status: 400 });

    const person = (username: string) => ({ username, email: `${username}@example.org`, password: 'a long password' });
    const made = await send('POST', '/api/users?populate=likes', { ...person('bob'), likes: a });
    expect(made.likes).toMatchObject([{ name: 'a' }]);
    await send('PUT', `/api/users/${made.id}`, { likes: b });
    const mixed = `filters[likes][$in][0]=${a}&filters[likes][$in][1]=${tags[1].id}`;
    expect(await send('GET', `/api/users?${mixed}`)).toHaveLength(2);
    expect(await send('GET', `/api/users?filters[likes][0]=${a}&filters[likes][1]=${tags[1].id}`)).toHaveLength(2);
    await send('DELETE', `/api/users/${made.documentId}`);
    await expect(send('GET', `/api/users/${made.documentId}`)).rejects.toMatchObject({ status: 404 });
  });

  it('uploads name the entry and the file by document id, in a locale', async () => {
    const post = await made('posts', { title: 'x' });
    await send('PUT', `/api/posts/${post.documentId}?locale=fr`, { data: { title: 'y' } });
    const coverOf = async (locale: string) =>
      (await send('GET', `/api/posts/${post.documentId}?populate=cover&locale=${locale}`)).data.cover;
    const fields = { ref: 'post', refId: post.documentId, field: 'cover' };
    const answer = await upload(fields, '?locale=fr');
    const [{ documentId, id }] = (await answer.json()) as Json[];
    expect([await coverOf('en'), (await coverOf('fr')).id]).toEqual([null, id]);
    expect((await upload(fields)).status).toBe(201);
    expect(await coverOf('en')).not.toBeNull();
    for (const [refId, query] of [
      ['aaaaaaaaaaaaaaaaaaaaaaaa', ''],
      [post.documentId, '?locale=xx'],
      ['1 1', ''],
    ] as const) {
      expect((await upload({ ...fields, refId }, query)).status).toBe(400);
    }
    const path = `/api/upload/files/${documentId}`;
    expect((await send('GET', path)).id).toBe(id);
    const form = new FormData();
    form.append('fileInfo', JSON.stringify({ caption: 'changed' }));
    const headers = { authorization: `Bearer ${admin}` };
    await fetch(`${server.origin}/api/upload?id=${documentId}`, { method: 'POST', body: form, headers });
    expect((await send('GET', path)).caption).toBe('changed');
    expect(await send('GET', `${path}/uses`)).toMatchObject([{ type: 'post' }]);
    await send('DELETE', path);
    await expect(send('GET', path)).rejects.toMatchObject({ status: 404 });
  });

  it('unknown keys of a body are refused together, and the message suggests the nearest name', async () => {
    await expect(made('posts', { titel: 'x', tags: { conect: [] }, nothing: 1 })).rejects.toMatchObject({
      message: expect.stringContaining(''),
      details: {
        ...{ key: 'titel', path: null, source: 'body' },
        errors: [
          { path: ['titel'], message: 'Invalid key titel; did you mean "title"?' },
          { path: ['tags', 'conect'], message: 'Invalid key conect at tags; did you mean "connect"?' },
          { path: ['nothing'], message: 'Invalid key nothing' },
        ],
      },
    });
    const alone = await server.send('POST', '/api/posts', {
      token: admin,
      body: { data: { title: 'x', status: 'draft' } },
    });
    expect(alone.body.error).toEqual({
      ...{ status: 400, name: 'ValidationError', message: 'Invalid key status; use the parameter ?status=' },
      details: { key: 'status', path: null, source: 'body' },
    });
    const asked = await server.send('GET', '/api/posts?filters[tags][nmae]=x', { token: admin });
    expect(asked.body.error.message).toBe('Invalid key nmae at tags; did you mean "name"?');
  });
});
