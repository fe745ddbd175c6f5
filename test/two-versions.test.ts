/** A server of the version before and one of the new version on one database, on each engine, while `--zero-downtime` is kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type ServedProject, serveProject } from './support/served-project.ts';

const ACTIONS = '[find, findOne, create, update, delete]';

function schema(databases: string, attributes: string, ofAuthor = ''): string {
  return `
name: two-versions
databases: [${databases}]
permissions:
  public: { article: ${ACTIONS}, author: ${ACTIONS} }
contentTypes:
  article:
    attributes:
${attributes.replaceAll(/^ */gmu, '      ')}
  author:
    attributes:
      name: { type: string }
${ofAuthor}`;
}

/** Of an author, the lists of articles that get an order; and what else changes or goes. */
const UNORDERED = `title: { type: string }
  body: { type: string }
  note: { type: string, required: true }
  writer: { type: relation, relation: manyToOne, target: author }
  readers: { type: relation, relation: manyToMany, target: author }`;
const ORDERED = `title: { type: string }
  body: { type: text }
  writer: { type: relation, relation: manyToOne, target: author, inversedBy: written }
  readers: { type: relation, relation: manyToMany, target: author, inversedBy: read }`;
const LISTS = `      written: { type: relation, relation: oneToMany, target: article, mappedBy: writer }
      read: { type: relation, relation: manyToMany, target: article, mappedBy: readers }
`;

const BEFORE = `title: { type: string, required: true, unique: true }
  extra: { type: json }
  editor: { type: relation, relation: manyToOne, target: author }
  level: { type: integer }`;

const AFTER = `headline: { type: string, required: true, unique: true, renamedFrom: title }
  details: { type: json, renamedFrom: extra }
  reviewer: { type: relation, relation: manyToOne, target: author, renamedFrom: editor }
  level: { type: integer, required: true, default: 3 }
  subtitle: { type: string, required: true, default: none }`;

type Entry = Readonly<Record<string, unknown>> & { readonly id: number };

interface Answered {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An entry with its attributes beside its id, and so its relations. */
function flat({ id, attributes }: Answered): Entry {
  const values = Object.entries(attributes).map(([name, value]): [string, unknown] => {
    const isRelation = (name === 'editor' || name === 'reviewer') && typeof value === 'object' && value !== null;
    if (!isRelation || !('data' in value)) return [name, value];
    return [name, value.data === null ? null : flat(value.data as Answered)];
  });
  return { id, ...Object.fromEntries(values) };
}

async function send(server: ServedProject, method: string, path: string, data?: object): Promise<Entry> {
  const response = await fetch(`${server.origin}/api/${path}`, {
    method,
    ...(data ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) } : {}),
  });
  const text = await response.text();
  expect([method, path, response.status, text]).toStrictEqual([method, path, method === 'POST' ? 201 : 200, text]);
  return flat((JSON.parse(text) as { data: Answered }).data);
}

describe.each(await testedEngines())('two versions of a server on %s', (dialect) => {
  let folder: string;
  let database: TestDatabase;
  const servers: ServedProject[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const file = join(folder, 'data.db');
    database = dialect === 'sqlite' ? await sqliteDatabase(file) : await createDatabase(dialect, 'two_versions');
  });
  const others: TestDatabase[] = [];
  async function freshDatabase(): Promise<TestDatabase> {
    const file = join(folder, `data-${others.length}.db`);
    const fresh =
      dialect === 'sqlite' ? await sqliteDatabase(file) : await createDatabase(dialect, 'lists_of_two_versions');
    others.push(fresh);
    return fresh;
  }
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([database, ...others].map((one) => one.drop()));
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(attributes: string, ...earlier: readonly string[]): Promise<ServedProject> {
    const server = await serveProject(schema(dialect, attributes), {
      earlier: earlier.map((one) => schema(dialect, one)),
      environment: { DATABASE_URL: database.url },
    });
    servers.push(server);
    return server;
  }

  it('see what the other writes, and lose nothing when the version before ends', async () => {
    const old = await serve(BEFORE);
    const readOld = (id: number) => send(old, 'GET', `articles/${id}?populate=editor`);
    const [ada, bob] = [
      await send(old, 'POST', 'authors', { name: 'Ada' }),
      await send(old, 'POST', 'authors', { name: 'Bob' }),
    ];
    const first = await send(old, 'POST', 'articles', { title: 'first', extra: { a: [1] }, editor: ada.id });

    const next = await serve(AFTER, BEFORE);
    const readNew = (id: number) => send(next, 'GET', `articles/${id}?populate=reviewer`);
    const isReady = async (server: ServedProject): Promise<number> => (await fetch(`${server.origin}/_ready`)).status;
    expect([await isReady(old), await isReady(next)]).toStrictEqual([204, 204]);
    expect(await readNew(first.id)).toMatchObject({
      headline: 'first',
      details: { a: [1] },
      reviewer: { name: 'Ada' },
      level: 3,
      subtitle: 'none',
    });

    const second = await send(old, 'POST', 'articles', { title: 'second', extra: 'x', editor: bob.id });
    const third = await send(next, 'POST', 'articles', {
      headline: 'third',
      details: [null],
      reviewer: bob.id,
      level: 8,
    });
    expect(await readNew(second.id)).toMatchObject({ headline: 'second', details: 'x', reviewer: { name: 'Bob' } });
    expect(await readOld(third.id)).toMatchObject({ title: 'third', extra: [null], editor: { name: 'Bob' }, level: 8 });

    await send(next, 'PUT', `articles/${second.id}`, { headline: 'second, by new', reviewer: null });
    await send(old, 'PUT', `articles/${third.id}`, { title: 'third, by old', extra: null, editor: ada.id });
    expect(await readOld(second.id)).toMatchObject({ title: 'second, by new', extra: 'x', editor: null });
    expect(await readNew(third.id)).toMatchObject({
      headline: 'third, by old',
      details: null,
      reviewer: { name: 'Ada' },
    });
    for (const [server, name] of [
      [old, 'title'],
      [next, 'headline'],
    ] as const) {
      const response = await fetch(`${server.origin}/api/articles`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { [name]: 'third, by old' } }),
      });
      expect([name, response.status]).toStrictEqual([name, 400]);
    }

    servers.splice(servers.indexOf(old), 1);
    await old.close();
    const connection = await openDatabase(database.url);
    const directory = fileURLToPath(next.definition.migrations);
    const { changed } = await migrate(connection, { directory, dialect, contract: true }, 'up');
    await connection.close();
    expect(changed).toStrictEqual([expect.stringMatching(/__contract$/u)]);
    expect(await isReady(next)).toBe(204);
    const all = await Promise.all([first, second, third].map(({ id }) => readNew(id)));
    expect(all.map(({ headline, level }) => [headline, level])).toStrictEqual([
      ['first', 3],
      ['second, by new', 3],
      ['third, by old', 8],
    ]);
    await send(next, 'POST', 'articles', { headline: 'fourth' });
  });

  it('write entries, links and lists that get an order, a longer type and a removed attribute', async () => {
    const database = await freshDatabase();
    const environment = { DATABASE_URL: database.url };
    const [before, after] = [schema(dialect, UNORDERED), schema(dialect, ORDERED, LISTS)];
    const old = await serveProject(before, { environment });
    servers.push(old);
    const author = await send(old, 'POST', 'authors', { name: 'Ada' });
    const both = { writer: author.id, readers: [author.id] };
    const make = async (server: ServedProject, title: string, more: object): Promise<number> =>
      (await send(server, 'POST', 'articles', { title, ...both, ...more })).id;
    await make(old, '1', { note: 'n' });
    await make(old, '2', { note: 'n' });
    const next = await serveProject(after, { environment, earlier: [before], allowDestructive: ['article.note'] });
    servers.push(next);
    type List = { readonly data: readonly Answered[] };
    const lists = async (): Promise<readonly (readonly string[])[]> => {
      const { written, read } = await send(next, 'GET', `authors/${author.id}?populate=*`);
      return [written, read].map((list) => (list as List).data.map(({ attributes }) => String(attributes['title'])));
    };
    const turn = (id: number, position: object) =>
      send(next, 'PUT', `authors/${author.id}`, {
        written: { connect: [{ id, position }] },
        read: { connect: [{ id, position }] },
      });
    expect(await lists()).toStrictEqual([['1', '2'], ['1', '2']]); // prettier-ignore

    const third = await make(old, '3', { note: 'by old' });
    const fourth = await make(next, '4', { body: 'x'.repeat(300) });
    expect((await lists()).map((list) => [...list].sort().join(''))).toStrictEqual(['1234', '1234']);
    expect(await send(old, 'GET', `articles/${fourth}`)).toMatchObject({ body: 'x'.repeat(300), note: null });
    await turn(fourth, { start: true });
    await turn(third, { after: fourth });
    const fifth = await make(old, '5', { note: 'n' });
    await turn(fifth, { before: third });
    await send(old, 'PUT', `articles/${third}`, { body: 'changed', note: 'again' });
    await send(old, 'PUT', `articles/${fourth}`, { title: 'four', note: 'now' });
    const [written, read] = await lists();
    for (const list of [written, read]) expect(list?.slice(0, 3)).toStrictEqual(['four', '5', '3']);
    expect([...(written ?? [])].sort()).toStrictEqual(['1', '2', '3', '5', 'four']);
    expect(read).toStrictEqual(written);
    expect(await send(old, 'GET', `articles/${third}`)).toMatchObject({ body: 'changed', note: 'again' });
    const [sixth, seventh] = [await make(old, '6', { note: 'n' }), await make(old, '7', { note: 'n' })];
    const between = await lists();

    await old.close();
    servers.splice(servers.indexOf(old), 1);
    const connection = await openDatabase(database.url);
    const directory = fileURLToPath(next.definition.migrations);
    const { changed } = await migrate(connection, { directory, dialect, contract: true }, 'up');
    await connection.close();
    expect(changed).toStrictEqual([expect.stringMatching(/__contract$/u)]);
    expect(await lists()).toStrictEqual(between);
    await turn(seventh, { before: sixth });
    const turned = between.map((list) => list.flatMap((title) => ({ 6: ['7', '6'], 7: [] })[title] ?? [title]));
    expect(await lists()).toStrictEqual(turned);
    const eighth = await make(next, '8', {});
    await turn(eighth, { start: true });
    expect(await lists()).toStrictEqual(turned.map((list) => ['8', ...list]));
  });
});
