/** What a reverted release leaves of the entries that it has not named: as it was published before, and nothing is lost. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: reverted
databases: [sqlite, postgres, mysql]
api: { format: v5 }
locales: [en, fr, de]
schedules: true
contentTypes:
  page:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true }
      rating: { type: integer, localized: false }
      code: { type: string, unique: true, localized: false }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: pages, localized: false }
  note:
    draftAndPublish: true
    localized: true
    attributes:
      text: { type: string }
      rating: { type: integer, localized: false }
  article:
    draftAndPublish: true
    history: true
    attributes:
      title: { type: string, required: true }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      lead: { type: relation, relation: oneToOne, target: author, inversedBy: leads }
      comments: { type: relation, relation: oneToMany, target: comment, mappedBy: article }
      shelves: { type: relation, relation: morphMany, target: shelf, morphBy: shown }
  author:
    draftAndPublish: true
    history: true
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
      leads: { type: relation, relation: oneToOne, target: article, mappedBy: lead }
  comment:
    attributes:
      text: { type: string }
      article: { type: relation, relation: manyToOne, target: article, inversedBy: comments, required: true }
  guide:
    draftAndPublish: true
    attributes:
      name: { type: string }
      see: { type: relation, relation: manyWay, target: article }
      main: { type: relation, relation: oneWay, target: article }
      parts: { type: component, component: part.one, repeatable: true }
  shelf:
    draftAndPublish: true
    attributes:
      name: { type: string }
      shown: { type: relation, relation: morphToOne, targets: [article, author] }
  tag:
    attributes:
      name: { type: string, required: true }
      pages: { type: relation, relation: manyToMany, target: page, mappedBy: tags }
components:
  part.one: { attributes: { text: { type: string }, article: { type: relation, relation: oneWay, target: article } } }
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  beforeAll(async () => {
    site = await startOn(engine, project, 'reverted');
  });
  afterAll(() => site?.close());

  const send = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await site.server.send(method, `/api${path}`, {
      token: site.admin,
      ...(body && { body }),
    });
    return { status, data: answer?.data, error: answer?.error };
  };
  const ok = async (method: string, path: string, body?: object) => {
    const { status, data, error } = await send(method, path, body);
    if (status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`);
    return data;
  };
  const make = async (types: string, data: object, more = '') =>
    (await ok('POST', `/${types}${more}`, { data })).documentId as string;
  const draft = (path: string, data: object) =>
    ok('PUT', `/${path}${path.includes('?') ? '&' : '?'}status=draft`, { data });
  const publishRelease = async (...items: object[]): Promise<number> => {
    const named = items.map((item) => ({ action: 'publish', ...item }));
    const { id } = await ok('POST', '/releases', { name: 'Spring', items: named });
    await ok('POST', `/releases/${id}/actions/publish`);
    return id;
  };
  /** A time that is past by the clocks of the server and of the database. */
  const now = async () => {
    await setTimeout(20);
    return new Date().toISOString();
  };
  const revert = (id: number) => send('POST', `/releases/${id}/actions/revert`);
  const shown = (path: string) => ok('GET', `/${path}${path.includes('?') ? '&' : '?'}populate=*`);
  const refused = { status: 400, error: { details: { refusals: [{ item: 0 }] } } };

  const page = async (id: string, locale: string) => {
    const { status, data } = await send('GET', `/pages/${id}?locale=${locale}&populate=tags`);
    return status === 404 ? undefined : [data.rating, data.code, data.tags.map(({ name }: any) => name)];
  };

  it('gives other locales what they shared before, if one was not published', async () => {
    const [one, two] = [await make('tags', { name: 'one' }), await make('tags', { name: 'two' })];
    const id = await make('pages', { title: 'Hello', rating: 1, code: 'a', tags: [one] });
    await draft(`pages/${id}?locale=fr`, { title: 'Salut' });
    await draft(`pages/${id}?locale=fr`, { rating: 7, code: 'b', tags: [two, one] });
    const release = await publishRelease({ type: 'page', id, locale: 'fr' });
    expect(await page(id, 'en')).toEqual([7, 'b', ['two', 'one']]);
    expect((await revert(release)).status).toBe(200);
    expect([await page(id, 'en'), await page(id, 'fr')]).toEqual([[1, 'a', ['one']], undefined]);
    expect((await shown(`tags/${two}`)).pages).toEqual([]);
    // The value is claimed again, and the other one free.
    expect((await send('POST', '/pages', { data: { title: 'Other', code: 'a' } })).status).toBe(400);
    expect((await send('POST', '/pages', { data: { title: 'Other', code: 'b' } })).status).toBe(201);
  });

  it('is refused once another locale has been published with what is shared', async () => {
    const id = await make('pages', { title: 'Hello', rating: 1 });
    await draft(`pages/${id}?locale=fr`, { title: 'Salut', rating: 7 });
    const release = await publishRelease({ type: 'page', id, locale: 'fr' });
    await ok('PUT', `/pages/${id}`, { data: { title: 'Corrected' } });
    expect(await revert(release)).toMatchObject(refused);
    expect((await shown(`pages/${id}`)).title).toBe('Corrected');
  });

  it('leaves other locales alone whose shared values the release has not changed', async () => {
    const id = await make('notes', { text: 'Hello', rating: 1 });
    await draft(`notes/${id}?locale=fr`, { text: 'Salut' });
    const release = await publishRelease({ type: 'note', id, locale: 'fr' });
    await ok('PUT', `/notes/${id}`, { data: { text: 'Corrected' } });
    expect((await revert(release)).status).toBe(200);
    expect(await shown(`notes/${id}`)).toMatchObject({ text: 'Corrected', rating: 1 });
    expect((await send('GET', `/notes/${id}?locale=fr`)).status).toBe(404);
  });

  it('gives back what other entries have lost to those of the release', async () => {
    const [ann, bob] = [await make('authors', { name: 'Ann' }), await make('authors', { name: 'Bob' })];
    const first = await make('articles', { title: 'First', author: ann, lead: ann });
    const second = await make('articles', { title: 'Second' });
    await draft(`authors/${bob}`, { articles: { connect: [first, second] }, leads: first });
    let release = await publishRelease({ type: 'author', id: bob });
    expect(await shown(`articles/${first}`)).toMatchObject({ author: { name: 'Bob' }, lead: { name: 'Bob' } });
    expect((await revert(release)).status).toBe(200);
    expect(await shown(`articles/${first}`)).toMatchObject({ author: { name: 'Ann' }, lead: { name: 'Ann' } });
    expect((await shown(`articles/${second}`)).author).toBeNull();
    expect((await shown(`authors/${ann}`)).articles).toMatchObject([{ title: 'First' }]);
    const then = (await ok('GET', `/authors/${ann}?populate=articles&asOf=${await now()}`)).articles;
    expect(then).toMatchObject([{ title: 'First' }]);

    await draft(`articles/${second}`, { lead: ann });
    release = await publishRelease({ type: 'article', id: second });
    expect((await shown(`articles/${first}`)).lead).toBeNull();
    expect((await revert(release)).status).toBe(200);
    expect((await shown(`articles/${first}`)).lead).toMatchObject({ name: 'Ann' });
    expect((await shown(`articles/${second}`)).lead).toBeNull();
  });

  it('is refused once an entry that has lost something refers to another', async () => {
    const [ann, bob, cyd] = [
      await make('authors', { name: 'Ann' }),
      await make('authors', { name: 'Bob' }),
      await make('authors', { name: 'Cyd' }),
    ];
    const article = await make('articles', { title: 'One', author: ann });
    await draft(`authors/${bob}`, { articles: [article] });
    const release = await publishRelease({ type: 'author', id: bob });
    await ok('PUT', `/articles/${article}`, { data: { author: cyd } });
    expect(await revert(release)).toMatchObject(refused);
    expect((await shown(`articles/${article}`)).author).toMatchObject({ name: 'Cyd' });
  });

  it('leaves out what was deleted since', async () => {
    const [ann, bob] = [await make('authors', { name: 'Ann' }), await make('authors', { name: 'Bob' })];
    const article = await make('articles', { title: 'First', author: ann });
    await draft(`authors/${bob}`, { articles: [article] });
    const release = await publishRelease({ type: 'author', id: bob });
    await ok('DELETE', `/authors/${ann}`);
    expect((await revert(release)).status).toBe(200);
    expect((await shown(`articles/${article}`)).author).toBeNull();
  });

  it('is refused once something else has been connected, which would be lost', async () => {
    const id = await make('articles', { title: 'First' });
    const former = await make('comments', { text: 'before', article: id });
    await draft(`articles/${id}`, { title: 'Second' });
    const release = await publishRelease({ type: 'article', id });
    const since = await make('comments', { text: 'since', article: id });
    expect(await revert(release)).toMatchObject(refused);
    const titles = async (comment: string) => (await shown(`comments/${comment}`)).article?.title;
    expect([await titles(since), await titles(former)]).toEqual(['Second', 'Second']);
  });

  it('leaves the relations that others have to its entries as they are', async () => {
    const id = await make('articles', { title: 'First' });
    const parts = [{ text: 'p', article: id }];
    const before = await make('guides', { name: 'before', see: [id], main: id, parts });
    await draft(`articles/${id}`, { title: 'Second' });
    const release = await publishRelease({ type: 'article', id });
    const since = await make('guides', { name: 'since', see: [id], main: id, parts });
    expect((await revert(release)).status).toBe(200);
    for (const guide of [before, since]) {
      const found = await ok(
        'GET',
        `/guides/${guide}?populate[see]=true&populate[main]=true&populate[parts][populate]=*`,
      );
      const [see, main, part] = [found.see[0], found.main, found.parts[0].article];
      expect([see.title, main.title, part.title]).toEqual(['First', 'First', 'First']);
    }
  });

  it('gives back polymorphic relations', async () => {
    const two = await make('articles', { title: 'Two' });
    const [first, second] = [await make('articles', { title: 'One' }), two].map(async (id) => ({
      type: 'article',
      id: (await shown(`articles/${id}`)).id as number,
    }));
    const shelf = await make('shelves', { name: 'S', shown: await first });
    await draft(`articles/${two}`, { title: 'Two!' });
    await draft(`shelves/${shelf}`, { shown: await second });
    const title = async () => (await shown(`shelves/${shelf}`)).shown?.title;
    const release = await publishRelease({ type: 'article', id: two });
    expect(await title()).toBe('Two!');
    expect((await revert(release)).status).toBe(200);
    expect(await title()).toBe('One');

    const again = await publishRelease({ type: 'article', id: two });
    await ok('PUT', `/shelves/${shelf}`, { data: { shown: await first } });
    expect(await revert(again)).toMatchObject(refused);
    expect(await title()).toBe('One');
  });
});
