/** Tags of files: by which they are found, and which are added and removed, one or many. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import {
  createToken,
  openProject,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { type FileServer, openFileServer } from './support/file-server.ts';
import { generateProject, openSchema } from './support/served-project.ts';

const schemaOf = (uploads: string) => `
name: file-tags
databases: [sqlite, postgres, mysql]
api: { format: v5 }
graphql: true
${uploads}
contentTypes:
  article:
    attributes:
      cover: { type: media }
permissions:
  public: { article: [find] }
  authenticated: { article: [find], upload: [upload, { find: { where: { usedBy: visible } } }] }
`;

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(schemaOf('uploads: { tags: true, folders: true, trash: 30d, resumable: true }'));
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let files: FileServer;
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    files = await openFileServer(project, 'file_tags', { engine });
    ({ server, admin } = files);
  });
  afterAll(async () => {
    await server?.close();
    await files?.close();
  });

  const send = (method: string, path: string, body?: object, token: string | undefined = admin) =>
    server.send(method, `/api${path}`, { token, ...(body && { body }) });
  async function post(path: string, info: object, name?: string, token = admin): Promise<any> {
    const form = new FormData();
    form.append('fileInfo', JSON.stringify(info));
    if (name !== undefined) form.append('files', new Blob([`text of ${name}`], { type: 'text/plain' }), name);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.origin}/api${path}`, { method: 'POST', headers, body: form });
    const answer = (await response.json()) as any;
    return response.ok ? [answer].flat()[0] : answer;
  }
  const upload = (name: string, info: object = {}) => post('/upload', info, name);
  const namesBy = async (query: string) =>
    (await send('GET', `/upload/files?sort=name&${query}`)).body.map(({ name }: any) => name);
  const change = (files: readonly object[], token = admin) => send('PUT', '/upload/files', { files }, token);
  const tagsOf = async (id: number) => (await send('GET', `/upload/files/${id}`)).body.tags;

  it('a file has tags in their order, each once, and is found by them', async () => {
    const sea = await upload('sea.txt', { tags: [' press ', 'Sea', 'press', '100 %', 'a"b_c'] });
    expect(sea.tags).toEqual(['press', 'Sea', '100 %', 'a"b_c']);
    expect((await upload('none.txt')).tags).toEqual([]);
    await upload('town.txt', { tags: ['pressed', 'Town'] });
    expect(await namesBy('tag=press')).toEqual(['sea.txt']);
    expect(await namesBy('tag=press&tag=Sea')).toEqual(['sea.txt']);
    expect(await namesBy('tag[0]=press&tag[1]=Sea')).toEqual(['sea.txt']);
    expect(await namesBy('tag=press&tag=Town')).toEqual([]);
    // A tag is not a pattern, nor a part of one.
    expect(await namesBy('tag=pres')).toEqual([]);
    expect(await namesBy('tag=100%20%25')).toEqual(['sea.txt']);
    expect(await namesBy('tag=%25')).toEqual([]);
    expect(await namesBy(`tag=${encodeURIComponent('a"b_c')}`)).toEqual(['sea.txt']);
    expect(await namesBy('tag=Town&filters[name][$contains]=sea')).toEqual([]);
    expect((await send('GET', '/upload/folders/0/files?tag=Town')).body).toMatchObject([{ name: 'town.txt' }]);
    for (const query of ['tag=', `tag=${'x'.repeat(51)}`, 'tag=a&tag=b&tag=c&tag=d&tag=e&tag=f']) {
      expect((await send('GET', `/upload/files?${query}`)).status, query).toBe(400);
    }
    // The text that is searched is not part of the API.
    expect((await send('GET', '/upload/files?filters[tagText]=x')).status).toBe(400);
    expect(Object.keys(sea)).not.toContain('tagText');
  });

  it('tags are set, added and removed, one or many, all or none', async () => {
    const [one, other] = [await upload('one.txt', { tags: ['a', 'b'] }), await upload('other.txt')];
    expect((await post(`/upload?id=${one.id}`, { tags: ['c', 'a'] })).tags).toEqual(['c', 'a']);
    expect((await post(`/upload?id=${one.id}`, { caption: 'x' })).tags).toEqual(['c', 'a']);
    const changed = await change([
      { id: one.id, addTags: ['new', 'a'], removeTags: ['c'] },
      { id: other.documentId, addTags: ['new'], caption: 'y' },
    ]);
    expect(changed.body.map(({ tags }: any) => tags)).toEqual([['a', 'new'], ['new']]);
    expect(await namesBy('tag=new')).toEqual(['one.txt', 'other.txt']);
    expect(await namesBy('tag=c')).toEqual([]);
    const many = Array.from({ length: 20 }, (_, index) => `t${index}`);
    expect((await change([{ id: one.id, tags: many }])).status).toBe(200);
    const refused = await change([
      { id: one.id, addTags: ['one more'] },
      { id: other.id, addTags: ['z'] },
    ]);
    expect([refused.status, refused.body.error.message]).toEqual([400, 'a file can have at most 20 tags']);
    expect(await tagsOf(other.id)).toEqual(['new']);
    for (const tags of [[...many, 'x'], ['x'.repeat(51)], [' '], ['a\nb'], [1], 'a', null]) {
      expect((await change([{ id: one.id, tags }])).status, JSON.stringify(tags)).toBe(400);
      if (tags !== null) expect((await change([{ id: one.id, addTags: tags }])).status).toBe(400);
    }
    expect((await change([{ id: one.id, tags: [], addTags: ['a'] }])).status).toBe(400);
    expect((await change([{ id: 999_999, addTags: ['a'] }])).status).toBe(404);
    expect((await change([{ id: one.id, tags: [] }])).body[0].tags).toEqual([]);
    // Additions at once: none is lost.
    await Promise.all(['p', 'q', 'r'].map((tag) => change([{ id: one.id, addTags: [tag] }])));
    expect((await tagsOf(one.id)).toSorted()).toEqual(['p', 'q', 'r']);
  });

  it('known tags are listed, the most frequent first, for those who may find all files', async () => {
    await upload('x1.txt', { tags: ['zebra', 'Zeal'] });
    await upload('x2.txt', { tags: ['zebra'] });
    expect((await send('GET', '/upload/tags?_q=ze')).body).toEqual(['zebra', 'Zeal']);
    expect((await send('GET', '/upload/tags')).body.length).toBeLessThanOrEqual(100);
    expect((await send('GET', `/upload/tags?_q=${'x'.repeat(51)}`)).status).toBe(400);
    const { jwt } = await server.register(`ann${engine}`);
    expect((await send('GET', '/upload/tags', undefined, jwt)).status).toBe(403);
    expect((await server.send('GET', '/api/upload/tags')).status).toBe(403);
    // Who sees some files only learns nothing of the others.
    const hidden = (await namesBy('tag=zebra')).length;
    expect(hidden).toBe(2);
    expect((await send('GET', '/upload/files?tag=zebra', undefined, jwt)).body).toEqual([]);
    const [file] = (await send('GET', '/upload/files?tag=zebra')).body;
    expect((await change([{ id: file.id, addTags: ['mine'] }], jwt)).status).toBe(404);
  });

  it('entries, GraphQL, resumed uploads and the trash have them', async () => {
    const file = await upload('cover.txt', { tags: ['b', 'a'] });
    const created = await send('POST', '/articles', { data: { cover: file.id } });
    expect(
      (await send('GET', `/articles/${created.body.data.documentId}?populate=cover`)).body.data.cover.tags,
    ).toEqual(['b', 'a']);
    const query = `{ articles { cover { tags } } }`;
    const { text } = await server.send('POST', '/graphql', { token: admin, body: { query } });
    expect(text).toContain('["b","a"]');
    const said = [
      ['filename', 'later.txt'],
      ['tags', '["resumed"]'],
    ].map(([key = '', value = '']) => `${key} ${btoa(value)}`);
    const tus = { 'Tus-Resumable': '1.0.0', authorization: `Bearer ${admin}` };
    const begun = await fetch(`${server.origin}/api/upload/resumable`, {
      method: 'POST',
      headers: { ...tus, 'Upload-Length': '4', 'Upload-Metadata': said.join(',') },
    });
    await fetch(server.origin + (begun.headers.get('location') ?? ''), {
      method: 'PATCH',
      headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      body: 'text',
    });
    expect(await namesBy('tag=resumed')).toEqual(['later.txt']);
    expect((await send('DELETE', `/upload/files/${file.id}`)).status).toBe(200);
    expect(await namesBy('tag=b')).toEqual([]);
    expect((await send('POST', `/upload/files/${file.id}/actions/restore`)).status).toBe(200);
    expect(await namesBy('tag=b')).toEqual(['cover.txt']);
    expect(await tagsOf(file.id)).toEqual(['b', 'a']);
  });
});

it('files from before have none', async () => {
  const former = await openSchema(schemaOf('uploads: { folders: true }'));
  const before = await former.start();
  const database = await former.open();
  const token = await createToken(database, { kind: 'full-access' });
  await database.close();
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form };
  expect((await fetch(`${before.origin}/api/upload`, init)).status).toBe(201);
  await before.close();
  const generated = await generateProject(schemaOf('uploads: { folders: true, tags: true }'), [
    schemaOf('uploads: { folders: true }'),
  ]);
  const later = await openProject(generated.definition);
  const server = await later.start({ DATABASE_URL: former.urlOf('test') });
  const [file] = (await server.send('GET', '/api/upload/files', { token })).body;
  expect(file.tags).toEqual([]);
  const changed = { files: [{ id: file.id, addTags: ['old'] }] };
  expect((await server.send('PUT', '/api/upload/files', { token, body: changed })).body[0].tags).toEqual(['old']);
  await server.close();
  for (const { remove } of [former, later, generated]) await remove();
});

it('servers without tags take none', async () => {
  const without = await openSchema(schemaOf(''));
  const server = await without.start();
  const database = await without.open();
  const token = await createToken(database, { kind: 'full-access' });
  await database.close();
  const form = new FormData();
  form.append('fileInfo', '{"tags":["a"]}');
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form };
  expect((await fetch(`${server.origin}/api/upload`, init)).status).toBe(400);
  expect((await server.send('GET', '/api/upload/tags', { token })).status).toBe(404);
  await server.close();
  await without.remove();
});

it('openapi.json describes them, where the schema has them', async () => {
  const describedIn = async (folder: string) => {
    const { paths, components } = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'));
    const parameters = paths['/api/upload/files'].get.parameters.map(({ $ref }: any) => $ref.split('/').at(-1));
    return { asks: parameters.includes('fileTag'), changes: Object.keys(components.schemas.FileChange.properties) };
  };
  expect(await describedIn(project.folder)).toEqual({
    asks: true,
    changes: expect.arrayContaining(['tags', 'addTags', 'removeTags']),
  });
  const without = await openSchema(schemaOf('uploads: { folders: true }'));
  const { asks, changes } = await describedIn(without.folder);
  expect({ asks, changes }).toEqual({ asks: false, changes: expect.not.arrayContaining(['tags', 'addTags']) });
  await without.remove();
});
