/** The list of attacks, against requests of the v5 format: documents in paths, bodies and queries, on the server that also speaks v4. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../../templates/runtime/test-support/in-full.ts';
import { DRAFT_TITLE, VAULT_LABEL } from '../support/attacks/canaries.ts';
import type { Answer } from '../support/attacks/client.ts';
import { EVERYBODY, expectSameAnswers, expectUnknown, WITHOUT_VAULTS } from '../support/attacks/guesses.ts';
import { HOSTILE } from '../support/attacks/hostile-values.ts';
import { CASES, filtersOf, MAY_LIST } from '../support/attacks/private-attributes.ts';
import type { Who } from '../support/attacks/seed.ts';
import { type AttackedServer, type Call, startAttacked } from '../support/attacks/server.ts';

const FORMAT = { 'Strapi-Response-Format': 'v5' };
/** Of the form of a document id, and of none that there is. */
const NOBODY = 'aaaaaaaaaaaaaaaaaaaaaaaa';

let server: AttackedServer;
/** Name in the seed → document id. */
const documents = new Map<string, string>();

beforeAll(async () => {
  server = await startAttacked({}, 'documents');
  for (const [table, names] of [
    ['articles', ['first', 'second', 'third', 'draft']],
    ['authors', ['ann', 'bob']],
    ['tags', ['red', 'blue']],
    ['vaults', ['vault']],
  ] as const) {
    const rows = await server.state.rows(`SELECT id, document_id FROM ${table}`);
    for (const name of names) {
      const row = rows.find(({ id }) => Number(id) === server.seed.ids[name]);
      documents.set(name, String(row?.['document_id']));
    }
  }
});
afterAll(() => server?.stop());

const text = encodeURIComponent;
const documentOf = (name: string): string => documents.get(name) ?? expect.fail(`no document ${name}`);
const inFormat = (call: Call = {}): Call => ({ ...call, headers: { ...FORMAT, ...call.headers } });
const asked: Pick<AttackedServer, 'quick'> = {
  quick: (who, method, path, call) => server.quick(who, method, path, inFormat(call)),
};
const get = (who: Who, path: string): Promise<Answer> => asked.quick(who, 'GET', path);
/** With a look at what is stored before and after. */
const write = (who: Who, method: string, path: string, data?: unknown): Promise<Answer> =>
  server.call(who, method, path, inFormat(data === undefined ? {} : { data }));

const HOSTILE_IDS = [
  ...HOSTILE,
  ...['*', '..', '%2e%2e', '1 OR 1=1', '1', '0', '-1', '1e3', ' ', 'null', 'undefined', '[object Object]', '__proto__'],
  ...['A'.repeat(24), NOBODY.toUpperCase(), 'a'.repeat(2000), 'é'.repeat(24), `${NOBODY}\u200b`],
];

describe('a document id in a path', () => {
  test('B26, B33: is compared as it is, whatever it looks like', async () => {
    const before = await server.state.dump();
    for (const id of [...HOSTILE_IDS, `${documentOf('first')} `, documentOf('first').toUpperCase()]) {
      // Dots are a path of their own to whoever parses it.
      const path = `/api/articles/${text(id).replaceAll('.', '%2E')}`;
      expect([400, 404, 405], path).toContain((await get('admin', path)).status);
      expect([400, 404, 405], path).toContain(
        (await asked.quick('admin', 'PUT', path, { data: { title: 'x' } })).status,
      );
      expect([204, 400, 404, 405], path).toContain((await asked.quick('admin', 'DELETE', path)).status);
    }
    expect(await server.state.dump()).toBe(before);
  });

  test('B37: holds no NUL', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status } = await write('admin', method, '/api/articles/a%00b', method === 'PUT' ? {} : undefined);
      expect(status).toBe(method === 'DELETE' ? 204 : 404);
    }
  });

  test('B13: what the caller may not see is answered like what is not there', async () => {
    for (const who of EVERYBODY.filter((each) => each !== 'admin')) {
      const paths = [documentOf('draft'), NOBODY].map((id) => `/api/articles/${id}?populate=*`);
      await expectSameAnswers(asked, who, paths);
    }
    for (const who of WITHOUT_VAULTS) {
      await expectSameAnswers(
        asked,
        who,
        [documentOf('vault'), NOBODY].map((id) => `/api/vaults/${id}`),
      );
      for (const id of [documentOf('vault'), NOBODY]) {
        expect((await write(who, 'DELETE', `/api/vaults/${id}`)).status).toBe(403);
      }
    }
  });
});

describe('a document id in a query', () => {
  test('B26, B27, B28: is a value like any other', async () => {
    for (const id of HOSTILE_IDS) {
      for (const filter of ['filters[documentId]', 'filters[documentId][$eq]', 'filters[author][documentId]']) {
        const { status, body } = await get('reader', `/api/articles?${filter}=${text(id)}`);
        expect(status === 400 || body.data.length === 0, `${filter}=${id}`).toBe(true);
      }
    }
    for (const [operator, guess] of [
      ['$contains', '%'],
      ['$startsWith', '_'],
      ['$endsWith', '\\'],
    ] as const) {
      const { body } = await get('reader', `/api/articles?filters[documentId][${operator}]=${text(guess)}`);
      expect(body.data, operator).toEqual([]);
    }
    for (const query of [
      'filters[documentId][$eq][x]=1',
      'filters[documentId][documentId]=x',
      'filters[document_id]=x',
      'filters[t.document_id]=x',
      'sort=document_id',
      'sort=documentId;select',
      'fields=document_id',
      'populate[author][fields]=document_id',
    ]) {
      expect((await get('reader', `/api/articles?${query}`)).status, query).toBe(400);
    }
  });

  test('B02, B14: of a type that the caller may not find it is refused, right or wrong', async () => {
    for (const who of WITHOUT_VAULTS) {
      for (const way of [
        'filters[vaults]',
        'filters[vaults][documentId]',
        'filters[author][safe]',
        'filters[tags][articles][vaults][documentId][$startsWith]',
        'populate[related][filters][vaults]',
      ]) {
        const paths = [documentOf('vault'), NOBODY, '1'].map((guess) => `/api/articles?${way}=${guess}`);
        expect((await expectSameAnswers(asked, who, paths)).status, way).toBe(400);
      }
      for (const sort of ['vaults.documentId', 'vaults.label', 'author.safe.documentId']) {
        expect((await get(who, `/api/articles?sort=${sort}`)).status, sort).toBe(400);
      }
    }
  });
});

describe('private attributes and passwords', () => {
  test('B01, B02, B03, B06: are refused like unknown names in filters and sorts', async () => {
    const operators = ['', '[$eq]', '[$startsWith]', '[$gt]'];
    for (const [index, [list, who, path, right, wrong]] of CASES.entries()) {
      const name = path.split('.').at(path.includes('editors') ? -2 : -1) ?? '';
      for (const operator of someOf(operators, operators.length, index)) {
        const paths = [right, wrong].map((guess) => `${list}?${filtersOf(path)}${operator}=${guess}`);
        await expectUnknown(asked, who, name, paths);
      }
      await expectUnknown(asked, who, name, [`${list}?sort=${path}`]);
      await expectUnknown(asked, who, name, [`${list}?${filtersOf(path).replace('filters', 'sort')}=desc`]);
    }
  });

  test('B08, B09: are in no list of fields, and in nothing that is populated', async () => {
    for (const who of ['reader', 'admin', 'fullToken'] as const) {
      for (const [at, name] of [
        ['populate[author]', 'ssn'],
        ['populate[related][populate][author]', 'email'],
        ['populate[seo]', 'hidden'],
        ['populate[blocks][on][blocks.quote]', 'source'],
        ['populate[tags][populate][articles]', 'notes'],
      ] as const) {
        for (const form of [`[fields]=${name}`, `[fields][0]=${name}`, `[populate]=${name}`]) {
          await expectUnknown(asked, who, name, [`/api/articles?${at}${form}`]);
        }
      }
    }
    for (const who of EVERYBODY) {
      for (const name of ['editors', 'notes', 'createdBy', 'deep']) {
        await expectUnknown(asked, who, name, [`/api/articles?populate=${name}`]);
        await expectUnknown(asked, who, name, [`/api/articles?populate[${name}]=true`]);
      }
    }
    for (const who of MAY_LIST['/api/authors'] ?? []) {
      const { body } = await get(who, '/api/authors?populate=*');
      for (const author of body.data) {
        expect(Object.keys(author)).toEqual(expect.not.arrayContaining(['email', 'ssn', 'secretRank', 'apiKey']));
      }
    }
  });

  test('B09: what the caller may not find is left out where it is populated', async () => {
    for (const who of WITHOUT_VAULTS) {
      for (const populate of ['vaults', '*', 'vaults,subject']) {
        const { body, status } = await get(who, `/api/articles?populate=${populate}&filters[code]=A-1`);
        expect([status, Object.keys(body.data[0])], populate).toEqual([200, expect.not.arrayContaining(['vaults'])]);
      }
    }
    expect((await get('admin', '/api/articles?populate=vaults')).text).toContain(VAULT_LABEL);
  });
});

describe('a document id in a body', () => {
  const first = () => `/api/articles/${documentOf('first')}`;

  test('B26, B34, B87: is looked up as it is, and never taken for another type of value', async () => {
    for (const id of [...HOSTILE_IDS.filter((each) => !/^-?\d+$/u.test(each)), NOBODY, documentOf('ann')]) {
      for (const tags of [
        id,
        [id],
        { connect: [id] },
        { set: [{ documentId: id }] },
        { connect: [{ documentId: id }] },
      ]) {
        expect((await asked.quick('writer', 'PUT', first(), { data: { tags } })).status, JSON.stringify(tags)).toBe(
          400,
        );
      }
    }
    for (const id of [
      { $ne: null },
      ['x'],
      'a\0b',
      '\ud800',
      'a\ud800b',
      1,
      true,
      null,
      { documentId: documentOf('red') },
      {},
    ]) {
      const { status } = await write('writer', 'PUT', first(), { tags: { connect: [{ documentId: id }] } });
      expect(status, JSON.stringify(id)).toBe(400);
    }
    const anchors = [NOBODY, `' OR 1=1`, { documentId: NOBODY }, { documentId: {} }, { documentId: 'x', locale: 'xx' }];
    for (const anchor of anchors) {
      const connect = [{ documentId: documentOf('red'), position: { before: anchor } }];
      expect((await write('writer', 'PUT', first(), { tags: { connect } })).status, JSON.stringify(anchor)).toBe(400);
    }
  });

  test('B14, B15: of what the caller may not find is refused in the words for one that does not exist', async () => {
    for (const value of [
      (id: string) => ({ vaults: [id] }),
      (id: string) => ({ vaults: { connect: [{ documentId: id }] } }),
      (id: string) => ({ vaults: { set: [{ documentId: id, locale: 'fr' }] } }),
      (id: string) => ({ subject: { documentId: id, __type: 'vault' } }),
      (id: string) => ({ blocks: [{ __component: 'blocks.quote', safe: id }] }),
    ]) {
      const said: string[] = [];
      for (const id of [documentOf('vault'), NOBODY]) {
        const answer = await write('writer', 'POST', '/api/articles', { title: 'x', ...value(id) });
        expect(answer.status).toBe(400);
        said.push(answer.text.replaceAll(id, 'ID'));
      }
      expect(said[1]).toBe(said[0]);
    }
  });

  test('B43, B45, B89: names of what the server sets are refused, at every depth', async () => {
    for (const name of [
      'id',
      'documentId',
      'createdAt',
      'updatedBy',
      'localizations',
      'document_id',
      'status',
      'meta',
    ]) {
      expect((await write('writer', 'PUT', first(), { [name]: NOBODY })).status, name).toBe(400);
      expect((await write('writer', 'PUT', first(), { seo: { documentId: NOBODY } })).status).toBe(400);
    }
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      for (const tags of [
        `{"${key}":[1]}`,
        `{"connect":[{"documentId":"${documentOf('red')}","${key}":1}]}`,
        `{"connect":[{"${key}":{"documentId":"${documentOf('red')}"}}]}`,
      ]) {
        const call = { body: `{"data":{"tags":${tags}}}`, headers: { ...FORMAT, 'Content-Type': 'application/json' } };
        expect((await server.call('writer', 'PUT', first(), call)).status, tags).toBe(400);
      }
    }
  });

  test('B97, B102: however many there are, and in whatever locales, they are looked up together', async () => {
    const connect = Array.from({ length: 8000 }, (_, index) => ({
      documentId: `b${String(index).padStart(23, '0')}`,
      locale: `x${index}`,
    }));
    const home = await write('admin', 'PUT', '/api/home', { featured: { connect } });
    expect(home.status).toBe(400);
    expect(home.ms).toBeLessThan(3000);
    const article = await write('writer', 'PUT', first(), { tags: { connect } });
    expect(article.status).toBe(400);
    expect(article.ms).toBeLessThan(3000);
  });
});

describe('drafts, locales and limits', () => {
  test('B17, B18: drafts are for who may preview', async () => {
    for (const who of ['public', 'plain', 'reader', 'readOnlyToken', 'customToken'] as const) {
      for (const query of ['status=draft', 'status=draft&locale=*', 'status=draft&populate=*']) {
        expect((await get(who, `/api/articles?${query}`)).status, `${who} ${query}`).toBe(403);
      }
      const guesses = [DRAFT_TITLE, 'x'].map((guess) => `/api/articles?filters[title]=${text(guess)}&locale=*`);
      expect((await expectSameAnswers(asked, who, guesses)).body.meta.pagination.total).toBe(0);
    }
    for (const query of ['status=all', 'status[$ne]=published', 'status=', 'locale=xx', "locale='", 'locale[]=en']) {
      expect([200, 400], query).toContain((await get('public', `/api/articles?${query}`)).status);
      expect((await get('public', `/api/articles?${query}`)).text).not.toContain(DRAFT_TITLE);
    }
    expect((await get('writer', '/api/articles?status=draft')).text).toContain(DRAFT_TITLE);
  });

  test('B17: the answer to a write shows no drafts to who may not preview', async () => {
    const hidden = await write('admin', 'POST', '/api/articles?status=draft', { title: 'Hidden in an answer' });
    const related = [hidden.body.data.documentId];
    const own = await write('admin', 'POST', '/api/articles?status=draft', { title: 'Own draft', related });
    const path = `/api/articles/${own.body.data.documentId}?status=draft&populate=related`;
    const seen = await write('writer', 'PUT', path, { title: 'Changed by the writer' });
    expect(seen.body.data.related).toHaveLength(1);
    const answer = await write('customToken', 'PUT', path, { title: 'Changed by the token' });
    expect([answer.status, answer.body.data.related]).toEqual([200, []]);
    expect(answer.text).not.toContain('Hidden in an answer');
  });

  test('B32: another locale is read and written by its name alone', async () => {
    const path = `/api/articles/${documentOf('first')}`;
    expect((await get('reader', path)).body.data.title).toContain('First');
    expect((await get('reader', `${path}?locale=fr`)).body.data.title).toBe('Premier');
    expect((await get('reader', `/api/articles/${documentOf('second')}?locale=fr`)).status).toBe(404);
    expect((await get('reader', `${path}?locale=*`)).status).toBe(400);
    const { body } = await get('reader', `/api/articles?filters[documentId]=${documentOf('first')}`);
    expect(body.data.map(({ locale }: any) => locale)).toEqual(['en']);
    for (const locale of ['xx', '*', "'", '__proto__', 'en,fr']) {
      expect((await write('writer', 'PUT', `${path}?locale=${text(locale)}`, { title: 'x' })).status, locale).toBe(400);
      if (locale === '*') continue;
      expect((await write('writer', 'DELETE', `${path}?locale=${text(locale)}`)).status, locale).toBe(400);
    }
    for (const who of ['public', 'plain', 'reader', 'readOnlyToken'] as const) {
      expect((await write(who, 'DELETE', `${path}?locale=*`)).status, who).toBe(403);
      expect((await write(who, 'PUT', `${path}?locale=fr`, { title: 'x' })).status, who).toBe(403);
    }
  });

  test('B93, B94, B97: the limits of lists are those of v4', async () => {
    for (const [query, expected] of [
      ['pagination[pageSize]=1000000000', 200],
      ['pagination[limit]=-1&locale=*', 200],
      ['pagination[pageSize]=0', 200],
      ['pagination[page]=1&pagination[start]=0', 400],
      ['pagination[page]=1000000000000', 200],
    ] as const) {
      const { status, body } = await get('reader', `/api/articles?${query}`);
      if (status === 200) {
        const { pageSize, limit } = body.meta.pagination;
        expect(pageSize ?? limit, query).toBeLessThanOrEqual(100);
      }
      expect([expected, 400], query).toContain(status);
    }
    const deep = `populate${'[related][populate]'.repeat(9)}=related`;
    expect((await get('reader', `/api/articles?${deep}`)).status).toBe(400);
    const many = Array.from({ length: 400 }, (_, index) => `filters[documentId][$in][${index}]=${NOBODY}`).join('&');
    const answer = await get('reader', `/api/articles?${many}`);
    expect([200, 400, 414, 431]).toContain(answer.status);
    expect(answer.ms).toBeLessThan(2000);
  });
});
