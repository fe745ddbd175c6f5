/** The client library of Strapi drives a generated server. */
import { type API, HTTPBadRequestError, HTTPForbiddenError, HTTPNotFoundError, strapi } from '@strapi/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';

let server: ServedProject;
let client: ReturnType<typeof strapi>;

beforeAll(async () => {
  const schema = (await fixtureSchema('magazine')).replace("  public:\n    '*': '*'", '$&\n    users: [me]');
  server = await serveProject(schema);
  client = strapi({ baseURL: `${server.origin}/api` });
});
afterAll(() => server?.close());

/** An entry of Strapi 4, which the types of the client know nothing of. */
function entryOf(answer: API.DocumentResponse): { id: number; attributes: any; meta: any } {
  return answer.data as never;
}

function entriesOf(answer: API.DocumentResponseCollection): { id: number; attributes: any }[] {
  return answer.data as never;
}

async function create(plural: string, data: object): Promise<number> {
  return entryOf(await client.collection(plural).create(data)).id;
}

function titles(answer: API.DocumentResponseCollection): string[] {
  return entriesOf(answer).map(({ attributes }) => attributes.title);
}

describe('collections', () => {
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    ids['ann'] = await create('authors', { name: 'Ann', links: [{ label: 'home', url: 'https://ann.example.org' }] });
    ids['bob'] = await create('authors', { name: 'Bob' });
    ids['sea'] = await create('topics', { name: 'Sea' });
    ids['deep'] = await create('topics', { name: 'Deep sea', parent: ids['sea'] });
    const hero = { __component: 'blocks.hero', title: 'Ahoy', buttons: [{ link: { label: 'more', url: '/more' } }] };
    const text = { __component: 'blocks.text', body: '# Hello' };
    for (const [title, author, topics, pages] of [
      ['Tides & other things', 'ann', ['deep', 'sea'], 3],
      ['Waves', 'ann', ['sea'], 12],
      ['Ships', 'bob', ['deep'], 7],
    ] as const) {
      ids[title] = await create('articles', {
        title,
        pages,
        author: ids[author],
        topics: topics.map((topic) => ids[topic]),
        seo: { metaTitle: title, keywords: ['a', 'b'] },
        blocks: [text, hero],
      });
    }
    await create('articles', { title: 'Draft', publishedAt: null });
  });

  it('find with nested populate, filters, sort and pagination', async () => {
    const found = await client.collection('articles').find({
      filters: {
        author: { name: { $eqi: 'ANN' } },
        $or: [{ pages: { $lt: 5 } }, { topics: { parent: { $null: true } } }],
      },
      populate: {
        author: { fields: ['name'], populate: { links: { fields: ['url'] } } },
        topics: { sort: ['name:desc'], filters: { name: { $contains: 'sea' } }, populate: ['parent'] },
        blocks: { on: { 'blocks.hero': { populate: { buttons: { populate: { link: { fields: ['label'] } } } } } } },
      },
      sort: ['pages:desc'],
      pagination: { page: 1, pageSize: 1, withCount: true },
      fields: ['title'],
    });
    expect(found.meta).toEqual({ pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } });
    const second = await client.collection('articles').find({
      filters: { title: { $contains: '&' } },
      fields: ['title'],
      populate: {
        author: { fields: ['name'], populate: { links: { fields: ['url'] } } },
        topics: { fields: ['name'], sort: ['name:desc'], populate: { parent: { fields: ['name'] } } },
        blocks: { on: { 'blocks.hero': { fields: ['title'], populate: { buttons: { populate: ['link'] } } } } },
      },
    });
    expect(titles(found)).toEqual(['Waves']);
    const sea = { id: ids['sea'], attributes: { name: 'Sea' }, meta: { availableLocales: [] } };
    expect(entriesOf(second).map(({ attributes }) => attributes)).toMatchObject([
      {
        title: 'Tides & other things',
        author: { data: { attributes: { name: 'Ann', links: [{ url: 'https://ann.example.org' }] } } },
        topics: {
          data: [
            { id: ids['sea'], attributes: { name: 'Sea', parent: { data: null } } },
            { id: ids['deep'], attributes: { name: 'Deep sea', parent: { data: sea } } },
          ],
        },
        blocks: [{ __component: 'blocks.hero', title: 'Ahoy', buttons: [{ link: { label: 'more', url: '/more' } }] }],
      },
    ]);
  });

  it('find with an empty list of fields, dotted paths, and the short forms', async () => {
    const articles = client.collection('articles');
    const all = await articles.find({ fields: [], sort: 'title' });
    expect(titles(all)).toEqual(['Ships', 'Tides & other things', 'Waves']);
    expect(Object.keys(entriesOf(all)[0]?.attributes)).toContain('slug');
    const dotted = await articles.find({ populate: ['author', 'topics.parent'], sort: 'pages', locale: 'en' });
    expect(entriesOf(dotted)[0]?.attributes.topics.data[0].attributes.parent.data.attributes.name).toBe('Sea');
    expect(entriesOf(dotted)[0]?.attributes.author.data.id).toBe(ids['ann']);
    const everything = await articles.find({ populate: '*', pagination: { start: 1, limit: 1 } });
    expect(entriesOf(everything)[0]?.attributes).toMatchObject({
      seo: { keywords: ['a', 'b'] },
      cover: { data: null },
    });
    const drafts = await articles.find({
      publicationState: 'preview',
      filters: { publishedAt: { $null: true } },
    } as never);
    expect(titles(drafts)).toEqual(['Draft']);
  });

  it('findOne, create, update and delete', async () => {
    const articles = client.collection('articles');
    const created = entryOf(
      await articles.create({ title: 'New', topics: { connect: [ids['sea'], ids['deep']] } }, { populate: ['topics'] }),
    );
    expect(created.attributes).toMatchObject({ title: 'New', slug: 'new', locale: 'en' });
    expect(created.meta).toEqual({ availableLocales: [] });
    const id = String(created.id);
    const updated = entryOf(
      await articles.update(
        id,
        { pages: 1, topics: { connect: [{ id: ids['deep'], position: { start: true } }] } },
        { populate: 'topics' },
      ),
    );
    expect(updated.attributes).toMatchObject({ title: 'New', pages: 1 });
    expect(updated.attributes.topics.data.map((topic: any) => topic.id)).toEqual([ids['deep'], ids['sea']]);
    expect(entryOf(await articles.findOne(id, { fields: ['pages'] })).attributes).toEqual({ pages: 1 });
    await articles.delete(id);
    await expect(articles.findOne(id)).rejects.toBeInstanceOf(HTTPNotFoundError);
  });

  it('errors are those that the client knows', async () => {
    const refused = await client
      .collection('articles')
      .create({ titel: 'x' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HTTPBadRequestError);
    const { error } = (await (refused as HTTPBadRequestError).response.json()) as { error: unknown };
    expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
    await expect(client.collection('users').find()).rejects.toBeInstanceOf(HTTPForbiddenError);
  });
});

describe('single types', () => {
  it('find, update and delete', async () => {
    const setting = client.single('setting');
    await expect(setting.find()).rejects.toBeInstanceOf(HTTPNotFoundError);
    const navigation = [{ title: 'Main', entries: [{ label: 'home', url: '/' }] }];
    await setting.update({ siteName: 'Sea & sand', navigation });
    await setting.update({ siteName: 'Sand & sea' });
    const { attributes } = entryOf(await setting.find({ populate: { navigation: { populate: '*' } } }));
    expect(attributes).toMatchObject({ siteName: 'Sand & sea', navigation });
    await setting.delete();
    await expect(setting.find()).rejects.toBeInstanceOf(HTTPNotFoundError);
  });

  it('in each locale', async () => {
    const page = client.single('front-page');
    await page.update({ headline: 'Hello' });
    await page.update({ headline: 'Bonjour' }, { locale: 'fr' });
    expect(entryOf(await page.find()).attributes.headline).toBe('Hello');
    expect(entryOf(await page.find({ locale: 'fr' })).attributes.headline).toBe('Bonjour');
  });
});

describe('files', () => {
  it('upload, find, findOne, update and delete', async () => {
    const [uploaded] = await client.files.upload(Buffer.from(pngOf(5, 4)), {
      filename: 'Äpfel & Birnen.png',
      mimetype: 'image/png',
      fileInfo: { alternativeText: 'fruit', caption: 'two kinds' },
    });
    const id = Number(uploaded?.id);
    await client.files.upload(new File([pngOf(1, 1)], 'dot.png', { type: 'image/png' }));
    expect(uploaded).toMatchObject({ name: 'Äpfel & Birnen.png', mime: 'image/png', width: 5, height: 4 });
    expect((await client.files.find({ sort: 'name:desc' })).map(({ name }) => name)).toEqual([
      'Äpfel & Birnen.png',
      'dot.png',
    ]);
    expect(await client.files.find({ filters: { name: { $contains: 'dot' } } })).toHaveLength(1);
    const cover = await create('articles', { title: 'Fruit', cover: id });
    await client.files.update(id, { name: 'fruit.png', caption: '' });
    expect(await client.files.findOne(id)).toMatchObject({ name: 'fruit.png', alternativeText: 'fruit' });
    expect((await fetch(`${server.origin}${uploaded?.url}`)).headers.get('content-type')).toBe('image/png');
    expect(await client.files.delete(id)).toMatchObject({ id, name: 'fruit.png' });
    await expect(client.files.findOne(id)).rejects.toThrow();
    const { attributes } = entryOf(await client.collection('articles').findOne(String(cover), { populate: 'cover' }));
    expect(attributes.cover).toEqual({ data: null });
  });
});
