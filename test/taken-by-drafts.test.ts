/**
 * Drafts that take entries from others, and what refers to an entry only in what is published: discarding and deleting on each engine
 * leave what is published as it was, and the entries that others must have.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: taken
databases: [sqlite, postgres, mysql]
api: { format: v4 }
contentTypes:
  article:
    draftAndPublish: true
    history: true
    attributes:
      title: { type: string }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      host: { type: relation, relation: manyToOne, target: author, required: true }
      tags: { type: relation, relation: oneWay, target: author, onDelete: restrict }
      about: { type: relation, relation: morphToOne, targets: [author, comment], onDelete: restrict }
      comments: { type: relation, relation: oneToMany, target: comment, mappedBy: article }
      notes: { type: relation, relation: oneToMany, target: note, mappedBy: article }
      label: { type: relation, relation: oneToOne, target: label, mappedBy: article }
      badge: { type: relation, relation: oneToOne, target: badge, mappedBy: article }
      stories: { type: relation, relation: oneToMany, target: story, mappedBy: article }
  author:
    draftAndPublish: true
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  comment:
    history: true
    attributes:
      article: { type: relation, relation: manyToOne, target: article, inversedBy: comments, required: true }
  badge:
    attributes:
      article: { type: relation, relation: oneToOne, target: article, inversedBy: badge, required: true }
  label:
    attributes:
      article: { type: relation, relation: oneToOne, target: article, inversedBy: label }
  note:
    attributes:
      article: { type: relation, relation: manyToOne, target: article, inversedBy: notes, onDelete: cascade }
  story:
    draftAndPublish: true
    attributes:
      title: { type: string }
      article: { type: relation, relation: manyToOne, target: article, inversedBy: stories, onDelete: cascade }
permissions:
  authenticated:
    author: [find, findOne, delete, preview]
    article: [find, findOne]
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  let host: number;
  beforeAll(async () => {
    site = await startOn(engine, project, 'taken');
    host = await create('authors');
  });
  afterAll(() => site?.close());

  const send = (method: string, path: string, data?: object, token = site.admin) =>
    site.server.send(method, `/api/${path}`, { token, ...(data && { body: { data } }) });

  async function create(path: string, data: object = {}): Promise<number> {
    const { status, body } = await send('POST', path, data);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data.id;
  }
  const article = (data: object = {}) => create('articles', { host, ...data });
  const draft = async (path: string, data: object) => {
    expect((await send('PUT', `${path}?status=draft`, data)).status).toBe(200);
  };
  /** The id behind a relation to one entry, or the ids of a list. */
  async function related(path: string, name: string, state = 'live') {
    const { body } = await send('GET', `${path}?populate=${name}&publicationState=${state}`);
    const { data } = body.data.attributes[name];
    return Array.isArray(data) ? data.map(({ id }: { id: number }) => id) : (data?.id ?? null);
  }
  const messagesOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.message];

  describe('discarding a draft that has taken entries gives them back', () => {
    it('to the entries that must have them, with their places', async () => {
      const [a, b] = [await article(), await article()];
      const comments = [await create('comments', { article: a }), await create('comments', { article: a })];
      await draft(`articles/${b}`, { comments });
      expect(await related(`articles/${a}`, 'comments', 'preview')).toEqual([]);
      const tag = async () => (await send('GET', `articles/${a}?publicationState=preview`)).headers.get('etag');
      const former = await tag();
      expect((await send('POST', `articles/${b}/actions/discard-draft`)).status).toBe(200);
      expect(await related(`articles/${a}`, 'comments', 'preview')).toEqual(comments);
      expect(await related(`articles/${b}`, 'comments', 'preview')).toEqual([]);
      expect(await tag()).not.toBe(former);
    });

    it('so that the next publication of these loses nothing', async () => {
      const [a, b] = [await create('authors'), await create('authors')];
      const id = await article({ author: a });
      await draft(`authors/${b}`, { articles: { connect: [id] } });
      await send('POST', `authors/${b}/actions/discard-draft`);
      expect(await related(`articles/${id}`, 'author', 'preview')).toBe(a);
      await send('PUT', `articles/${id}`, { title: 'x' });
      expect(await related(`articles/${id}`, 'author')).toBe(a);
    });

    it('unless another draft has what they belonged to', async () => {
      const [a, b] = [await article(), await article()];
      const [first, second] = [await create('labels', { article: a }), await create('labels')];
      await draft(`articles/${b}`, { label: first });
      await draft(`articles/${a}`, { label: second });
      expect((await send('POST', `articles/${b}/actions/discard-draft`)).status).toBe(200);
      expect(await related(`articles/${a}`, 'label', 'preview')).toBe(second);
      expect(await related(`articles/${a}`, 'label')).toBe(first);
      expect(await related(`labels/${first}`, 'article', 'preview')).toBeNull();
    });

    it('and is refused where an entry that must have one would have none', async () => {
      const [a, b, c] = [await article(), await article(), await article()];
      const [first, second] = [await create('badges', { article: a }), await create('badges', { article: c })];
      await draft(`articles/${b}`, { badge: first });
      await draft(`articles/${a}`, { badge: second });
      const refused = await send('POST', `articles/${b}/actions/discard-draft`);
      expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, ['badge']]);
      expect(await related(`articles/${b}`, 'badge', 'preview')).toBe(first);
      expect((await send('POST', `articles/${a}/actions/discard-draft`)).status).toBe(200);
      expect((await send('POST', `articles/${b}/actions/discard-draft`)).status).toBe(200);
      expect(await related(`articles/${a}`, 'badge', 'preview')).toBe(first);
      expect(await related(`articles/${c}`, 'badge', 'preview')).toBe(second);
    });

    it('and leaves the drafts of entries that were never published', async () => {
      const a = await article();
      const { body } = await send('POST', 'stories', { article: a, publishedAt: null });
      expect((await send('POST', `articles/${a}/actions/discard-draft`)).status).toBe(200);
      expect(await related(`stories/${body.data.id}`, 'article', 'preview')).toBe(a);
    });
  });

  describe('deleting what only published versions refer to', () => {
    it.each(['host', 'tags', 'about'])('is refused by %s', async (name) => {
      const target = await create('authors');
      const isMorph = name === 'about';
      const id = await article({
        [name]: isMorph ? { id: target, __type: 'author' } : name === 'tags' ? [target] : target,
      });
      const held = `1 entry of article refers to it by ${name}`;
      expect(messagesOf(await send('DELETE', `authors/${target}`))).toEqual([
        400,
        `${held}: delete or change them first`,
      ]);
      await draft(`articles/${id}`, { [name]: name === 'tags' ? [] : name === 'host' ? host : null });
      expect(messagesOf(await send('DELETE', `authors/${target}`))).toEqual([
        400,
        `${held}, in what is published: publish their drafts, or delete them first`,
      ]);
      expect((await send('POST', `articles/${id}/actions/publish`)).status).toBe(200);
      expect((await send('DELETE', `authors/${target}`)).status).toBe(200);
    });

    it('takes the right to change them', async () => {
      const target = await create('authors');
      const id = await article({ author: target });
      await draft(`articles/${id}`, { author: null });
      const { jwt } = await site.server.register(`cleaner_${engine}`);
      expect((await send('DELETE', `authors/${target}`, undefined, jwt)).status).toBe(403);
      expect(await related(`articles/${id}`, 'author')).toBe(target);
      expect((await send('DELETE', `authors/${target}`)).status).toBe(200);
      expect(await related(`articles/${id}`, 'author')).toBeNull();
    });
  });

  it('what entries without drafts refer to is shown with them at a time, too', async () => {
    const [a, b] = [await article(), await article()];
    const id = await create('comments', { article: a });
    const shown = async (at: string, of: number) => {
      const { body } = await send('GET', `articles/${of}?populate=comments&asOf=${at}`);
      return body.data.attributes.comments.data.map((one: { id: number }) => one.id);
    };
    const now = async () => {
      await setTimeout(5);
      return new Date().toISOString();
    };
    const first = await now();
    await send('PUT', `comments/${id}`, { article: b });
    const second = await now();
    await send('DELETE', `comments/${id}`);
    const third = await now();
    const times = [first, second, third];
    expect(await Promise.all(times.map((at) => shown(at, a)))).toEqual([[id], [], []]);
    expect(await Promise.all(times.map((at) => shown(at, b)))).toEqual([[], [id], []]);
  });

  it.each(['notes', 'stories'])('deleting a draft that has taken %s does not end what is published', async (name) => {
    const a = await article();
    const id = await create(name, { article: a });
    const taking = (await send('POST', 'articles', { publishedAt: null, [name]: [id] })).body.data.id;
    const [status, message] = messagesOf(await send('DELETE', `articles/${taking}`));
    expect([status, message]).toEqual([400, expect.stringContaining('is published with another entry')]);
    expect(await related(`articles/${a}`, name)).toEqual([id]);
    await draft(`articles/${a}`, { [name]: { connect: [id] } });
    expect((await send('DELETE', `articles/${taking}`)).status).toBe(200);
    expect(await related(`articles/${a}`, name)).toEqual([id]);
    expect((await send('DELETE', `articles/${a}`)).status).toBe(200);
    expect((await send('GET', `${name}/${id}?publicationState=preview`)).status).toBe(404);
  });
});
