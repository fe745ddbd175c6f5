/** Section 3.2: what a request says is a value, never a part of a statement, a header, a line of the log or a template. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBytes, statusesOf } from '../support/attacks/client.ts';
import { HOSTILE, ODD_NUMBERS, UNUSUAL } from '../support/attacks/hostile-values.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server?.stop());

const text = encodeURIComponent;

async function create(title: string): Promise<{ status: number; body: any }> {
  return server.call('writer', 'POST', '/api/articles', {
    data: { title, body: title, extra: { [`k${title}`]: title } },
  });
}

async function titles(query: string): Promise<string[]> {
  const path = `/api/articles?pagination[pageSize]=100&fields=title&${query}`;
  const { status, body } = await server.quick('public', 'GET', path);
  expect(status, query).toBe(200);
  return body.data.map(({ attributes }: any) => String(attributes.title)).sort();
}

describe('values', () => {
  beforeAll(async () => {
    for (const title of [...HOSTILE, ...UNUSUAL]) {
      const { status, body } = await create(title);
      expect(status, title).toBe(201);
      expect(body.data.attributes).toMatchObject({ title, body: title, extra: { [`k${title}`]: title } });
    }
  });

  test('B26, B27, B37, B41: every operator takes every text literally', async () => {
    const all = await titles('');
    expect(all).toHaveLength(HOSTILE.length + UNUSUAL.length + 3);
    const operators: Readonly<Record<string, (title: string, value: string) => boolean>> = {
      $eq: (title, value) => title === value,
      $ne: (title, value) => title !== value,
      $in: (title, value) => title === value,
      $notIn: (title, value) => title !== value,
      $contains: (title, value) => title.includes(value),
      $notContains: (title, value) => !title.includes(value),
      $startsWith: (title, value) => title.startsWith(value),
      $endsWith: (title, value) => title.endsWith(value),
      $eqi: (title, value) => title.toLowerCase() === value.toLowerCase(),
      $containsi: (title, value) => title.toLowerCase().includes(value.toLowerCase()),
      $gte: (title, value) => Buffer.compare(Buffer.from(title), Buffer.from(value)) >= 0,
    };
    for (const value of [...HOSTILE, ...UNUSUAL]) {
      for (const [operator, holds] of Object.entries(operators)) {
        const expected = all.filter((title) => holds(title, value));
        expect(await titles(`filters[title][${operator}]=${text(value)}`), `${operator} ${value}`).toEqual(expected);
      }
      expect(await titles(`_q=${text(value)}`)).toContain(value);
    }
  });

  test('B26: so do the other places where a value is taken', async () => {
    for (const value of HOSTILE) {
      for (const path of [
        `/api/articles?filters[views]=${text(value)}`,
        `/api/articles?filters[day][$gt]=${text(value)}`,
        `/api/articles?filters[id][$in][0]=${text(value)}`,
        `/api/articles?filters[mood]=${text(value)}`,
        `/api/articles?filters[open]=${text(value)}`,
        `/api/articles?filters[tags][name][$contains]=${text(value)}`,
        `/api/articles?filters[seo][metaTitle][$contains]=${text(value)}`,
        `/api/articles?filters[seo][social][card][caption]=${text(value)}`,
        `/api/articles?pagination[page]=${text(value)}`,
        `/api/articles?locale=${text(value)}`,
        `/api/articles?publicationState=${text(value)}`,
        `/api/articles/${text(value)}`,
        `/api/${text(value)}`,
        `/uploads/${text(value)}`,
        `/api/articles?${text(value)}=${text(value)}`,
        `/api/articles?filters[${text(value)}]=1`,
        `/api/articles?filters[title][${text(value)}]=1`,
        `/api/articles?sort=${text(value)}`,
        `/api/articles?fields=${text(value)}`,
        `/api/articles?populate=${text(value)}`,
        `/api/articles?pagination[${text(value)}]=1`,
      ]) {
        const { status } = await server.quick('reader', 'GET', path);
        expect([200, 400, 404], path).toContain(status);
      }
    }
  });

  test('B37: U+0000 and lone surrogates are refused everywhere', async () => {
    for (const json of ['"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"x\\udfff"']) {
      for (const data of [
        `{"title":${json}}`,
        `{"title":"x","extra":{"a":[${json}]}}`,
        `{"title":"x","seo":{"metaTitle":${json}}}`,
      ]) {
        const body = `{"data":${data}}`;
        const headers = { 'Content-Type': 'application/json' };
        const answer = await server.call('writer', 'POST', '/api/articles', { body, headers });
        expect(answer.status, data).toBe(400);
      }
    }
    for (const path of [
      '?filters[title]=a%00b',
      '?sort=title%00',
      '?a%00=1',
      '?_q=%00',
      '?locale=en%00',
      '/1%00',
      '/%00',
    ]) {
      expect([400, 404], path).toContain((await server.get('reader', `/api/articles${path}`)).status);
    }
    for (const path of [
      '?filters[title]=%ed%a0%80',
      '?filters[title]=%ff%fe',
      '?filters[title]=%',
      '?filters[title]=%zz',
      '/%ff',
      '/%',
    ]) {
      expect([200, 400, 404], path).toContain((await server.get('reader', `/api/articles${path}`)).status);
    }
  });
});

test('B28, B30: an operator takes a value or a list of values, never a structure', async () => {
  for (const filter of [
    '[price][$eq][foo]=1',
    '[price][$gt][0]=1',
    '[price][$eq][]=1',
    '[title][$eq][$ne]=x',
    '[title][$contains][0]=x',
    '[title][$contains][toString]=x',
    '[title][$in][1)or(1=1]=x',
    '[title][$in][a]=x',
    '[title][$in][0][0]=x',
    '[title][$between][a]=x',
    '[title][$null][a]=x',
    '[$and][1)or(1=1][title]=x',
    '[$or]=x',
    '[$or][a]=x',
    '[0][title]=x',
    '=x',
    '[]=x',
  ]) {
    expect((await server.get('reader', `/api/articles?filters${filter}`)).status, filter).toBe(400);
  }
});

test('B29: nothing reaches into JSON by a path', async () => {
  const keys = [
    `a'--`,
    'a"b',
    '$.a',
    'a.b[*]',
    '**',
    '$',
    `a')) OR 1=1 --`,
    'x'.repeat(300),
    '$eq',
    '$contains',
    '$gt',
  ];
  for (const key of keys) {
    for (const path of [`filters[extra][${text(key)}]=1`, `sort=extra.${text(key)}`, `fields=extra.${text(key)}`]) {
      expect((await server.get('reader', `/api/articles?${path}`)).status, path).toBe(400);
    }
  }
  expect((await server.get('reader', '/api/articles?sort=extra.a.b')).status).toBe(400);
});

test('B31: a sort order is a name and a direction', async () => {
  const orders = [
    'title;select',
    'title,(select 1)',
    'CASE WHEN 1 THEN title END',
    'title nulls last--',
    'title:asc:desc',
  ];
  const more = [
    'title:',
    'title:asc;',
    'title:random',
    `title' desc`,
    '[title]',
    '"title"',
    'title desc',
    'title:asc--',
    '1',
    '(id)',
  ];
  for (const order of [...orders, ...more]) {
    for (const path of [`sort=${text(order)}`, `sort[0]=${text(order)}`, `populate[related][sort]=${text(order)}`]) {
      expect((await server.get('reader', `/api/articles?${path}`)).status, path).toBe(400);
    }
  }
  expect((await server.get('reader', '/api/articles?sort[title]=asc;drop')).status).toBe(400);
  expect((await server.get('reader', '/api/articles?sort[title][x]=asc')).status).toBe(400);
});

test('B32: a locale is one of the schema', async () => {
  for (const locale of [`'`, '../../etc', `en' OR '1'='1`, 'en,fr', '%', 'en;', '/', 'e'.repeat(300), '__proto__']) {
    expect((await server.get('reader', `/api/articles?locale=${text(locale)}`)).status, locale).toBe(400);
    for (const data of [
      { title: 'x', locale },
      { title: 'x', locale: [locale] },
    ]) {
      expect((await server.call('writer', 'POST', '/api/articles', { data })).status, locale).toBe(400);
    }
    const { first = 0 } = server.seed.ids;
    const json = { title: 'x', locale };
    const localized = await server.call('writer', 'POST', `/api/articles/${first}/localizations`, { json });
    expect(localized.status).toBe(400);
  }
  // Well-formed, and not one of ours: there is nothing in it.
  expect((await server.get('reader', '/api/articles?locale=de')).body.data).toEqual([]);
});

test('B33: numbers must be integers within bounds, and never address another row', async () => {
  const large = ['9007199254740992', '9223372036854775808', `1${'0'.repeat(400)}`, '-9223372036854775809'];
  for (const value of [...ODD_NUMBERS, ...large, ' 1', '1.0', '-0', '01', '+1', '-1', '0']) {
    const entry = await server.get('reader', `/api/articles/${text(value)}`);
    if (!['', '01'].includes(value)) expect(entry.status, value).toBe(404);
    const filtered = await server.get('reader', `/api/articles?filters[id]=${text(value)}`);
    expect([200, 400], value).toContain(filtered.status);
    if (filtered.status === 200) {
      const expected = Number(value) === 1 && value !== '' ? [1] : [];
      expect(
        filtered.body.data.map((found: any) => found.id),
        value,
      ).toEqual(expected);
    }
  }
  for (const value of [...ODD_NUMBERS.filter((number) => number !== ''), ...large, ' 1', '1.0']) {
    for (const name of ['page', 'pageSize', 'start', 'limit']) {
      const path = `/api/articles?pagination[${name}]=${text(value)}`;
      expect((await server.get('reader', path)).status, path).toBe(400);
    }
  }
});

test('B34: an id is a number', async () => {
  const ids = [
    { $ne: null },
    { id: { $ne: null } },
    true,
    1.5,
    -1,
    0,
    '1 ',
    ' 1',
    '1e0',
    '0x1',
    [[1]],
    { id: [1] },
    { id: true },
  ];
  for (const author of [...ids, { id: null }, { id: 1, and: 1 }, 'Ann', Number.MAX_SAFE_INTEGER + 1, 1e400]) {
    for (const data of [{ author }, { tags: [author] }, { tags: { connect: [author] } }, { tags: { set: [author] } }]) {
      const answer = await server.call('writer', 'POST', '/api/articles', { data: { title: 'x', ...data } });
      // `null` clears, and is how JSON spells what is no number.
      if (author !== 1e400) expect(answer.status, JSON.stringify(data)).toBe(400);
    }
  }
  for (const path of [
    '?filters[id][a]=1',
    '?filters[id][$eq][a]=1',
    '?filters[author][id][$ne][a]=1',
    '/[object Object]',
    '/true',
  ]) {
    expect([400, 404]).toContain((await server.get('reader', `/api/articles${path.replace(' ', '%20')}`)).status);
  }
});

test('B35: odd operands mean what is documented, and an empty list matches nothing', async () => {
  const total = async (query: string) =>
    (await server.get('reader', `/api/articles?${query}`)).body.meta.pagination.total as number;
  const all = await total('');
  for (const query of [
    'filters[price][$between]=1',
    'filters[price][$between][]=1',
    'filters[price][$between][0]=1&filters[price][$between][1]=2&filters[price][$between][2]=3',
  ]) {
    expect((await server.get('reader', `/api/articles?${query}`)).status).toBe(400);
  }
  expect(await total('filters[price][$null]=maybe')).toBe(await total('filters[price][$null]=true'));
  for (const empty of [
    'filters[id][$in]=',
    'filters[id][$in][]=',
    'filters[id][$in][0]=',
    'filters[tags][id][$in]=',
    'filters[id]=',
  ]) {
    expect(await total(empty), empty).toBe(0);
    expect(await total(`${empty}&filters[title][$ne]=x`), empty).toBe(0);
    expect(await total(`${empty}&publicationState=live`), empty).toBe(0);
  }
  expect(await total('filters[$or][0][id][$in]=&filters[$or][1][id]=1')).toBe(1);
  expect(await total('filters[$or][]=')).toBeLessThanOrEqual(all);
  expect(await total('filters[id][$notIn][]=')).toBeLessThanOrEqual(all);
});

test('B36: no operator runs a regular expression, and those of the schema are fast', async () => {
  for (const operator of [
    '$regex',
    '$regexp',
    '$iRegexp',
    '$like',
    '$ilike',
    '$match',
    '$rlike',
    '$sounds',
    '$jsonSupersetOf',
  ]) {
    const path = `/api/articles?filters[title][${operator}]=${text('^(a+)+$')}`;
    expect((await server.get('reader', path)).status).toBe(400);
  }
  const started = performance.now();
  const data = { title: 'x', code: `${'A-'.repeat(100_000)}!`, body: 'a'.repeat(100_000) };
  expect((await server.call('writer', 'POST', '/api/articles', { data })).status).toBe(400);
  for (const operator of ['$contains', '$containsi', '$startsWithi', '$eqi']) {
    await server.get('reader', `/api/articles?filters[body][${operator}]=${text('a*?[%_'.repeat(150))}`);
  }
  expect(performance.now() - started).toBeLessThan(5000);
});

test('B38: no response header contains input of a request', async () => {
  const evil = 'x\r\nSet-Cookie: a=b\r\n\r\n<html>';
  const created = await server.call('writer', 'POST', '/api/articles', {
    data: { title: evil, slug: 'x\r\nSet-Cookie: a=b' },
  });
  expect([201, 400]).toContain(created.status);
  for (const path of [
    `/uploads/${text(evil)}`,
    `/api/articles/${text(evil)}`,
    `/${text(evil)}`,
    `/api/articles?sort=${text(evil)}`,
  ]) {
    const { headers } = await server.get('reader', path);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers.location).toBeUndefined();
  }
  const answers = await sendBytes(
    server.port,
    'GET /api/articles HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nConnection: close\r\n\r\n',
  );
  expect(answers).not.toMatch(/^x-request-id: a\r$/im);
});

test('B39: a log line is one JSON text, whatever a request contains', async () => {
  const path = '/api/articles%0A%7B%22level%22:30,%22msg%22:%22forged%22%7D%1B[31m';
  const headers = { 'User-Agent': '","msg":"forged', 'X-Forwarded-For': '{"forged":1}', 'X-Request-Id': 'forged' };
  await server.call('reader', 'GET', path, { headers });
  for (const request of [
    'GET /a\u001B[31mb HTTP/1.1',
    'GET /a HTTP/1.1\r\nUser-Agent: \u001B[31m',
    'GET /a\nb HTTP/1.1',
  ]) {
    const raw = await sendBytes(server.port, `${request}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([400, 404]).toContain(statusesOf(raw)[0]);
  }
  await expect.poll(() => server.output()).toContain('forged');
  const lines = server.output().trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(entries.map(({ msg }) => msg)).not.toContain('forged');
  expect(entries.map(({ requestId }) => requestId)).not.toContain('forged');
  expect(server.output()).not.toContain('\u001B');
});

test('B42: credentials are never interpreted', async () => {
  const anonymous = (await server.get('public', '/api/articles')).text;
  for (const credentials of [
    '{"$gt":""}',
    '__proto__',
    `cgt_'--`,
    '[object',
    'cgt_',
    'null',
    'undefined',
    'a.b.c',
    `'OR'1'='1`,
    'cgt_%',
  ]) {
    const headers = { Authorization: `Bearer ${credentials}` };
    const { status, body } = await server.call('public', 'GET', '/api/articles', { headers });
    expect(status, credentials).toBe(401);
    expect(body.error.name).toBe('UnauthorizedError');
  }
  for (const header of [`Bearer ' OR '1'='1`, 'Basic YTpi', 'Bearer', 'bearer  ', 'Token x', '{"$ne":null}']) {
    const answer = await server.call('public', 'GET', '/api/articles', { headers: { Authorization: header } });
    expect(answer.text, header).toBe(anonymous);
    const { status } = await server.call('public', 'GET', '/api/authors', { headers: { Authorization: header } });
    expect(status).toBe(403);
  }
});
