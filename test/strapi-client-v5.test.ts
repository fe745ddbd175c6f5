/** The client library of Strapi drives a generated server of the v5 format, for which it was written. */
import { HTTPBadRequestError, HTTPNotFoundError, strapi } from '@strapi/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';

let server: ServedProject;
let client: ReturnType<typeof strapi>;

beforeAll(async () => {
  const schema = (await fixtureSchema('magazine'))
    .replace('maxPopulateDepth: 8', '$&, format: v5')
    .replace("  public:\n    '*': '*'", '$&\n    users: [me]')
    .concat('  authenticated: { extends: public }\n');
  server = await serveProject(schema);
  client = strapi({ baseURL: `${server.origin}/api` });
});
afterAll(() => server?.close());

async function create(plural: string, data: object): Promise<string> {
  return (await client.collection(plural).create(data)).data.documentId;
}

it('creates, finds, updates and deletes by document id', async () => {
  const articles = client.collection('articles');
  const ann = await create('authors', { name: 'Ann' });
  const [sea, deep] = [await create('topics', { name: 'Sea' }), await create('topics', { name: 'Deep sea' })];
  const id = await create('articles', { title: 'Tides & more', author: ann, topics: [deep, sea], pages: 3 });
  const connect = [{ documentId: await create('topics', { name: 'Sand' }), position: { before: sea } }];
  await articles.update(id, { topics: { connect } });

  const { data } = await articles.findOne(id, { populate: { topics: { fields: ['name'] }, author: true }, fields: [] });
  expect(data).toMatchObject({ documentId: id, title: 'Tides & more', author: { documentId: ann, name: 'Ann' } });
  expect(data['topics'].map(({ name }: { name: string }) => name)).toEqual(['Deep sea', 'Sand', 'Sea']);

  const found = await articles.find({
    filters: { $or: [{ author: { documentId: ann } }, { topics: { name: { $containsi: 'nothing' } } }] },
    sort: ['pages:desc', 'title'],
    pagination: { start: 0, limit: 2, withCount: true },
    populate: ['topics', 'author.articles'],
  });
  expect(found.meta.pagination).toEqual({ start: 0, limit: 2, total: 1 });
  expect(found.data[0]).toMatchObject({ documentId: id, author: { articles: [{ documentId: id }] } });

  await articles.delete(id);
  await expect(articles.findOne(id)).rejects.toBeInstanceOf(HTTPNotFoundError);
  await expect(articles.create({ title: 'x', nothing: 1 })).rejects.toBeInstanceOf(HTTPBadRequestError);
});

it('knows drafts, locales and single types', async () => {
  const articles = client.collection('articles');
  const draft = (await articles.create({ title: 'Later' }, { status: 'draft' })).data.documentId;
  await expect(articles.findOne(draft)).rejects.toBeInstanceOf(HTTPNotFoundError);
  expect((await articles.findOne(draft, { status: 'draft' })).data).toMatchObject({
    title: 'Later',
    publishedAt: null,
  });
  await articles.update(draft, { title: 'Now' });
  expect((await articles.findOne(draft)).data['title']).toBe('Now');
  await articles.update(draft, { title: 'Maintenant' }, { locale: 'fr' });
  expect((await articles.findOne(draft, { locale: 'fr', populate: 'localizations' })).data).toMatchObject({
    title: 'Maintenant',
    localizations: [{ title: 'Now', locale: 'en' }],
  });

  const setting = client.single('setting');
  await setting.update({ siteName: 'Tides' });
  expect((await setting.find()).data).toMatchObject({ siteName: 'Tides' });
  await setting.delete();
  await expect(setting.find()).rejects.toBeInstanceOf(HTTPNotFoundError);
});

it('uploads, finds and deletes files', async () => {
  const [file] = await client.files.upload(new Blob([pngOf(4, 3)]), { fileInfo: { name: 'a.png' } });
  expect(file).toMatchObject({ name: 'a.png', documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/u) });
  expect(await client.files.findOne(file!.id)).toMatchObject({ id: file!.id, mime: 'image/png' });
  expect(await client.files.update(file!.id, { caption: 'small' })).toMatchObject({ caption: 'small' });
  await client.files.delete(file!.id);
  await expect(client.files.findOne(file!.id)).rejects.toBeInstanceOf(HTTPNotFoundError);
});

it('signs users in', async () => {
  const account = { username: 'ann', email: 'ann@example.org', password: 'correct horse' };
  const registered = await fetch(`${server.origin}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { jwt, user } = (await registered.json()) as { jwt: string; user: object };
  expect(user).toMatchObject({ username: 'ann', documentId: expect.any(String) });
  const ann = strapi({ baseURL: `${server.origin}/api`, auth: jwt });
  const topic = (await ann.collection('topics').find()).data;
  expect(Array.isArray(topic)).toBe(true);
  const me = await ann.fetch('/users/me');
  expect(await me.json()).toEqual(user);
});
