/** Section 3.1: what may not be read must not be learned by asking for something else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRAFT_TITLE, SECRETS, VAULT_LABEL } from '../support/attacks/canaries.ts';
import {
  EVERYBODY,
  expectSameAnswers,
  expectUnknown,
  takeEquallyLong,
  WITHOUT_VAULTS,
} from '../support/attacks/guesses.ts';
import { someOf } from '../../templates/runtime/test-support/in-full.ts';
import { CASES, filtersOf, MAY_LIST } from '../support/attacks/private-attributes.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server?.stop());

const id = (name: string): number => server.seed.ids[name] ?? 0;
const text = encodeURIComponent;

const OPERATORS = ['$eq', '$startsWith', '$gt', '$notContainsi'];

describe('private attributes and passwords', () => {
  test('B01, B02, B03: no filter reaches them, at any depth, and they are refused like unknown names', async () => {
    const before = await server.state.dump();
    for (const [index, [list, who, path, right, wrong]] of CASES.entries()) {
      const name = path.split('.').at(path.includes('editors') ? -2 : -1) ?? '';
      const guesses = someOf(OPERATORS, OPERATORS.length, index).flatMap((operator) =>
        [right, wrong, right.slice(0, 3)].map((guess) => `${list}?${filtersOf(path)}[${operator}]=${guess}`),
      );
      const further = [
        `${list}?${filtersOf(path)}=${right}`,
        `${list}?${filtersOf(path)}[$null]=true`,
        `${list}?filters[$or][0]${filtersOf(path).slice(7)}=${right}&filters[$or][1][id]=1`,
        `${list}?filters[$not]${filtersOf(path).slice(7)}[$in][0]=${wrong}`,
      ];
      await expectUnknown(server, who, name, [...guesses, ...further]);
    }
    for (const who of EVERYBODY) {
      for (const name of ['createdBy', 'updatedBy', 'localizations', 'blocks', 'subject']) {
        const paths = [SECRETS.source, 'nothing'].map((guess) => `/api/articles?filters[${name}][source]=${guess}`);
        expect((await expectSameAnswers(server, who, paths)).status).toBe(400);
      }
    }
    expect(await server.state.dump()).toBe(before);
  });

  test('B06: no sort order depends on them', async () => {
    for (const [list, who, path] of CASES) {
      const name = path.split('.').at(path.includes('editors') ? -2 : -1) ?? '';
      await expectUnknown(server, who, name, [
        `${list}?sort=${path}`,
        `${list}?sort[0]=${path}:asc`,
        `${list}?sort=id,${path}:desc`,
        `${list}?${filtersOf(path).replace('filters', 'sort')}=desc`,
      ]);
    }
    expect((await server.get('admin', '/api/articles?sort=-notes')).status).toBe(400);
  });

  test('B07: searching has no influence on them', async () => {
    for (const who of EVERYBODY) {
      for (const secret of [SECRETS.notes, SECRETS.hidden, SECRETS.ssn, String(SECRETS.rank), VAULT_LABEL]) {
        const paths = [secret, 'canary-that-nothing-has'].map((guess) => `/api/articles?_q=${text(guess)}`);
        const answer = await expectSameAnswers(server, who, paths);
        expect(answer.body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
      }
    }
    const authors = [SECRETS.authorEmail, SECRETS.ssn, 'nothing'].map((guess) => `/api/authors?_q=${text(guess)}`);
    await expectSameAnswers(server, 'admin', authors);
  });

  test('B08: `fields` names what may be read, and `*` is no more than that', async () => {
    for (const who of MAY_LIST['/api/authors'] ?? []) {
      for (const name of ['email', 'ssn', 'secretRank', 'apiKey']) {
        const forms = [`fields=${name}`, `fields[0]=name&fields[1]=${name}`, `fields=name,${name}`, `fields=*,${name}`];
        await expectUnknown(
          server,
          who,
          name,
          forms.map((form) => `/api/authors?${form}`),
        );
      }
      for (const fields of ['author.ssn', 'ssn as name', 'ssn name', '"ssn"', 'articles.notes']) {
        expect((await server.quick(who, 'GET', `/api/authors?fields[0]=${text(fields)}`)).status).toBe(400);
      }
      const all = await server.quick(who, 'GET', '/api/authors?fields=*');
      expect(Object.keys(all.body.data[0].attributes)).toEqual(['name', 'createdAt', 'updatedAt']);
    }
  });

  test('B03, B09: populating shows none of them, and none of its options guesses', async () => {
    for (const who of EVERYBODY) {
      for (const name of ['editors', 'notes', 'createdBy', 'deep']) {
        await expectUnknown(server, who, name, [
          `/api/articles?populate=${name}`,
          `/api/articles?populate[0]=${name}`,
          `/api/articles?populate[${name}]=true`,
          `/api/articles?populate[${name}][populate]=*`,
        ]);
      }
    }
    for (const who of ['reader', 'admin', 'fullToken'] as const) {
      for (const [at, name] of [
        ['populate[author]', 'ssn'],
        ['populate[related][populate][author]', 'email'],
        ['populate[seo]', 'hidden'],
        ['populate[seo][populate][social][populate][card]', 'pin'],
        ['populate[blocks][on][blocks.quote]', 'source'],
        ['populate[tags][populate][articles]', 'notes'],
      ] as const) {
        const forms = [`[fields]=${name}`, `[fields][0]=${name}`, `[populate]=${name}`];
        const windows = at.includes('[on]')
          ? []
          : [`[sort]=${name}`, `[filters][${name}][$startsWith]=c`, `[filters][${name}]=x`];
        const paths = [...forms, ...windows].map((form) => `/api/articles?${at}${form}`);
        await expectUnknown(server, who, name, paths);
      }
    }
  });

  test('B20, B21: neither responses to writes nor validation errors contain them', async () => {
    const data = { name: 'Eve', ssn: SECRETS.ssn, email: 'e@secret.example', apiKey: 'canary-api-key-of-ann' };
    const created = await server.call('writer', 'POST', '/api/authors?populate=*', { data });
    expect(created.status).toBe(201);
    const path = `/api/authors/${created.body.data.id}`;
    for (const answer of [
      created,
      await server.call('writer', 'PUT', path, { data: { apiKey: SECRETS.apiKey, ssn: SECRETS.otherSsn } }),
      await server.call('admin', 'DELETE', path),
    ]) {
      expect(Object.keys(answer.body.data.attributes)).not.toContain('apiKey');
      expect(answer.text).not.toMatch(/ssn|email|secretRank|apiKey/);
    }
    const wrong = { name: 'x', email: SECRETS.ssn, ssn: [SECRETS.ssn], secretRank: SECRETS.ssn, apiKey: SECRETS.ssn };
    const refused = await server.call('writer', 'POST', '/api/authors', {
      data: { ...wrong, apiKey: [SECRETS.apiKey] },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.errors.map((error: any) => error.path[0])).toEqual([
      'email',
      'ssn',
      'secretRank',
      'apiKey',
    ]);
    const stored = await server.state.rows('SELECT api_key FROM authors WHERE api_key IS NOT NULL');
    expect(stored.map(({ api_key }) => String(api_key)).join()).not.toContain('canary');
  });

  test('B12: a duplicate value gets the same error, whoever has it', async () => {
    const probe = async (data: object) => {
      const { status, body } = await server.call('writer', 'POST', '/api/articles', { data: { title: 'x', ...data } });
      expect(status).toBe(400);
      return body.error;
    };
    const taken = await probe({ code: 'A-1' });
    expect(taken.message).toBe('This attribute must be unique');
    expect(await probe({ code: 'D-4' })).toEqual(taken);
    const email = await server.call('writer', 'POST', '/api/authors', {
      data: { name: 'x', email: SECRETS.authorEmail },
    });
    // Of a private attribute not even that.
    expect(email.body.error.details.errors).toEqual([
      { path: [], message: "This entry can't be saved", name: 'ValidationError' },
    ]);
  });
});

test('B04: operators of query builders are refused by name, at every depth', async () => {
  const internal = ['where[title]=x', 'where=1', 'lookup[title]=x', '_where[title]=x', 'having[id]=1', 'select=ssn'];
  const more = ['join[alias]=t', 'raw=1', '$and[0][notes]=x', '$where=1', 'groupBy=ssn', 'orderBy=notes', '_lookup=1'];
  for (const who of EVERYBODY) {
    for (const query of [...internal, ...more]) {
      const { status, body } = await server.quick(who, 'GET', `/api/articles?${query}`);
      expect(status, query).toBe(400);
      expect(body.error.message).toContain(/^[^[=]+/.exec(query)?.[0]);
    }
    for (const option of ['[where][notes]=x', '[lookup]=1', '[select]=notes', '[$where]=1', '[count]=x', '[on][x]=1']) {
      const path = `/api/articles?populate[related]${option}`;
      expect((await server.quick(who, 'GET', path)).status, path).toBe(400);
    }
  }
});

test('B05: names must be spelled as in the schema', async () => {
  const spellings = ['t0.ssn', 't.ssn', 't1.ssn', 'authors.ssn', 'author.ssn', '"ssn"', '`ssn`', '[ssn]', 'SSN', 'Ssn'];
  const odd = [
    's\\u0073n',
    'ssn ',
    ' ssn',
    'ssn\u200b',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'ssn--',
  ];
  const columns = ['secret_rank', 'api_key', 'author_id', 'document_id', 'rowid', '_rowid_', 'oid'];
  for (const name of [...spellings, ...odd, ...columns]) {
    const key = text(name);
    for (const path of [
      `/api/authors?filters[${key}][$startsWith]=c`,
      `/api/authors?filters[${key}]=c`,
      `/api/authors?sort=${key}`,
      `/api/authors?fields=${key}`,
      `/api/authors?populate=${key}`,
      `/api/articles?filters[author][${key}][$startsWith]=c`,
      `/api/articles?sort=author.${key}`,
      `/api/articles?populate[author][fields]=${key}`,
    ]) {
      // Spaces around the parts of a list are nobody's: `fields= ssn` is `fields=ssn`, and refused as that.
      expect((await server.quick('admin', 'GET', path)).status, path).toBe(400);
    }
  }
});

describe('entries of a type that the caller may not find', () => {
  test('B09, B15: they are left out where they are populated, as if there were none', async () => {
    for (const who of WITHOUT_VAULTS) {
      for (const populate of ['vaults', '*', 'vaults,subject', 'vaults.articles']) {
        const { body, status } = await server.quick(who, 'GET', `/api/articles?populate=${populate}&filters[code]=A-1`);
        expect(status, populate).toBe(200);
        expect(Object.keys(body.data[0].attributes)).not.toContain('vaults');
      }
      const quote = 'populate[blocks][on][blocks.quote][populate]=safe';
      const { body } = await server.quick(who, 'GET', `/api/articles?${quote}&filters[code]=A-1`);
      expect(body.data[0].attributes.blocks[0]).not.toHaveProperty('safe');
    }
    const changed = await server.call('writer', 'PUT', `/api/articles/${id('first')}?populate=vaults`, {
      data: { body: 'changed' },
    });
    expect(changed.body.data.attributes).not.toHaveProperty('vaults');
    expect((await server.get('admin', '/api/articles?populate=vaults')).text).toContain(VAULT_LABEL);
  });

  test('B02, B09: filters and sorts through them are refused, right or wrong', async () => {
    for (const who of WITHOUT_VAULTS) {
      for (const [way, label] of [
        ['filters[vaults][label][$startsWith]', 'label'],
        ['filters[vaults]', 'vaults'],
        ['filters[vaults][id]', 'vaults'],
        ['filters[author][safe][label]', 'safe'],
        ['filters[tags][articles][vaults][id]', 'vaults'],
        ['populate[related][filters][vaults][label]', 'vaults'],
      ]) {
        const paths = [VAULT_LABEL, '1', '99', 'x'].map((guess) => `/api/articles?${way}=${text(guess)}`);
        expect((await expectSameAnswers(server, who, paths)).status, `${way} ${label}`).toBe(400);
      }
      for (const sort of ['vaults.label', 'vaults.id', 'vaults', 'author.safe.label']) {
        expect((await server.quick(who, 'GET', `/api/articles?sort=${sort}`)).status).toBe(400);
      }
      const count = await server.quick(who, 'GET', '/api/articles?filters[vaults][$null]=true');
      expect(count.status).toBe(400);
    }
  });

  test('B14: connecting one is refused in the words for one that does not exist', async () => {
    const connect = async (attribute: string, value: (target: number) => unknown) => {
      const errors = [];
      for (const target of [id('vault'), 987_654]) {
        const data = { title: 'x', [attribute]: value(target) };
        const { status, text: body } = await server.call('writer', 'POST', '/api/articles', { data });
        expect(status).toBe(400);
        errors.push(body.replaceAll(String(target), 'ID'));
      }
      expect(errors[1]).toBe(errors[0]);
    };
    await connect('vaults', (target) => [target]);
    await connect('vaults', (target) => ({ connect: [{ id: target }] }));
    await connect('subject', (target) => ({ id: target, type: 'vault' }));
    await connect('blocks', (target) => [{ __component: 'blocks.quote', safe: target }]);
  });
});

describe('drafts', () => {
  test('B13, B17: they are never returned without preview, whatever else a query asks for', async () => {
    for (const who of EVERYBODY) {
      const list = await server.quick(who, 'GET', '/api/articles?pagination[pageSize]=1');
      expect(list.body.meta.pagination.total).toBe(3);
      const guesses = [DRAFT_TITLE, 'x'].map((guess) => `/api/articles?filters[title]=${text(guess)}`);
      expect((await expectSameAnswers(server, who, guesses)).body.meta.pagination.total).toBe(0);
      await expectSameAnswers(
        server,
        who,
        [DRAFT_TITLE, 'x'].map((guess) => `/api/articles?_q=${text(guess)}`),
      );
      if (who === 'public' || who === 'customToken') continue;
      await expectSameAnswers(
        server,
        who,
        [id('draft'), 987_654].map((entry) => `/api/articles/${entry}?populate=*`),
      );
    }
    for (const who of MAY_LIST['/api/authors'] ?? []) {
      const through = [DRAFT_TITLE, 'x'].map((guess) => `/api/authors?filters[articles][title]=${text(guess)}`);
      await expectSameAnswers(server, who, through);
      const authors = await server.quick(who, 'GET', '/api/authors?populate=articles&sort=articles.title:desc');
      // By the draft, Bob would be the first.
      expect(authors.body.data.map(({ attributes }: any) => attributes.name)).toEqual(['Ann', 'Bob']);
      expect(authors.body.data[1].attributes.articles.data).toHaveLength(1);
    }
  });

  test('B16, B18: `status` is refused; `preview` and `all` show what they say and no private attribute', async () => {
    for (const query of [
      'status=draft',
      'publicationState=draft',
      'publicationState[$ne]=live',
      "locale='",
      'locale[]=en&locale[]=fr',
    ]) {
      expect((await server.get('public', `/api/articles?${query}`)).status, query).toBe(400);
    }
    const preview = '/api/articles?publicationState=preview&locale=all&populate=*';
    for (const who of ['public', 'plain', 'reader', 'readOnlyToken', 'customToken'] as const) {
      expect((await server.get(who, preview)).status, who).toBe(403);
    }
    expect((await server.get('writer', preview)).body.meta.pagination.total).toBe(5);
  });
});

test('B13: missing and invisible entries take equally long', async () => {
  const read = (entry: number) => () => server.quick('reader', 'GET', `/api/articles/${entry}`);
  expect(await takeEquallyLong(read(id('draft')), read(987_654))).toBe(true);
}, 120_000);

test('B19: there are no aggregates to ask for', async () => {
  const plain = await server.get('admin', '/api/authors');
  for (const query of ['aggregate[min]=secretRank', 'group=ssn', 'min=secretRank', 'count(ssn)', 'distinct=ssn']) {
    expect((await server.get('admin', `/api/authors?${query}`)).text, query).toBe(plain.text);
  }
});

test('B22: responses do not reveal the software', async () => {
  for (const path of ['/', '/openapi.json', '/api', '/api/', '/documentation', '/_version', '/package.json']) {
    const { status, body } = await server.get('public', path);
    expect(status, path).toBe(404);
    expect(body.error.message).toBe('Not Found');
  }
  const page = await fetch(`${server.origin}/admin`);
  expect(await page.text()).not.toMatch(/content-gen|version|koa/iu);
  for (const path of ['/api/vaults', '/api/authors', '/api/users', '/api/users-permissions/roles', '/api/imprint']) {
    const { status, body } = await server.get('public', path);
    expect(status, path).toBe(403);
    expect(body.error).toEqual({ status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} });
  }
});

test('B11: a cursor that is forged or edited carries no other attribute, and is refused beside another list', async () => {
  const list = '/api/articles?pagination[pageSize]=1';
  const answer = await server.get('reader', `${list}&sort=title&pagination[after]=`);
  const next: string = JSON.parse(answer.text).meta.pagination.next;
  const mark = next.slice(0, 12);
  const forged = [
    '["x"]',
    '["x","ssn",1]',
    '[{"ssn":1},1]',
    '[["a"],1]',
    '["a","1 OR 1=1"]',
    '{"id":1}',
    'null',
    '[]',
  ].map((values) => mark + Buffer.from(values).toString('base64url'));
  for (const cursor of [...forged, mark, 'garbage', "' OR 1=1", next.toUpperCase(), next + 'x'.repeat(7000)]) {
    const { status } = await server.get('reader', `${list}&sort=title&pagination[after]=${text(cursor)}`);
    expect(status, cursor).toBe(400);
  }
  for (const other of ['sort=title:desc', 'sort=id', 'sort=title&filters[id][$gt]=1', 'sort=title&_q=a']) {
    expect((await server.get('reader', `${list}&${other}&pagination[after]=${next}`)).status, other).toBe(400);
  }
  await expectUnknown(server, 'reader', 'ssn', [`/api/authors?sort=ssn&pagination[after]=${next}`]);
});
