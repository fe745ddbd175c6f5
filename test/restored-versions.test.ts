/** Restoring and comparing versions, by callers who may not see or change all that a version refers to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: restored
databases: [sqlite, postgres, mysql]
api: { format: v4 }
contentTypes:
  article:
    draftAndPublish: true
    history: true
    attributes:
      title: { type: string }
      author: { type: relation, relation: manyToOne, target: author }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      comments: { type: relation, relation: oneToMany, target: comment, mappedBy: article }
      about: { type: relation, relation: morphToMany, targets: [author, tag] }
      facts: { type: component, component: shared.fact, repeatable: true }
  author: { draftAndPublish: true, attributes: { name: { type: string } } }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  comment:
    attributes:
      text: { type: string }
      article: { type: relation, relation: manyToOne, target: article, inversedBy: comments, required: true }
components:
  shared.fact:
    attributes:
      text: { type: string }
      about: { type: relation, relation: oneWay, target: tag }
      by: { type: relation, relation: oneWay, target: author }
permissions:
  authenticated:
    article: [find, findOne, update, preview, history]
    author: [{ find: { where: { name: { $ne: Hidden } } } }]
    tag: [{ find: { where: { name: { $ne: Hidden } } } }]
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  let ann: string;
  beforeAll(async () => {
    site = await startOn(engine, project, 'restored');
    ann = (await site.server.register('ann')).jwt;
  });
  afterAll(() => site?.close());

  const send = (method: string, path: string, data?: object, token = site.admin) =>
    site.server.send(method, `/api/${path}`, { token, ...(data && { body: { data } }) });
  const make = async (path: string, data: object): Promise<number> => (await send('POST', path, data)).body.data.id;
  const versionsOf = async (path: string): Promise<number[]> =>
    (await send('GET', `${path}/history`)).body.data.map(({ version }: any) => version);
  const shown = async (path: string) => {
    const query = 'publicationState=preview&populate[author]=*&populate[tags]=*&populate[facts][populate]=about';
    const { author, tags, facts } = (await send('GET', `${path}?${query}`)).body.data.attributes;
    const about = facts.map(({ about: one }: any) => one.data?.id ?? null);
    return { author: author.data?.id ?? null, tags: tags.data.map(({ id }: any) => id), about };
  };

  it('treats hidden entries as if they were gone, and does not name them', async () => {
    const [hidden, author] = [await make('authors', { name: 'Hidden' }), await make('authors', { name: 'Open' })];
    const [secret, tag, gone] = [
      await make('tags', { name: 'Hidden' }),
      await make('tags', { name: 'Open' }),
      await make('tags', { name: 'Gone' }),
    ];
    const about = [{ about: secret }, { about: tag }];
    const path = `articles/${await make('articles', { title: 'a', author: hidden, tags: [secret, tag, gone], facts: about })}`;
    const [first] = await versionsOf(path);
    await send('PUT', path, { title: 'b', author, tags: [], facts: [] });
    const restore = (query: string, token = ann) =>
      send('POST', `${path}/history/${first}/restore${query}`, undefined, token);
    const open = await createToken(site.database, {
      kind: 'custom',
      permissions: ['article.find', 'article.findOne', 'article.update', 'article.preview', 'article.history'],
    });
    const isGone = 'no longer exists, or this role may not find it: with ?missing=ignore it is left out';
    for (const by of [ann, open]) {
      const { status, body } = await restore('', by);
      expect([status, body.error.details.errors.map(({ path: at, message }: any) => [at, message])]).toEqual([
        400,
        [
          [['author'], `an entry of author ${isGone}`],
          [['tags'], `an entry of tag ${isGone}`],
          [['facts', 'about'], `an entry of tag ${isGone}`],
        ],
      ]);
    }
    await send('DELETE', `tags/${gone}`);
    expect((await restore('')).body.error.details.errors).toHaveLength(3);
    expect((await restore('', site.admin)).body.error.details.errors).toMatchObject([
      { path: ['tags'], message: `the tag ${gone} no longer exists: with ?missing=ignore it is left out` },
    ]);
    expect((await restore('?missing=ignore')).status).toBe(200);
    expect(await shown(path)).toEqual({ author: null, tags: [tag], about: [null, tag] });
    expect((await restore('?missing=ignore', site.admin)).status).toBe(200);
    expect(await shown(path)).toEqual({ author: hidden, tags: [secret, tag], about: [secret, tag] });
  });

  it('leaves entries where they are that must be somewhere', async () => {
    const id = await make('articles', { title: 'a' });
    const path = `articles/${id}`;
    await send('PUT', path, { title: 'b' });
    const comment = await make('comments', { text: 'c', article: id });
    const [, , first] = await versionsOf(path);
    const comments = async (of: string) =>
      (await send('GET', `${of}?populate=comments`)).body.data.attributes.comments.data.map((one: any) => one.id);
    const restored = await send('POST', `${path}/history/${first}/restore`);
    expect([restored.status, restored.body.data?.attributes.title]).toEqual([200, 'a']);
    expect(await comments(path)).toEqual([comment]);
    // Nor are they taken from another entry.
    const [withComment] = await versionsOf(path);
    const other = `articles/${await make('articles', { title: 'other', comments: [comment] })}`;
    expect([await comments(path), await comments(other)]).toEqual([[], [comment]]);
    expect((await send('POST', `${path}/history/${withComment}/restore`)).status).toBe(200);
    expect([await comments(path), await comments(other)]).toEqual([[], [comment]]);
  });

  it('compares versions without what refers to drafts that the caller may not see', async () => {
    const [author, tag] = [await make('authors', { name: 'Open' }), await make('tags', { name: 'Open' })];
    const about = {
      about: [
        { id: author, __type: 'api::author.author' },
        { id: tag, __type: 'api::tag.tag' },
      ],
    };
    const path = `articles/${await make('articles', { title: 'a' })}`;
    await send('PUT', path, { title: 'b', author, tags: [tag], facts: [{ text: 'f', by: author }], ...about });
    const [second, first] = await versionsOf(path);
    const compared = async (token: string) => {
      const { status, body } = await send('GET', `${path}/history/${first}..${second}`, undefined, token);
      return [status, body.data?.map((one: any) => one.attribute), JSON.stringify(body.data)];
    };
    const all = ['title', 'author', 'tags', 'about', 'facts'];
    const rights = ['article.find', 'article.findOne', 'article.preview', 'article.history', 'author.find', 'tag.find'];
    const reader = await createToken(site.database, { kind: 'custom', permissions: [...rights, 'author.preview'] });
    const [status, names, text] = await compared(reader);
    expect([status, names]).toEqual([200, all]);
    expect(text).toContain('api::author.author');
    expect(text).toContain('"by"');
    for (const by of [ann, await createToken(site.database, { kind: 'custom', permissions: rights })]) {
      const [answered, known, shownText] = await compared(by);
      expect([answered, known]).toEqual([200, all.filter((name) => name !== 'author')]);
      expect(shownText).toContain('api::tag.tag');
      expect(shownText).not.toMatch(/api::author\.author|"by"/u);
    }
  });
});
