/** A required relation to one entry is never empty: not by a body, from the other side, by a deletion, nor in the database; in both formats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: required
databases: [sqlite, postgres, mysql]
api: { format: v4 }
contentTypes:
  shelf:
    attributes:
      label: { type: string }
      books: { type: relation, relation: oneToMany, target: book, mappedBy: shelf }
      posts: { type: relation, relation: oneToMany, target: post, mappedBy: shelf }
      ticket: { type: relation, relation: oneToOne, target: ticket, mappedBy: shelf }
  book:
    attributes:
      title: { type: string }
      shelf: { type: relation, relation: manyToOne, target: shelf, inversedBy: books, required: true }
  ticket:
    attributes:
      number: { type: integer }
      shelf: { type: relation, relation: oneToOne, target: shelf, inversedBy: ticket, required: true }
  mark:
    attributes:
      on: { type: relation, relation: morphToOne, targets: [shelf, book], required: true, onDelete: cascade }
  post:
    draftAndPublish: true
    attributes:
      title: { type: string }
      shelf: { type: relation, relation: manyToOne, target: shelf, inversedBy: posts, required: true, onDelete: setNull }
`;

describe.each(await testedEngines())('required relations on %s', (engine) => {
  let project: TestProject;
  let opened: TestDatabase | undefined;
  let server: TestServer;
  let rows: Database;
  let token: string;

  beforeAll(async () => {
    project = await openSchema(SCHEMA);
    if (engine !== 'sqlite') opened = await createDatabase(engine, `required_${process.pid}`);
    const url = opened?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url });
    rows = await openDatabase(url);
    token = await createToken(rows, { kind: 'full-access' });
  }, 120_000);
  afterAll(async () => {
    await rows?.close();
    await server?.close();
    await opened?.drop();
    await project?.remove();
  });

  const send = (method: string, path: string, data?: unknown, format = 'v4') =>
    server.send(method, `/api/${path}`, {
      token,
      headers: { 'strapi-response-format': format },
      ...(data !== undefined && { body: { data } }),
    });
  async function create(path: string, data: object): Promise<number> {
    const answer = await send('POST', path, data);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }
  const messageOf = async (answer: Promise<{ status: number; body: any; text: string }>) => {
    const { status, body, text } = await answer;
    expect(status, text).toBe(400);
    return body.error.message as string;
  };
  const shelfOf = async (table: string, id: number) => {
    const found = (await rows.get(raw(`SELECT shelf_id FROM ${table} WHERE id = ${id}`)))?.['shelf_id'] ?? null;
    return found === null ? null : Number(found);
  };

  it('is refused by the database', async () => {
    const now = engine === 'mysql' ? "'2024-01-01 00:00:00'" : "'2024-01-01T00:00:00.000Z'";
    const insert = `INSERT INTO books (created_at, updated_at, document_id) VALUES (${now}, ${now}, 'x');`;
    await expect(rows.script(insert)).rejects.toThrow();
    const book = await create('books', { shelf: await create('shelves', {}) });
    await expect(rows.script(`UPDATE books SET shelf_id = NULL WHERE id = ${book};`)).rejects.toThrow();
  });

  it('is set by every body, in whatever form it says so', async () => {
    const [one, two] = [await create('shelves', {}), await create('shelves', {})];
    for (const format of ['v4', 'v5']) {
      for (const value of [{}, { shelf: null }, { shelf: [] }, { shelf: { set: [] } }, { shelf: { connect: [] } }]) {
        expect(await messageOf(send('POST', 'books', value, format))).toMatch(
          /^shelf (must be defined|cannot be null)$/u,
        );
      }
    }
    const book = await create('books', { shelf: one });
    for (const shelf of [null, [], { set: [] }, { disconnect: [one] }, { disconnect: [two] }]) {
      expect(await messageOf(send('PUT', `books/${book}`, { shelf }))).toMatch(/^shelf cannot be/u);
    }
    expect((await send('PUT', `books/${book}`, { title: 'kept' })).status).toBe(200);
    expect((await send('PUT', `books/${book}`, { shelf: { connect: [] } })).status).toBe(200);
    expect(await shelfOf('books', book)).toBe(one);
    expect((await send('PUT', `books/${book}`, { shelf: { connect: [two], disconnect: [one] } })).status).toBe(200);
    expect(await shelfOf('books', book)).toBe(two);
    expect(await messageOf(send('POST', 'marks', { on: [] }))).toBe('on cannot be null');
  });

  it('is not taken away from the other side, only moved', async () => {
    const [one, two] = [await create('shelves', {}), await create('shelves', {})];
    const [a, b] = [await create('books', { shelf: one }), await create('books', { shelf: one })];
    const refusal =
      'books would take entries of book from it that must have shelf: connect them to another entry, or delete them';
    for (const books of [null, [], [a], { disconnect: [a] }, { set: [b] }]) {
      expect(await messageOf(send('PUT', `shelves/${one}`, { books }))).toBe(refusal);
    }
    expect((await send('PUT', `shelves/${one}`, { books: [b, a] })).status).toBe(200);
    expect((await send('PUT', `shelves/${two}`, { books: { connect: [a] } })).status).toBe(200);
    expect((await send('PUT', `shelves/${one}`, { books: { disconnect: [a] } })).status).toBe(200);
    expect([await shelfOf('books', a), await shelfOf('books', b)]).toEqual([two, one]);
    const third = await create('shelves', { books: [a, b] });
    expect([await shelfOf('books', a), await shelfOf('books', b)]).toEqual([third, third]);
  });

  it('is not taken over, where it is one to one', async () => {
    const [one, two] = [await create('shelves', {}), await create('shelves', {})];
    const key = await create('tickets', { shelf: one });
    const other = await create('tickets', { shelf: two });
    const taken = `shelf names shelf ${one}, which another entry must have`;
    expect(await messageOf(send('POST', 'tickets', { shelf: one }))).toBe(taken);
    expect(await messageOf(send('PUT', `tickets/${other}`, { shelf: one }))).toBe(taken);
    expect(await messageOf(send('PUT', `shelves/${one}`, { ticket: null }))).toContain('must have shelf');
    expect(await messageOf(send('PUT', `shelves/${one}`, { ticket: other }))).toContain('must have shelf');
    expect((await send('PUT', `tickets/${key}`, { shelf: one })).status).toBe(200);
    const free = await create('shelves', {});
    expect((await send('PUT', `shelves/${free}`, { ticket: key })).status).toBe(200);
    expect([await shelfOf('tickets', key), await shelfOf('tickets', other)]).toEqual([free, two]);
  });

  it('keeps what it refers to, unless it goes with it', async () => {
    const shelf = await create('shelves', {});
    const book = await create('books', { shelf });
    expect(await messageOf(send('DELETE', `shelves/${shelf}`))).toBe(
      '1 entry of book refers to it by shelf: delete or change them first',
    );
    await create('marks', { on: { id: book, type: 'book' } });
    expect((await send('DELETE', `books/${book}`)).status).toBe(200);
    expect((await send('GET', 'marks')).body.data).toEqual([]);
    expect((await send('DELETE', `shelves/${shelf}`)).status).toBe(200);
  });

  it('may be lacking in drafts, but not in what is published', async () => {
    const shelf = await create('shelves', {});
    expect(await messageOf(send('POST', 'posts', { title: 'x' }))).toBe('shelf must be defined');
    const draft = await create('posts', { shelf, publishedAt: null });
    const published = await create('posts', { shelf });
    expect(await messageOf(send('PUT', `shelves/${shelf}`, { posts: [draft] }))).toContain('must have shelf');
    expect((await send('PUT', `shelves/${shelf}`, { posts: [published] })).status).toBe(200);
    expect(await shelfOf('posts', draft)).toBeNull();
    expect(await messageOf(send('PUT', `posts/${draft}`, { publishedAt: new Date().toISOString() }))).toBe(
      'shelf must be defined',
    );
    expect((await send('DELETE', `shelves/${shelf}`)).status).toBe(200);
    expect(await shelfOf('posts', published)).toBeNull();
  });
});
