/** Two people at one entry: versions, ETags, and writes that are meant for one version, on each engine, by two servers of one database. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createEntryTags } from '../templates/runtime/src/http/entry-tags.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { buildBesideOld, openSchema } from './support/served-project.ts';
import { root } from './support/project.ts';

const SCHEMA = `
name: two-people
databases: [sqlite, postgres, mysql]
api: { format: v4 }
locales: [en, de]
contentTypes:
  tag:
    attributes:
      name: { type: string, unique: true }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
      desk: { type: relation, relation: oneToOne, target: desk, inversedBy: author }
  desk:
    attributes:
      name: { type: string }
      author: { type: relation, relation: oneToOne, target: author, mappedBy: desk }
  article:
    attributes:
      title: { type: string }
      counter: { type: integer, default: 0 }
      secret: { type: string, private: true }
      links: { type: component, component: shared.link, repeatable: true }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  page:
    localized: true
    draftAndPublish: true
    attributes:
      title: { type: string }
      text: { type: string, localized: true }
      shared: { type: string, localized: false }
      tags: { type: relation, relation: manyWay, target: tag }
  home: { kind: singleType, attributes: { title: { type: string } } }
components:
  shared.link: { attributes: { label: { type: string }, tag: { type: relation, relation: oneWay, target: tag } } }
permissions: { public: { article: [find, findOne] } }
`;

/** A whole number below `below`, the same ones in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const JWT_SECRET = 'of-the-tests-0123456789-abcdefghijklmn';
/** What only a server with this secret can do. */
const tags = createEntryTags({ name: 'two-people', secret: JWT_SECRET });

const versionOf = (etag: string | null): number => tags.versionOf(etag?.replaceAll('"', '') ?? '') ?? Number.NaN;
const tagOf = (version: number): string => `"${tags.write('/somewhere', version)}"`;
/** The version that a refusal names. */
const currentOf = ({ body }: { readonly body: any }): number | null => {
  const { current } = body.error.details;
  return current === null ? null : versionOf(current);
};

const engines = await testedEngines();

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(engines)('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let servers: readonly TestServer[] = [];
  let token: string;
  let url: string;

  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'two_people');
    const name = `two-people-${engine}`;
    const environment = { DATABASE_URL: made?.url ?? project.urlOf(name), JWT_SECRET };
    const first = await project.start(environment, {}, name);
    servers = [first, await project.start(environment, {}, name)];
    url = environment.DATABASE_URL;
    const database = await openDatabase(url);
    token = await createToken(database, { kind: 'full-access' });
    await database.close();
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await made?.drop();
  });

  const at = (index: number): TestServer => servers[index % servers.length]!;
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}, index = 0) =>
    at(index).send(method, `/api${path}`, { token, headers, ...(body && { body }) });
  async function create(path: string, data: object): Promise<{ id: number; etag: string }> {
    const { status, body, headers } = await send('POST', path, { data });
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: body.data.id, etag: headers.get('etag') ?? '' };
  }
  const version = async (path: string): Promise<number> => versionOf((await send('GET', path)).headers.get('etag'));

  it('lets 64 clients change only what they have seen, of entries and of lists, from both sides', async () => {
    const tags = await Promise.all([1, 2, 3, 4].map((n) => create('/tags', { name: `t${n}` })));
    const authors = await Promise.all([1, 2].map((n) => create('/authors', { name: `a${n}` })));
    const articles = await Promise.all([1, 2, 3].map((n) => create('/articles', { title: `n${n}` })));
    const states = new Map<string, string>();
    const accepted = new Map<number, number>();
    const written = new Set<string>();
    /** Reads an entry: one version of it is one state, whoever reads it. */
    const see = async (path: string, index: number) => {
      const { headers, body } = await send('GET', `${path}?populate=*`, undefined, {}, index);
      const etag = headers.get('etag') ?? '';
      const own = body.data.attributes;
      const ids = (name: string): unknown => {
        const related = own[name]?.data;
        return Array.isArray(related) ? related.map(({ id }: { id: number }) => id) : (related?.id ?? null);
      };
      const lists = ['tags', 'articles', 'author'].filter((name) => name in own).map((name) => [name, ids(name)]);
      const state = JSON.stringify({ title: own.title, name: own.name, counter: own.counter, lists });
      const key = `${path} ${versionOf(etag)}`;
      expect(states.get(key) ?? state, key).toBe(state);
      states.set(key, state);
      return { etag, counter: Number(own.counter), ids };
    };
    const client = async (index: number): Promise<void> => {
      const random = numbers(index + 1);
      const pick = <T>(all: readonly T[]): T => all[random(all.length)]!;
      for (let turn = 0; turn < 3; turn += 1) {
        const kind = random(3);
        const { id } = pick(kind === 0 ? tags : kind === 1 ? authors : articles);
        const path = `/${['tags', 'authors', 'articles'][kind]}/${id}`;
        const { etag, counter, ids } = await see(path, index);
        const others = (name: string, all: readonly { id: number }[]) => {
          const seen = ids(name) as readonly number[];
          const one = pick(all).id;
          return seen.includes(one) ? seen.filter((other) => other !== one) : [...seen, one];
        };
        const data =
          kind === 2
            ? { counter: counter + 1, tags: others('tags', tags), author: pick([...authors.map((a) => a.id), null]) }
            : { articles: others('articles', articles) };
        const answer = await send('PUT', path, { data }, { 'If-Match': etag }, index + turn);
        if (answer.status === 412) {
          expect(currentOf(answer)).toBeGreaterThan(versionOf(etag));
          continue;
        }
        expect(answer.status, answer.text).toBe(200);
        const key = `${path} ${versionOf(etag)}`;
        expect(written.has(key), `two writes of ${key}`).toBe(false);
        written.add(key);
        expect(versionOf(answer.headers.get('etag'))).toBe(versionOf(etag) + 1);
        if (kind === 2) accepted.set(id, (accepted.get(id) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, index) => client(index)));
    for (const { id } of articles) {
      expect((await see(`/articles/${id}`, 0)).counter).toBe(accepted.get(id) ?? 0);
    }
    expect(written.size).toBeGreaterThan(10);
    for (const path of [...tags.map(({ id }) => `/tags/${id}`), ...authors.map(({ id }) => `/authors/${id}`)]) {
      await see(path, 1);
    }
  }, 120_000);

  it('counts each write of the entry, and of what is an attribute of it, from whichever side', async () => {
    const [one, two] = [await create('/tags', { name: 'v1' }), await create('/tags', { name: 'v2' })];
    const [ann, bob] = [await create('/authors', { name: 'ann' }), await create('/authors', { name: 'bob' })];
    const desk = await create('/desks', { name: 'd', author: ann.id });
    const article = await create('/articles', { title: 'x', tags: [one.id], author: ann.id });
    const paths = {
      one: `/tags/${one.id}`,
      two: `/tags/${two.id}`,
      ann: `/authors/${ann.id}`,
      bob: `/authors/${bob.id}`,
    };
    const all = { ...paths, desk: `/desks/${desk.id}`, article: `/articles/${article.id}` };
    const changed = async (work: () => Promise<{ status: number; text: string }>): Promise<string[]> => {
      const before = await Promise.all(Object.values(all).map(version));
      const { status, text } = await work();
      expect(status, text).toBe(200);
      const after = await Promise.all(Object.values(all).map(version));
      return Object.keys(all).filter((_, index) => after[index] !== before[index]);
    };
    const put = (path: string, data: object) => () => send('PUT', path, { data });
    expect(versionOf(article.etag)).toBe(1);
    expect(await changed(put(all.article, { title: 'y' }))).toEqual(['article']);
    expect(await changed(put(all.article, { tags: { connect: [one.id, two.id] } }))).toEqual(['two', 'article']);
    expect(await changed(put(all.article, { tags: { connect: [{ id: one.id, position: { end: true } }] } }))).toEqual([
      'article',
    ]);
    expect(await changed(put(all.article, { tags: [two.id] }))).toEqual(['one', 'article']);
    expect(await changed(put(all.one, { articles: [article.id] }))).toEqual(['one', 'article']);
    expect(await changed(put(all.article, { author: bob.id }))).toEqual(['ann', 'bob', 'article']);
    expect(await changed(put(all.article, { author: bob.id }))).toEqual(['article']);
    expect(await changed(put(all.ann, { articles: [article.id] }))).toEqual(['ann', 'bob', 'article']);
    expect(await changed(put(all.bob, { desk: desk.id }))).toEqual(['ann', 'bob', 'desk']);
    expect(await changed(put(all.desk, { author: ann.id }))).toEqual(['ann', 'bob', 'desk']);
    expect(await changed(put(all.article, { links: [{ label: 'l', tag: two.id }] }))).toEqual(['article']);
    const doomed = await create('/tags', { name: 'doomed' });
    await send('PUT', all.article, { data: { tags: { connect: [doomed.id] } } });
    expect(await changed(() => send('DELETE', `/tags/${doomed.id}`))).toEqual(['article']);
    expect(await changed(() => send('PUT', `/articles/${article.id}`, { data: { author: null } }))).toEqual([
      'ann',
      'article',
    ]);
    const [page] = [await create('/pages', { title: 'p', shared: 's', locale: 'en' })];
    const german = await send('POST', `/pages/${page.id}/localizations`, { locale: 'de', title: 'q' });
    expect(german.status, german.text).toBe(201);
    const other = `/pages/${german.body.id}?publicationState=preview`;
    const before = await version(other);
    await send('PUT', `/pages/${page.id}`, { data: { text: 'own' } });
    expect(await version(other)).toBe(before);
    await send('PUT', `/pages/${page.id}`, { data: { shared: 't' } });
    expect(await version(other)).toBe(before + 1);
  });

  it('answers 304 where nothing has changed, and never where a byte has', async () => {
    const tag = await create('/tags', { name: `304 ${engine}` });
    const { id } = await create('/articles', { title: 'x', tags: [tag.id] });
    const queries = ['', '?fields=title', '?populate=tags', '?filters[counter]=0', '?fields=title&populate=tags'];
    const lists = [
      '',
      '?sort=title',
      '?fields=title',
      '?populate=tags',
      '?sort=id:desc&pagination[limit]=1',
      '?pagination[after]=',
    ];
    const paths = [...queries.map((query) => `/articles/${id}${query}`), ...lists.map((query) => `/articles${query}`)];
    const seen = new Map<string, { etag: string; text: string }>();
    const check = async (): Promise<number> => {
      let same = 0;
      for (const path of paths) {
        const known = seen.get(path);
        const fresh = await send('GET', path, undefined, {}, 1);
        const etag = fresh.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]{22}(?:\.[\w:.+-]+)?"$/u);
        expect(fresh.headers.get('cache-control')).toBe('private, no-cache');
        const asked = await send('GET', path, undefined, { 'If-None-Match': `"x", W/${known?.etag ?? '"y"'}` });
        expect(asked.status, path).toBe(known?.text === fresh.text ? 304 : 200);
        expect(asked.headers.get('etag')).toBe(etag);
        if (asked.status === 304) same += 1;
        else expect(known?.etag).not.toBe(etag);
        expect((await send('HEAD', path)).headers.get('etag')).toBe(etag);
        seen.set(path, { etag, text: fresh.text });
      }
      return same;
    };
    expect(await check()).toBe(0);
    expect(await check()).toBe(paths.length);
    await send('PUT', `/tags/${tag.id}`, { data: { name: `304 ${engine} b` } });
    expect(await check()).toBe(paths.length - paths.filter((path) => path.includes('populate')).length);
    const put = await send('PUT', `/articles/${id}`, { data: { title: 'y' } });
    expect(put.headers.get('etag')).toBe((await send('GET', `/articles/${id}`)).headers.get('etag'));
    expect(await check()).toBe(0);
    const texts = new Set([...seen.values()].map(({ text }) => text));
    expect(new Set([...seen.values()].map(({ etag }) => etag)).size).toBe(texts.size);
    const open = await at(0).send('GET', `/api/articles/${id}`);
    expect([open.status, open.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const pages = await create('/pages', { title: 'l', locale: 'en' });
    const first = await send('GET', `/pages/${pages.id}`);
    const german = await send('POST', `/pages/${pages.id}/localizations`, { locale: 'de', publishedAt: new Date() });
    expect(german.status, german.text).toBe(201);
    const later = await send('GET', `/pages/${pages.id}`, undefined, {
      'If-None-Match': first.headers.get('etag') ?? '',
    });
    expect([later.status, later.text === first.text]).toEqual([200, false]);
  });

  it('refuses what is meant for another version, and headers that make no sense', async () => {
    const { id, etag } = await create('/articles', { title: 'x' });
    const path = `/articles/${id}`;
    const put = (headers: Record<string, string>, data: object = { title: 'y' }) =>
      send('PUT', path, { data }, headers);
    expect((await put({ 'If-Match': etag })).status).toBe(200);
    const refused = await put({ 'If-Match': etag });
    expect([refused.status, refused.body.error.name]).toEqual([412, 'PreconditionFailedError']);
    expect(currentOf(refused)).toBe(2);
    expect(refused.body.error.message).not.toContain('2');
    // What the data lacks is said of the version that it is for.
    expect((await put({ 'If-Match': etag }, { tags: [9999] })).status).toBe(412);
    expect((await put({ 'If-Match': `"${refused.body.error.details.current}"` })).status).toBe(200);
    expect((await put({ 'If-Match': `${tagOf(1)}, W/${tagOf(3)}` })).status).toBe(200);
    for (const guessed of ['"4"', '"4-a"', `"${'4'.repeat(22)}"`, tagOf(4).replace(/.{2}$/u, '"')]) {
      expect((await put({ 'If-Match': guessed })).status, guessed).toBe(412);
    }
    expect((await put({ 'If-Match': '*' })).status).toBe(200);
    expect((await put({ 'If-Match': '"of-others"' })).status).toBe(412);
    expect((await put({ 'If-None-Match': '*' })).status).toBe(412);
    for (const wrong of ['5', '"5', '', '5-abc', '"a" "b"', '*, "a"']) {
      const { status, body } = await put({ 'If-Match': wrong });
      expect([status, body.error.message.includes('If-Match')], wrong).toEqual([400, true]);
    }
    expect((await send('PUT', '/articles/999999', { data: {} }, { 'If-Match': '*' })).status).toBe(404);
    expect(currentOf(await send('DELETE', path, undefined, { 'If-Match': etag }))).toBe(5);
    expect((await send('DELETE', path, undefined, { 'If-Match': tagOf(5) })).status).toBe(200);
    expect(currentOf(await send('PUT', '/home', { data: { title: 'a' } }, { 'If-Match': tagOf(1) }))).toBe(null);
    const made = await send('PUT', '/home', { data: { title: 'a' } }, { 'If-None-Match': '*' });
    const ofMade = { 'If-Match': made.headers.get('etag') ?? '' };
    expect(made.status).toBe(201);
    expect((await send('PUT', '/home', { data: { title: 'b' } }, { 'If-None-Match': '*' })).status).toBe(412);
    expect((await send('PUT', '/home', { data: { title: 'b' } }, ofMade)).status).toBe(200);
    expect((await send('DELETE', '/home', undefined, ofMade)).status).toBe(412);
    // Made again under the same address, it is none of those that were there before.
    expect((await send('DELETE', '/home')).status).toBe(200);
    expect((await send('PUT', '/home', { data: { title: 'a' } })).status).toBe(201);
    expect((await send('PUT', '/home', { data: { title: 'c' } }, ofMade)).status).toBe(412);
  });

  it('tells versions to nobody: equal ones differ by entry and by rights, and hidden drafts have none', async () => {
    const part = (etag: string | null): string => etag?.slice(1, 23) ?? '';
    const [one, two] = [await create('/articles', { title: 'x' }), await create('/articles', { title: 'x' })];
    const shown = async (id: number, headers: object) => {
      const answer = await at(0).send('GET', `/api/articles/${id}`, headers);
      return part(answer.headers.get('etag'));
    };
    const all = [await shown(one.id, { token }), await shown(two.id, { token }), await shown(one.id, {})];
    expect(new Set(all).size).toBe(3);
    expect(all.map(versionOf)).toEqual([1, 1, 1]);
    // The same for each query, on each server, and for others with the same rights.
    const again = await at(1).send('GET', `/api/articles/${one.id}?populate=tags&fields=id`);
    expect(part(again.headers.get('etag'))).toBe(all[2]);

    const draft = await create('/pages', { title: 'd', publishedAt: null });
    const database = await openDatabase(url);
    const permissions = ['page.findOne', 'page.update'];
    const blind = await createToken(database, { kind: 'custom', permissions });
    const seeing = await createToken(database, { kind: 'custom', permissions: [...permissions, 'page.preview'] });
    await database.close();
    const tried = async (by: string) => {
      const headers = { 'If-Match': tagOf(9) };
      return at(0).send('PUT', `/api/pages/${draft.id}`, { token: by, headers, body: { data: { title: 'e' } } });
    };
    const refusals = [await tried(blind), await tried(seeing)];
    expect(refusals.map(({ status }) => status)).toEqual([412, 412]);
    expect(refusals.map(currentOf)).toEqual([null, versionOf(draft.etag)]);
  });

  it('knows the versions of documents and of users', async () => {
    const v5 = { 'Strapi-Response-Format': 'v5' };
    const created = await send('POST', '/pages', { data: { title: 'd' } }, v5);
    const path = `/pages/${created.body.data.documentId}`;
    const read = await send('GET', path, undefined, v5);
    const etag = read.headers.get('etag') ?? '';
    expect(versionOf(etag)).toBe(versionOf(created.headers.get('etag')));
    expect((await send('GET', path, undefined, { ...v5, 'If-None-Match': etag })).status).toBe(304);
    expect((await send('PUT', `${path}?locale=de`, { data: {} }, { ...v5, 'If-Match': '*' })).status).toBe(412);
    expect((await send('PUT', `${path}?locale=de`, { data: {} }, { ...v5, 'If-None-Match': '*' })).status).toBe(200);
    expect((await send('PUT', `${path}?locale=de`, { data: {} }, { ...v5, 'If-None-Match': '*' })).status).toBe(412);
    const german = (await send('GET', `${path}?locale=de`, undefined, v5)).headers.get('etag') ?? '';
    expect((await send('DELETE', `${path}?locale=de`, undefined, v5)).status).toBe(204);
    expect((await send('PUT', `${path}?locale=de`, { data: {} }, v5)).status).toBe(200);
    const again = { ...v5, 'If-Match': german };
    expect((await send('PUT', `${path}?locale=de`, { data: { title: 'f' } }, again)).status).toBe(412);
    expect((await send('PUT', path, { data: { title: 'e' } }, { ...v5, 'If-Match': etag })).status).toBe(200);
    expect((await send('DELETE', path, undefined, { ...v5, 'If-Match': etag })).status).toBe(412);
    const { id } = await servers[0]!.register(`someone-${engine}`);
    const user = await send('GET', `/users/${id}`);
    const known = { 'If-Match': user.headers.get('etag') ?? '' };
    expect((await send('PUT', `/users/${id}`, { email: `new-${engine}@example.org` }, known)).status).toBe(200);
    expect((await send('PUT', `/users/${id}`, { email: `other-${engine}@example.org` }, known)).status).toBe(412);
    expect((await send('DELETE', `/users/${id}`, undefined, known)).status).toBe(412);
  });
});

it('asks for the version of every change where the schema says so', async () => {
  const strict = await openSchema(SCHEMA.replace('{ format: v4 }', '{ requireIfMatch: true }'));
  const server = await strict.start();
  try {
    const database = await strict.open();
    const token = await createToken(database, { kind: 'full-access' });
    await database.close();
    const { body } = await server.send('POST', '/api/articles', { token, body: { data: { title: 'x' } } });
    const path = `/api/articles/${body.data.id}`;
    const change = (method: string, at: string, headers = {}) =>
      server.send(method, at, { token, headers, ...(method === 'PUT' && { body: { data: { title: 'y' } } }) });
    const refused = await change('PUT', path);
    expect([refused.status, refused.body.error.name]).toEqual([428, 'PreconditionRequiredError']);
    expect((await change('DELETE', path)).status).toBe(428);
    const { headers } = await server.send('GET', path, { token });
    expect((await change('PUT', path, { 'If-Match': headers.get('etag') ?? '' })).status).toBe(200);
    expect((await change('PUT', '/api/home')).status).toBe(428);
    expect((await change('PUT', '/api/home', { 'If-None-Match': '*' })).status).toBe(201);
    expect((await change('DELETE', path, { 'If-Match': '*' })).status).toBe(200);
  } finally {
    await server.close();
    await strict.remove();
  }
});

describe('a project from before there were versions', () => {
  const history = fileURLToPath(new URL('histories/before-versions', import.meta.url));

  it.each(engines)('gets them by a migration that keeps every row, on %s', async (engine) => {
    const folder = await mkdtemp(join(root, '.tmp', 'before-versions-'));
    const migrations = join(folder, 'project/migrations');
    await cp(join(history, 'migrations'), migrations, { recursive: true });
    const made = engine === 'sqlite' ? undefined : await createDatabase(engine, 'before_versions');
    const database = await openDatabase(made?.url ?? `sqlite:${join(folder, 'data.db')}`);
    try {
      const how = { directory: migrations, dialect: database.dialect.name };
      await migrate(database, how, 'up');
      const time = database.dialect.bind('datetime', '2020-01-01T00:00:00.000Z');
      const insert = 'INSERT INTO tags (name, created_at, updated_at) VALUES';
      for (const name of ['a', 'b']) await database.run({ text: `${insert} (?, ?, ?)`, params: [name, time, time] });
      await buildBesideOld(join(history, 'schema.yaml'), folder);
      for (const name of await readdir(join(history, 'migrations'))) {
        if (name.endsWith('.sum')) continue;
        for (const file of await readdir(join(history, 'migrations', name), { recursive: true })) {
          if (!/\.(?:sql|json)$/u.test(file)) continue;
          const bytes = await Promise.all(
            [history, join(folder, 'project')].map((at) => readFile(join(at, 'migrations', name, file))),
          );
          expect(bytes[0]?.equals(bytes[1] ?? Buffer.of()), file).toBe(true);
        }
      }
      await migrate(database, how, 'up');
      const rows = await database.all(raw('SELECT name, _version FROM tags ORDER BY id'));
      expect(rows.map((row) => [row['name'], Number(row['_version'])])).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
    } finally {
      await database.close();
      await made?.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
