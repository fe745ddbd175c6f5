/** The trash: what is deleted is gone everywhere at once, and comes back as it was, in both states, at its places of all lists. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const DAY = 86_400_000;

const SCHEMA = `
name: trash
databases: [sqlite, postgres, mysql]
api: { format: v5 }
locales: [en, de]
contentTypes:
  article:
    draftAndPublish: true
    history: true
    trash: 30d
    attributes:
      title: { type: string, required: true }
      slug: { type: string, unique: true }
      secret: { type: password }
      hidden: { type: string, private: true }
      json: { type: json }
      at: { type: datetime }
      price: { type: decimal }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      twin: { type: relation, relation: oneToOne, target: article, inversedBy: twinOf }
      twinOf: { type: relation, relation: oneToOne, target: article, mappedBy: twin }
      see: { type: relation, relation: manyWay, target: article }
      any: { type: relation, relation: morphToMany, targets: [tag, article] }
      parts: { type: component, component: part.one, repeatable: true }
      owner: { type: relation, relation: manyToOne, target: user }
  author:
    trash: 7d
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
      books: { type: relation, relation: oneToMany, target: book, mappedBy: author }
  book:
    trash: 30d
    attributes:
      name: { type: string }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: books, required: true, onDelete: cascade }
  tag:
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  page:
    trash: 30d
    localized: true
    draftAndPublish: true
    attributes:
      title: { type: string }
      code: { type: string, unique: true, localized: false }
      tags: { type: relation, relation: manyWay, target: tag, localized: false }
      parent: { type: relation, relation: manyToOne, target: page, inversedBy: children, localized: false }
      children: { type: relation, relation: oneToMany, target: page, mappedBy: parent, localized: false }
  home: { kind: singleType, trash: 30d, attributes: { title: { type: string } } }
  about: { kind: singleType, trash: 30d, localized: true, attributes: { title: { type: string } } }
components:
  part.one: { attributes: { text: { type: string }, tags: { type: relation, relation: manyWay, target: tag }, to: { type: relation, relation: oneWay, target: article } } }
permissions:
  authenticated:
    article: [find, findOne, preview, create, { delete: { where: { owner: $user } } }]
    tag: [find]
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let database: Database;
  let server: TestServer;
  let admin: string;
  let told: string[] = [];
  const url = () => made?.url ?? project.urlOf('trash');
  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'trash');
    const hooks = { article: { afterCreate: ({ entry }: any) => void told.push(entry.attributes.title) } };
    server = await project.start({ DATABASE_URL: url() }, { hooks } as any);
    database = await openDatabase(url());
    admin = await createToken(database, { kind: 'full-access' });
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    await made?.drop();
  });
  beforeEach(async () => {
    for (const table of ['trashed_entries', 'articles', 'books', 'authors', 'tags', 'pages', 'homes', 'abouts']) {
      await database.run(raw(`DELETE FROM ${table}`));
    }
    // What is deleted by SQL leaves no versions.
    await database.run(raw('DELETE FROM content_history WHERE entry_id > 0'));
    told = [];
  });

  const send = (method: string, path: string, body?: object, token = admin) =>
    server.send(method, `/api${path}`, { token, ...(body && { body }) });
  const make = async (type: string, data: object, query = ''): Promise<string> => {
    const { body } = await send('POST', `/${type}${query}`, { data });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data.documentId;
  };
  const VOLATILE = new Set(['updatedAt', 'publishedAt']);
  /** All content in both states, as far as it can be seen from each side. */
  const everything = async () => {
    const queries = [
      '/articles?sort=id&populate[tags]=true&populate[author]=true&populate[twin]=true&populate[twinOf]=true&populate[see]=true&populate[any]=true&populate[parts][populate]=*',
      '/authors?sort=id&populate=*',
      '/books?sort=id&populate=*',
      '/tags?sort=id&populate=*',
      '/pages?sort=id&populate=*',
      '/pages?sort=id&populate=*&locale=de',
    ];
    const answers: unknown[] = [];
    for (const query of queries) {
      for (const status of ['draft', 'published']) {
        const { body } = await send('GET', `${query}&status=${status}`);
        if (!body.data) throw new Error(`${query}: ${JSON.stringify(body)}`);
        answers.push(body.data);
      }
    }
    return JSON.parse(JSON.stringify(answers, (key, value) => (VOLATILE.has(key) ? undefined : (value as unknown))));
  };
  const trash = async (type: string, token = admin) =>
    (await send('GET', `/${type}/trash`, undefined, token)).body.data;
  const restore = (type: string, documentId: string, token = admin) =>
    send('POST', `/${type}/${documentId}/actions/restore`, undefined, token);

  it('hides an entry everywhere, and brings it back as it was, at its places of all lists', async () => {
    const tags = [
      await make('tags', { name: 't1' }),
      await make('tags', { name: 't2' }),
      await make('tags', { name: 't3' }),
    ];
    const author = await make('authors', { name: 'Ann' });
    const [first, last] = [await make('articles', { title: 'First', tags }), await make('articles', { title: 'Last' })];
    const main = await make('articles', {
      title: 'Main',
      slug: 'main',
      secret: 'a long password',
      json: { a: [1, null] },
      at: '2026-01-02T03:04:05.678Z',
      price: '12.50',
      tags: [tags[2], tags[0]],
      author,
      see: [last, first],
      twin: last,
      any: [
        { documentId: tags[1], __type: 'api::tag.tag' },
        { documentId: first, __type: 'api::article.article' },
      ],
      parts: [{ text: 'p', tags: [tags[1], tags[0]], to: first }],
    });
    await send('PUT', `/articles/${first}`, { data: { see: [last, main, first], parts: [{ to: main }], author } });
    await send('PUT', `/articles/${last}`, { data: { author, tags: [tags[0]], twin: main } });
    await send('PUT', `/tags/${tags[0]}`, { data: { articles: [last, main, first] } });
    await send('PUT', `/authors/${author}`, { data: { articles: [last, main, first] } });
    await send('PUT', `/articles/${main}?status=draft`, { data: { title: 'Pending', tags: [tags[1]], see: [first] } });
    const before = await everything();
    told = [];
    expect((await send('DELETE', `/articles/${main}`)).status).toBe(204);
    expect(JSON.stringify(await everything())).not.toMatch(/Main|Pending/u);
    expect((await send('GET', `/articles/${main}`)).status).toBe(404);
    const [kept, ...others] = await trash('articles');
    expect(kept).toMatchObject({ documentId: main, title: 'Pending', published: true, by: { kind: 'token' } });
    expect([others, Date.parse(kept.until) - Date.parse(kept.deletedAt)]).toEqual([[], 30 * DAY]);
    const restored = await restore('articles', main);
    expect([restored.status, restored.body.data.title]).toEqual([200, 'Pending']);
    expect(await everything()).toEqual(before);
    expect(told).toEqual(['Main']);
    expect(await trash('articles')).toEqual([]);
    expect((await restore('articles', main)).status).toBe(404);
    // Its draft can be published, and it can be deleted again.
    expect((await send('POST', `/articles/${main}/actions/publish`)).body.data.title).toBe('Pending');
    const [row] = await database.all(raw("SELECT secret, hidden FROM articles WHERE title = 'Pending'"));
    expect(String(row?.['secret'])).toMatch(/^\$/u);
    await send('DELETE', `/articles/${main}`);
    expect((await restore('articles', main)).status).toBe(200);
    const history = (await send('GET', `/articles/${main}/history`)).body.data.map(({ action }: any) => action);
    expect(history.filter((action: string) => ['create', 'delete'].includes(action)).length).toBeGreaterThan(3);
  });

  it('can be read as of a time before, during and after a deletion', async () => {
    const instant = async () => {
      await sleep(5);
      const time = new Date().toISOString();
      await sleep(5);
      return time;
    };
    const main = await make('articles', { title: 'Main', slug: 'main' });
    const list = await make('articles', { title: 'List', see: [main] });
    await send('PUT', `/articles/${main}?status=draft`, { data: { title: 'Pending' } });
    const asOf = async (time: string | undefined, status: string) => {
      const at = time === undefined ? '' : `&asOf=${time}`;
      const { body } = await send('GET', `/articles?populate[see][fields]=title&status=${status}${at}`);
      return JSON.stringify(body);
    };
    const states = ['draft', 'published'];
    const kept: [string, string, string][] = [];
    const keep = async () => {
      const time = await instant();
      for (const status of states) kept.push([time, status, await asOf(undefined, status)]);
    };
    await keep();
    await send('DELETE', `/articles/${main}`);
    await keep();
    await restore('articles', main);
    await keep();
    await send('PUT', `/articles/${main}`, { data: { title: 'Later', see: [list] } });
    await send('DELETE', `/articles/${main}`);
    for (const [time, status, was] of kept) {
      expect([time, status, await asOf(time, status)]).toEqual([time, status, was]);
    }
    expect(kept.map(([, , was]) => was.includes('Main') || was.includes('Pending'))).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
    // What is in the trash has no history of its own, and goes on with it afterwards.
    expect((await send('GET', `/articles/${main}/history`)).status).toBe(404);
    await restore('articles', main);
    const actions = (await send('GET', `/articles/${main}/history`)).body.data.map(({ action }: any) => action);
    expect(actions.filter((action: string) => action === 'delete').length).toBe(2);
  });

  it('leaves out what is gone, and goes next to what took its place', async () => {
    const tags = [await make('tags', { name: 't1' }), await make('tags', { name: 't2' })];
    const target = await make('articles', { title: 'Target' });
    const main = await make('articles', { title: 'Main', tags, twin: target, see: [target] });
    const list = await make('articles', { title: 'List', see: [target, main] });
    const end = await make('articles', { title: 'End' });
    await send('PUT', `/articles/${list}`, { data: { see: { connect: [{ documentId: end }] } } });
    await send('DELETE', `/articles/${main}`);
    await send('DELETE', `/tags/${tags[0]}`);
    const other = await make('articles', { title: 'Other', twin: target });
    await send('PUT', `/articles/${list}`, {
      data: { see: { connect: [{ documentId: other, position: { after: target } }] } },
    });
    expect((await restore('articles', main)).status).toBe(200);
    const { body } = await send('GET', `/articles/${main}?populate=*`);
    expect([body.data.tags.map(({ name }: any) => name), body.data.twin]).toEqual([['t2'], null]);
    const see = (await send('GET', `/articles/${list}?populate=see`)).body.data.see.map(({ title }: any) => title);
    expect([see[0], see.slice(1, 3).toSorted(), see[3]]).toEqual(['Target', ['Main', 'Other'], 'End']);
  });

  it('names the unique value that another entry has by now, and what required entry is gone', async () => {
    const main = await make('articles', { title: 'Main', slug: 'same' });
    await send('DELETE', `/articles/${main}`);
    const other = await make('articles', { title: 'Other', slug: 'same' });
    const refused = await restore('articles', main);
    expect([refused.status, refused.body.error.details.errors.map(({ path }: any) => path)]).toEqual([400, [['slug']]]);
    expect(await trash('articles')).toHaveLength(1);
    await send('PUT', `/articles/${other}`, { data: { slug: 'free' } });
    expect((await restore('articles', main)).status).toBe(200);
    const author = await make('authors', { name: 'Ann' });
    const book = await make('books', { name: 'Book', author });
    await send('DELETE', `/authors/${author}`);
    expect([await trash('authors'), await trash('books')].map((rows) => rows.length)).toEqual([1, 1]);
    const lost = await restore('books', book);
    expect([lost.status, lost.body.error.message]).toEqual([400, expect.stringContaining('author')]);
    expect((await restore('authors', author)).status).toBe(200);
    expect((await restore('books', book)).status).toBe(200);
    const books = (await send('GET', `/authors/${author}?populate=books`)).body.data.books;
    expect(books.map(({ name }: any) => name)).toEqual(['Book']);
  });

  it('brings back all locales of an entry, or the one that was deleted, with what they share', async () => {
    const tag = await make('tags', { name: 't' });
    const child = await make('pages', { title: 'Child' });
    const page = await make('pages', { title: 'Hello', code: 'one', tags: [tag], children: [child] });
    await send('PUT', `/pages/${page}?locale=de`, { data: { title: 'Hallo' } });
    const before = await everything();
    await send('DELETE', `/pages/${page}?locale=*`);
    const free = await make('pages', { title: 'x', code: 'one' });
    expect((await restore('pages', page)).status).toBe(400);
    await send('DELETE', `/pages/${free}`);
    expect((await trash('pages')).map(({ locales }: any) => locales)).toEqual([['en'], ['en', 'de']]);
    expect((await restore('pages', page)).status).toBe(200);
    expect(await everything()).toEqual(before);
    // The first row, to which relations between entries refer.
    await send('DELETE', `/pages/${page}?locale=en`);
    await send('PUT', `/pages/${page}?locale=de`, { data: { code: 'two' } });
    expect((await restore('pages', page)).status).toBe(200);
    const codes = async (locale: string) => (await send('GET', `/pages/${page}?locale=${locale}&populate=*`)).body.data;
    const [en, de] = [await codes('en'), await codes('de')];
    expect([en.title, en.code, de.title, de.code]).toEqual(['Hello', 'two', 'Hallo', 'two']);
    for (const one of [en, de]) expect(one.tags.map(({ name }: any) => name)).toEqual(['t']);
    expect(en.children.map(({ title }: any) => title)).toEqual(['Child']);
    expect((await send('POST', '/pages', { data: { title: 'y', code: 'two' } })).status).toBe(400);
    expect((await send('PUT', `/pages/${page}?locale=en`, { data: { code: 'three' } })).status).toBe(200);
    expect((await codes('de')).code).toBe('three');
  });

  it('says that a locale, or the entry of a single type, exists again', async () => {
    const page = await make('pages', { title: 'Hello' });
    const inGerman = (method: string, title?: string) =>
      send(method, `/pages/${page}?locale=de`, title === undefined ? undefined : { data: { title } });
    await inGerman('PUT', 'Hallo');
    await inGerman('DELETE');
    await inGerman('PUT', 'Servus');
    const locale = await restore('pages', page);
    expect([locale.status, locale.body.error.message]).toEqual([
      400,
      'This entry exists again in de: change that one instead',
    ]);
    expect((await inGerman('GET')).body.data.title).toBe('Servus');
    await send('DELETE', `/pages/${page}?locale=*`);
    expect((await restore('pages', page)).status).toBe(200);
    expect((await inGerman('GET')).body.data.title).toBe('Servus');

    const single = (method: string, path: string, title?: string) =>
      send(method, path, title === undefined ? undefined : { data: { title } });
    for (const [name, query] of [
      ['home', ''],
      ['about', '?locale=de'],
    ] as const) {
      await single('PUT', `/${name}${query}`, 'Old');
      await single('DELETE', `/${name}${query}`);
      await single('PUT', `/${name}`, 'New');
      const refused = await single('POST', `/${name}/actions/restore`);
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringMatching(/^This entry exists again(?: in en)?: change that one instead$/u),
      ]);
      expect((await single('GET', `/${name}`)).body.data.title).toBe('New');
      expect(await trash(name)).toHaveLength(1);
    }
  });

  it('restores a locale, or refuses to, while another request adds it', async () => {
    const page = await make('pages', { title: 'Hello' });
    const put = (title: string) => send('PUT', `/pages/${page}?locale=de`, { data: { title } });
    for (let round = 0; round < 10; round += 1) {
      await put('Old');
      await send('DELETE', `/pages/${page}?locale=de`);
      const [restored, added] = await Promise.all([restore('pages', page), put('New')]);
      expect([200, 400]).toContain(restored.status);
      expect(added.status).toBe(200);
      await send('DELETE', `/pages/${page}?locale=de`);
    }
  });

  it('shows whoever may delete some entries what they have deleted, and is emptied in time', async () => {
    const ann = await server.register(`ann${Date.now()}`);
    const { documentId } = (await send('POST', '/users', { data: {} })).body?.data ?? {};
    void documentId;
    const mine = await make('articles', { title: 'Mine' });
    const theirs = await make('articles', { title: 'Theirs' });
    await database.run(raw(`UPDATE articles SET owner_id = ${ann.id} WHERE title = 'Mine'`));
    await send('DELETE', `/articles/${theirs}`);
    expect((await send('DELETE', `/articles/${mine}`, undefined, ann.jwt)).status).toBe(204);
    expect((await trash('articles', ann.jwt)).map(({ title }: any) => title)).toEqual(['Mine']);
    expect((await trash('articles')).map(({ title }: any) => title)).toEqual(['Mine', 'Theirs']);
    expect((await restore('articles', theirs, ann.jwt)).status).toBe(404);
    expect((await restore('articles', mine, ann.jwt)).status).toBe(200);
    expect((await fetch(`${server.origin}/api/articles/trash`)).status).toBe(403);
    await send('PUT', '/home', { data: { title: 'Home' } });
    await send('DELETE', '/home');
    expect((await send('POST', '/home/actions/restore')).body.data.title).toBe('Home');
    await server.advance(31 * DAY);
    expect(await trash('articles')).toEqual([]);
    expect((await restore('articles', theirs)).status).toBe(404);
    expect(await database.all(raw('SELECT id FROM trashed_entries'))).toEqual([]);
  });
});
