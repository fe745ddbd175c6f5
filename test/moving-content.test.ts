/** Content goes from SQLite to PostgreSQL, to MariaDB and back to SQLite, and is the same everywhere. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../templates/runtime/src/database/sql.ts';
import {
  createToken,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { linesOf, openPlace, type Place } from './support/moving.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { fixtureSchema, openSchema } from './support/served-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { bodyOf, definitionsOf, type Targets } from './support/whole-entries.ts';

/** Makes entries over HTTP; what is refused fails the test. */
interface Maker {
  readonly server: TestServer;
  readonly token: string;
  make(path: string, data: object, method?: 'POST' | 'PUT'): Promise<number>;
  addLocale(path: string, body: object): Promise<number>;
  upload(...names: readonly string[]): Promise<number[]>;
  remove(path: string): Promise<void>;
}

function makerOf(server: TestServer, token: string): Maker {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await server.send(method, path, { token, body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  return {
    server,
    token,
    make: async (path, data, method = 'POST') => (await send(method, `/api/${path}`, { data })).data.id,
    addLocale: async (path, body) => (await send('POST', `/api/${path}/localizations`, body)).id,
    remove: async (path) => void (await send('DELETE', `/api/${path}`)),
    async upload(...names) {
      const form = new FormData();
      for (const name of names) form.append('files', new Blob([pngOf(names.length, 3), name.repeat(9000)]), name);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form, headers });
      expect(answer.status).toBeLessThan(300);
      return ((await answer.json()) as { id: number }[]).map(({ id }) => id);
    },
  };
}

const LONG = '"quoted" \\ \u2028 \u007f \u0001\n\r\t 😀 zażółć 漢字 ';
const INTEGER_DIGITS = '9'.repeat(35);
const FRACTION_DIGITS = '9'.repeat(29) + '1';

const EXTREMES: readonly object[] = [
  {},
  {
    string: '',
    text: '',
    richtext: '',
    json: { a: null },
    blocks: [],
    boolean: false,
    integer: 0,
    float: 0,
    decimal: '0',
  },
  {
    string: LONG,
    text: LONG.repeat(2000),
    richtext: ' spaces at both ends ',
    blocks: [{ type: 'paragraph', children: [{ type: 'text', text: LONG }] }],
    email: 'somebody@example.org',
    password: PASSWORD,
    uid: 'a-uid',
    integer: 2_147_483_647,
    biginteger: '9223372036854775807',
    float: 0.1 + 0.2,
    decimal: `${INTEGER_DIGITS}.${FRACTION_DIGITS}`,
    date: '0001-01-01',
    time: '00:00:00.000',
    datetime: '0001-01-01T00:00:00.000Z',
    timestamp: '2024-03-31T01:30:00.005Z',
    boolean: true,
    enumeration: 'one',
    json: { z: 1, a: [1.5e300, null, 'x', { b: false, 'ключ 😀': LONG }], '': '' },
  },
  {
    integer: -2_147_483_648,
    biginteger: '-9223372036854775808',
    float: -0,
    decimal: `-${INTEGER_DIGITS}.${FRACTION_DIGITS}`,
    date: '9999-12-31',
    time: '23:59:59.999',
    datetime: '9999-12-31T23:59:59.999Z',
    timestamp: '1969-12-31T23:59:59.999Z',
    json: [],
  },
  { float: 5e-324, biginteger: '9007199254740993', decimal: '0.000000000000000000000000000001', json: 'text' },
  { float: 1.7976931348623157e308, decimal: '-0', json: 0 },
  { float: 123_456_789_012_345_680, json: false },
];

async function fillAttributes(maker: Maker): Promise<readonly string[]> {
  const { make } = maker;
  const [cover = 0, second = 0, third = 0] = await maker.upload('a.png', 'b.png', 'gone.png');
  const user = await maker.server.register('one');
  const tags = [await make('tags', { name: 'one' }), await make('tags', { name: 'two' })];
  const seo = (title: string, more: object = {}) => ({ metaTitle: title, image: cover, secret: 'hidden', ...more });
  const gallery = { __component: 'blocks.gallery', pictures: [second, cover], related: [...tags].reverse() };
  const captions = [
    { text: 'first', weight: '0.10', pass: PASSWORD },
    { text: '', weight: `${INTEGER_DIGITS}.5` },
  ];
  const quote = { __component: 'blocks.quote', text: LONG, source: { label: 'l', url: 'https://example.org' } };
  const articles: number[] = [];
  for (const [index, publishedAt] of [undefined, null].entries()) {
    const subject = { id: tags[index], type: 'api::tag.tag' };
    articles.push(
      await make('articles', {
        title: `Title ${index}`,
        sku: `sku ${index}`,
        isbn: '9223372036854775807',
        cover,
        seo: seo(`seo ${index}`, { canonical: articles[0] ?? null }),
        blocks: [quote, { ...gallery, captions, subject }],
        appendix: [gallery],
        tags: [...tags].reverse(),
        reviewer: user.id,
        ...(publishedAt === undefined ? {} : { publishedAt }),
      }),
    );
  }
  // What is published stays as it is.
  const changed = { title: 'Changed since', tags, seo: seo('changed'), blocks: [gallery, quote] };
  await make(`articles/${articles[0]}?status=draft`, changed, 'PUT');
  await maker.addLocale(`articles/${articles[0]}`, {
    locale: 'fr',
    title: 'Titre',
    sku: 'sku fr',
    seo: seo('référence'),
  });
  await maker.addLocale(`tags/${tags[0]}`, { locale: 'pt-BR', name: 'três' });
  await make('homepage', { headline: 'h', sections: [quote, gallery] }, 'PUT');
  await make('imprint', { text: LONG }, 'PUT');
  for (const [index, values] of EXTREMES.entries()) {
    const more =
      index === 2 ? { media: second, relation: tags[1], component: seo('in plain'), dynamiczone: [quote] } : {};
    await make('plains', { ...values, ...more });
  }
  for (const title of ['First', 'Second']) {
    const values = { title, contact: `${title}@example.org`, pass: 'secret-pass', code: `code-${title}`, body: LONG };
    const serial = title === 'First' ? 1 : 2;
    const zone = [{ ...gallery, captions }, quote, { __component: 'shared.link', label: 'x', url: 'http://x' }];
    const links = [{ label: 'a', url: 'https://a', newTab: false }];
    await make('full-ones', {
      ...values,
      serial,
      zone,
      links,
      cover,
      files: [second, cover],
      seo: seo('full'),
      stamp: 1,
    });
  }
  // Ids that nobody gets again.
  await maker.remove(`plains/${EXTREMES.length}`);
  await maker.remove(`upload/files/${third}`);
  return ['articles', 'tags', 'full-ones', 'plains', 'imprint', 'homepage', 'upload/files', 'users'];
}

async function fillRelations(maker: Maker): Promise<readonly string[]> {
  const { make } = maker;
  const users = [(await maker.server.register('one')).id, (await maker.server.register('two')).id];
  const towns: number[] = [];
  for (const name of ['A', 'B', 'C']) towns.push(await make('towns', { name, twin: towns.at(-1) ?? null }));
  await make(`towns/${towns[0]}`, { twin: towns[2] }, 'PUT');
  await make(`towns/${towns[1]}`, { twin: towns[1] }, 'PUT');
  const people: number[] = [];
  for (const name of ['p', 'q', 'r']) {
    const passport = await make('passports', { number: name });
    people.push(await make('people', { name, passport, home: towns[0], birthplace: towns[1] }));
  }
  const [p, q, r] = people;
  const pets: number[] = [];
  for (const name of ['x', 'y', 'z']) pets.push(await make('pets', { name, parents: [...pets].reverse() }));
  const clubs: number[] = [];
  for (const name of ['c', 'd']) clubs.push(await make('clubs', { name, chair: q, members: [r, p] }));
  const languages = [await make('languages', { code: 'en' }), await make('languages', { code: 'de' })];
  const ref = (uid: string, id: number | undefined) => ({ id, type: `api::${uid}.${uid}` });
  const network = (club: number | undefined) => ({
    club,
    anything: ref('pet', pets[1]),
    many: [ref('language', languages[1]), ref('club', clubs[0]), ref('language', languages[0])],
    user: users[1],
  });
  const card = { owner: r, towns: [...towns].reverse(), networks: [network(clubs[1]), network(clubs[0])] };
  // A circle of mutual references, and children in an order of their own.
  const body = (spouse: number | undefined, manager: number | undefined) => ({
    spouse,
    manager,
    account: users[0],
    visited: [towns[2], towns[0]],
    wishes: [...towns].reverse(),
    heroes: [p, q, r],
    languages: [...languages].reverse(),
    friends: people.filter((one) => one !== spouse),
    followers: [...users].reverse(),
    favourite: ref('town', towns[1]),
    collection: [ref('person', q), ref('pet', pets[2]), ref('town', towns[0])],
    card,
  });
  await make(`people/${p}`, { ...body(q, r), children: [r, q], pets: [pets[2], pets[0], pets[1]] }, 'PUT');
  await make(`people/${q}`, body(p, p), 'PUT');
  await make(`people/${r}`, body(r, r), 'PUT');
  const zone = [
    { __component: 'contact.card', ...card },
    { __component: 'contact.network', ...network(clubs[1]) },
  ];
  await make(
    'spotlight',
    { person: q, clubs: [...clubs].reverse(), mixed: [ref('person', r), ref('person', p)], zone },
    'PUT',
  );
  await maker.remove(`towns/${await make('towns', { name: 'gone' })}`);
  return ['people', 'passports', 'pets', 'towns', 'clubs', 'languages', 'spotlight', 'users'];
}

async function fillMagazine(maker: Maker, schema: string): Promise<readonly string[]> {
  const definitions = definitionsOf(schema);
  const entries = new Map<string, number[]>();
  const targets: Targets = { entries, images: await maker.upload('a.png', 'b.png', 'c.png') };
  const paths: string[] = ['upload/files'];
  for (const [uid, { kind, attributes, localized }] of Object.entries(definitions.contentTypes)) {
    const path = kind === 'singleType' ? uid : `${uid}s`;
    paths.push(path);
    for (const _ of kind === 'singleType' ? [1] : [1, 2]) {
      const data = bodyOf(definitions, attributes, targets);
      const id = await maker.make(path, data, kind === 'singleType' ? 'PUT' : 'POST');
      entries.set(uid, [...(entries.get(uid) ?? []), id]);
      if (!localized || kind === 'singleType') continue;
      await maker.addLocale(`${path}/${id}`, { locale: 'fr', ...bodyOf(definitions, attributes, targets) });
    }
  }
  return paths;
}

const FIXTURES = [
  ['every-attribute', fillAttributes],
  ['every-relation', fillRelations],
  ['magazine', fillMagazine],
] as const;

const WITH_ALL = {
  populate: '*',
  locale: 'all',
  sort: 'id',
  pagination: { pageSize: 50 },
};

/** Everything that a server answers to who may see all. */
async function answersOf(place: Place, paths: readonly string[], token: string): Promise<unknown> {
  const server = await place.start();
  try {
    const answers: unknown[] = [];
    for (const path of paths) {
      const isFlat = path === 'users' || path === 'upload/files';
      for (const publicationState of isFlat ? ['live'] : ['live', 'preview']) {
        const all = isFlat ? { populate: '*' } : { ...WITH_ALL, publicationState };
        const query = qs.stringify(all, { encodeValuesOnly: true });
        const { status, body } = await server.send('GET', `/api/${path}?${query}`, { token });
        expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
        answers.push([path, body]);
      }
    }
    const signedIn = paths.includes('users') ? await server.signIn('one@example.org', PASSWORD) : undefined;
    if (signedIn) expect(signedIn.status).toBe(200);
    return answers;
  } finally {
    await server.close();
  }
}

async function filesIn(place: Place): Promise<readonly unknown[]> {
  const names = (await readdir(place.uploads).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  return Promise.all(names.map(async (name) => [name, (await readFile(join(place.uploads, name))).toString('base64')]));
}

const engines = await testedEngines();

describe.each(FIXTURES)('the content of %s', (name, fill) => {
  let project: TestProject;
  let source: Place;
  let token: string;
  let paths: readonly string[];
  let first: string;
  const places: Place[] = [];
  const fileOf = (place: string) => join(dirname(source.uploads), `${place}.jsonl.gz`);

  beforeAll(async () => {
    const schema = (await fixtureSchema(name)).replace(/^databases: .*$/mu, 'databases: [sqlite, postgres, mysql]');
    project = await openSchema(schema);
    source = await openPlace(project, 'sqlite', 'source');
    const server = await source.start();
    const database = await source.open();
    token = await createToken(database, { kind: 'full-access' });
    paths = await fill(makerOf(server, token), schema);
    await createToken(database, {
      kind: 'custom',
      permissions: ['upload.find', 'users.me'],
      expiresAt: '2999-01-01T00:00:00.001Z',
    });
    await server.close();
    // What the API never stores, but a database may hold.
    if (name === 'every-attribute') {
      const odd = sql`UPDATE plains SET ${database.dialect.id('json')} = ${'null'} WHERE id = 1`;
      expect(await database.run(odd)).toEqual({ changes: 1 });
    }
    await database.close();
    first = fileOf('first');
    const exported = await source.data('export', first);
    expect(exported, exported.error).toMatchObject({ code: 0, error: '' });
    places.push(source);
  });
  afterAll(async () => {
    await Promise.all(places.map((place) => place.drop()));
    await project?.remove();
  });

  it('is the same after it went through every engine', async () => {
    const content = await linesOf(first);
    expect(content.length).toBeGreaterThan(100);
    const answers = await answersOf(source, paths, token);
    const files = await filesIn(source);
    expect(files.length > 0).toBe(paths.includes('upload/files'));
    let latest = first;
    for (const [index, dialect] of [...engines.filter((one) => one !== 'sqlite'), 'sqlite' as const].entries()) {
      const place = await openPlace(project, dialect, `${name.replace('-', '_')}_${index}`);
      places.push(place);
      // A server that has been started has roles already.
      if (index === 0) await (await place.start()).close();
      const imported = await place.data('import', latest);
      expect(imported, imported.error).toMatchObject({ code: 0, error: '' });
      latest = fileOf(String(index));
      const exported = await place.data('export', latest);
      expect(exported, exported.error).toMatchObject({ code: 0, error: '' });
      expect(await linesOf(latest), dialect).toEqual(content);
      expect(await filesIn(place)).toEqual(files);
      expect(await answersOf(place, paths, token), dialect).toEqual(answers);
    }
  });

  it('continues with ids that were never used', async () => {
    const lines = (await linesOf(first)).flatMap((line) => (line.startsWith('{"table"') ? [JSON.parse(line)] : []));
    const withIds = lines.filter(({ lastId }) => lastId !== undefined);
    expect(withIds.length).toBeGreaterThan(5);
    for (const place of places) {
      const database = await place.open();
      const { dialect } = database;
      for (const { table, lastId } of withIds) {
        expect([table, await dialect.lastId(database, table)]).toEqual([table, lastId]);
      }
      if (name === 'magazine') {
        const [next] = await database.transaction((tx) => dialect.takeIds(tx, 'component_ids', 1));
        const { lastId } = withIds.find(({ table }) => table === 'component_ids');
        expect(next).toBe(lastId + 1);
      }
      await database.close();
    }
  });
});
