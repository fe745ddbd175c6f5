/** Section 3.3: a body sets what it may set, as what it says it is, and nothing else. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SECRETS } from '../support/attacks/canaries.ts';
import { encodeForm } from '../../templates/runtime/test-support/multipart-forms.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server?.stop());
// Whatever was tried, no object of the server has got a member by it.
afterEach(async () => {
  const { status, body } = await server.get('public', '/api/articles?filters[code]=A-1');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['data', 'meta']);
  expect(JSON.stringify(body)).not.toContain('polluted');
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

function post(data: unknown, path = '/api/articles') {
  return server.call('writer', 'POST', path, { data });
}

function postText(body: string, path = '/api/articles') {
  return server.call('writer', 'POST', path, { body, headers: JSON_TYPE });
}

function pathsOf({ error }: any): string[] {
  return error.details.errors.map(({ path }: { path: string[] }) => path.join('.'));
}

describe('keys that are not the caller’s to set', () => {
  const READ_ONLY = {
    id: 4711,
    createdAt: '2001-01-01T00:00:00.000Z',
    updatedAt: '2001-01-01T00:00:00.000Z',
    createdBy: 1,
    updatedBy: 1,
    localizations: [1],
  };

  test('B43: what clients echo back is ignored, and never stored', async () => {
    const { status, body } = await post({ title: 'echo', ...READ_ONLY });
    expect(status).toBe(201);
    expect(body.data.id).toBeLessThan(4711);
    expect(body.data.attributes.createdAt).not.toContain('2001');
    const path = `/api/articles/${body.data.id}`;
    const elsewhere = await server.call('writer', 'PUT', path, { data: { ...READ_ONLY, locale: 'fr', body: 'x' } });
    expect([elsewhere.status, pathsOf(elsewhere.body)]).toEqual([400, ['locale']]);
    const changed = await server.call('writer', 'PUT', path, { data: { ...READ_ONLY, locale: 'en', body: 'x' } });
    expect(changed.status).toBe(200);
    expect(changed.body.data.id).toBe(body.data.id);
    expect(changed.body.data.attributes).toMatchObject({ locale: 'en', createdAt: body.data.attributes.createdAt });
    expect(changed.body.data.attributes.updatedAt).not.toContain('2001');
  });

  test('B43, B44: everything else is refused, each by its path', async () => {
    const columns = {
      document_id: 'x',
      documentId: 'x',
      author_id: 1,
      author_position: 1,
      published_at: null,
      created_by_id: 1,
    };
    const more = {
      version: 2,
      __pivot: {},
      role: 1,
      isAdmin: true,
      singleton: 1,
      password: 'x',
      $set: {},
      'title; DROP': 1,
    };
    const data = { title: 'x', ...columns, ...more };
    const created = await post(data);
    expect(created.status).toBe(400);
    expect(pathsOf(created.body)).toEqual(Object.keys(data).slice(1));
    const { first = 0 } = server.seed.ids;
    const changed = await server.call('writer', 'PUT', `/api/articles/${first}`, { data });
    expect(pathsOf(changed.body)).toEqual(Object.keys(data).slice(1));
    const tag = await post({ name: 'x', publishedAt: null, locale: 'fr' }, '/api/tags');
    expect(pathsOf(tag.body)).toEqual(['publishedAt', 'locale']);
  });

  test('B44: inside of components, zones and relations too', async () => {
    const { status, body } = await post({
      title: 'x',
      titel: 'x',
      seo: { metaTitel: 1, social: [{ network: 'a', card: { role: 1 } }] },
      blocks: [{ __component: 'blocks.quote', text: 'a', isAdmin: true }],
      author: { connect: [{ id: 1, passwordHash: 'x' }] },
      tags: { connect: [1], role: 1 },
    });
    expect(status).toBe(400);
    expect(pathsOf(body).sort()).toEqual([
      'author.connect.0',
      'blocks.0.isAdmin',
      'seo.metaTitel',
      'seo.social.0.card.role',
      'tags',
      'titel',
    ]);
  });

  test('B53: registration accepts only name, address and password', async () => {
    const account = { username: 'mallory', email: 'mallory@people.example', password: SECRETS.password };
    const keys = {
      role: 4,
      confirmed: true,
      blocked: false,
      provider: 'x',
      tokenGeneration: -1,
      isAdmin: true,
      role_id: 4,
    };
    for (const [key, value] of Object.entries({ ...keys, resetPasswordToken: 'x', confirmationToken: 'x' })) {
      const json = { ...account, [key]: value };
      const { status, body } = await server.call('public', 'POST', '/api/auth/local/register', { json });
      expect(status, key).toBe(400);
      expect(pathsOf(body)).toEqual([key]);
    }
    const { status, body } = await server.call('public', 'POST', '/api/auth/local/register', { json: account });
    expect(status).toBe(200);
    const rows = await server.state.rows(
      `SELECT r.type, u.provider, u.token_generation FROM users u JOIN user_roles r ON r.id = u.role_id WHERE u.id = ${Number(body.user.id)}`,
    );
    expect(rows).toEqual([{ type: 'authenticated', provider: 'local', token_generation: 0 }]);
  });
});

describe('prototypes', () => {
  test('B45: no key of a body pollutes one', async () => {
    for (const data of [
      '{"title":"x","__proto__":{"polluted":1}}',
      '{"title":"x","constructor":{"prototype":{"polluted":1}}}',
      '{"title":"x","\\u005f_proto__":{"polluted":1}}',
      '{"title":"x","extra":{"__proto__":{"polluted":1}}}',
      '{"title":"x","extra":[{"a":{"constructor":{"prototype":{"polluted":1}}}}]}',
      '{"title":"x","seo":{"__proto__":{"metaTitle":"polluted"}}}',
      '{"title":"x","blocks":[{"__component":"blocks.quote","__proto__":{"text":"polluted"}}]}',
      '{"title":"x","blocks":[{"__component":"__proto__"}]}',
      '{"title":"x","blocks":[{"__component":"constructor"}]}',
      '{"title":"x","subject":{"id":1,"type":"__proto__"}}',
      '{"title":"x","tags":{"__proto__":{"connect":[1]}}}',
      '{"title":"x","tags":{"connect":[{"__proto__":{"id":1}}]}}',
      '{"title":"x","tags":{"connect":[{"id":1,"position":{"__proto__":{"end":true}}}]}}',
      '{"title":"x","toString":"polluted"}',
      '{"title":"x","hasOwnProperty":"polluted"}',
      '{"title":"x","prototype":{"polluted":1}}',
    ]) {
      expect((await postText(`{"data":${data}}`)).status, data).toBe(400);
    }
    for (const body of ['{"__proto__":{"data":{"title":"polluted"}}}', '{"data":{"__proto__":{"title":"polluted"}}}']) {
      expect((await postText(body)).status, body).toBe(400);
      expect((await postText(body, '/api/auth/local/register')).status, body).toBe(400);
    }
  });

  test('B45: no bracket of a query and no part name does', async () => {
    for (const key of [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'valueOf',
      '__defineGetter__',
      '%5F_proto__',
    ]) {
      for (const path of [
        `filters[${key}][x]=1`,
        `filters[${key}]=1`,
        `sort[${key}]=asc`,
        `sort=${key}`,
        `fields=${key}`,
        `populate=${key}`,
        `populate[${key}][x]=1`,
        `populate[blocks][on][${key}]=true`,
        `pagination[${key}]=1`,
        `filters[title][${key}]=1`,
      ]) {
        expect((await server.get('reader', `/api/articles?${path}`)).status, path).toBe(400);
      }
      const outside = await server.get('reader', `/api/articles?${key}[polluted]=1&${key}[prototype][polluted]=1`);
      expect([200, 400]).toContain(outside.status);
      expect(outside.text).not.toContain('polluted');
    }
    for (const name of [
      '__proto__',
      'constructor',
      'a.b.__proto__',
      'a.__proto__.b',
      'a[__proto__]',
      'files.__proto__',
      'files.seo.__proto__',
      'files.constructor.prototype',
      'files.toString',
    ]) {
      const parts = [{ name: 'data', content: '{"title":"x"}' }];
      const filename = name.startsWith('files') ? { filename: 'polluted.txt', type: 'text/plain' } : {};
      const { body, type } = encodeForm([...parts, { name, content: 'polluted', ...filename }]);
      const answer = await server.call('writer', 'POST', '/api/articles', { body, headers: { 'Content-Type': type } });
      expect(answer.status, name).toBe(400);
    }
  });
});

describe('the form of a body', () => {
  test('B46: it is an object with an object `data`', async () => {
    const bodies = [
      '[]',
      '"x"',
      'null',
      '1',
      'true',
      '{}',
      '',
      '{"data":[]}',
      '{"data":"x"}',
      '{"data":null}',
      '{"data":1}',
      '{"data":[{"title":"x"}]}',
      '{"DATA":{"title":"x"}}',
      '{"title":"x"}',
      '{',
      '{"data":{"title":"x"}',
      "{'data':{}}",
      '{"data":{"title":"x"}} x',
      'undefined',
      'NaN',
      '{"data":{"title":NaN}}',
      '{"data":{"title":"x",}}',
      '// x\n{"data":{"title":"x"}}',
    ];
    for (const body of bodies) {
      expect((await postText(body)).status, body).toBe(400);
      expect((await postText(body.replaceAll('data', 'identifier'), '/api/auth/local')).status, body).toBe(400);
    }
    const twice = await postText('{"data":{"title":"first"},"data":{"title":"last"}}');
    expect(twice.body.data.attributes.title).toBe('last');
  });

  test('B47: for a duplicate key the checked value is the stored one', async () => {
    const { status, body } = await postText('{"data":{"title":"first","title":"last","views":-1,"views":3}}');
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ title: 'last', views: 3 });
    expect((await postText('{"data":{"title":"first","views":3,"views":-1}}')).status).toBe(400);
    expect((await postText('{"data":{"title":"first","title":null}}')).status).toBe(400);
    const reread = await server.get('reader', `/api/articles/${body.data.id}`);
    expect(reread.body.data.attributes).toMatchObject({ title: 'last', views: 3 });
  });

  test('B52: it may not be deep or endless', async () => {
    const deep = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    const started = performance.now();
    for (const value of [
      deep(1000, '[', ']'),
      deep(100_000, '[', ']'),
      deep(1000, '{"a":', '}'),
      deep(100_000, '{"a":', '}'),
    ]) {
      expect((await postText(`{"data":{"title":"x","extra":${value}}}`)).status).toBe(400);
      expect((await postText(`{"data":${value}}`)).status).toBe(400);
    }
    const keys = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join();
    const many = await postText(`{"data":{"title":"x",${keys}}}`);
    expect(many.status).toBe(400);
    expect(many.text.length).toBeLessThan(1_000_000);
    const tooMany = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join();
    expect((await postText(`{"data":{"title":"x",${tooMany}}}`)).status).toBe(413);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('values of another type', () => {
  test('B48, B49, B50, B51: are refused, unless they can be cast exactly', async () => {
    const refused: Readonly<Record<string, readonly unknown[]>> = {
      title: [5, true, ['x'], { toString: 'x' }, { length: 1 }],
      views: [1.5, true, '1.5', 'ten', '0x10', [], {}, ['1'], 2 ** 31, '1e400', -1, 'NaN'],
      serial: [9_007_199_254_740_993, 1e20, 1.5, '9223372036854775808', true, ['1']],
      score: ['x', true, [], '1e999', 'Infinity', { valueOf: 1 }],
      price: ['x', true, [], {}, '1,5', '1e999', 'NaN'],
      open: ['yes', 'on', 2, [], {}, 'TRUE ', -1],
      mood: ['Calm', ' calm', 'CALM', 'calm ', 'c\u0430lm', 1, ['calm'], 'toString', '__proto__'],
      day: ['2024-02-30', '2023-02-29', '+275761-01-01', '2024-13-01', '0000-00-00', 5, true, {}, '2024-1-1x'],
      moment: ['2024-02-30T00:00:00Z', '2024-01-01T25:00:00Z', 'x', {}, [], true, '+999999-01-01T00:00:00Z'],
      seo: ['x', 1, [], true],
      blocks: ['x', 1, {}, [1], [null], [{}], [{ __component: 1 }], [{ __component: 'blocks.unknown' }]],
      tags: ['x', true, [true], [null], [['1']]],
      publishedAt: ['x', 5.5, {}, [], true],
    };
    for (const [name, values] of Object.entries(refused)) {
      for (const value of values) {
        const answer = await post({ title: 'x', [name]: value });
        expect(answer.status, `${name} ${JSON.stringify(value)}`).toBe(400);
        expect(pathsOf(answer.body)[0], `${name} ${JSON.stringify(value)}`).toMatch(new RegExp(`^${name}`));
      }
    }
  });

  test('B48, B50, B51: accepted values are stored and returned exactly', async () => {
    const taken: readonly (readonly [name: string, value: unknown, answered: unknown])[] = [
      ['views', '10', 10],
      ['views', 10, 10],
      ['open', 'true', true],
      ['open', 1, true],
      ['open', '0', false],
      ['serial', '9223372036854775807', '9223372036854775807'],
      ['serial', '-9223372036854775808', '-9223372036854775808'],
      ['serial', 42, '42'],
      ['price', '0.3', 0.3],
      ['price', 0.1, 0.1],
      ['price', '12345678901234.56', 12_345_678_901_234.56],
      ['score', '1e-7', 1e-7],
      ['day', '2024-02-29', '2024-02-29'],
      ['moment', '2024-06-01T12:00:00+02:00', '2024-06-01T10:00:00.000Z'],
      ['moment', '2024-06-01T12:00:00-00:00', '2024-06-01T12:00:00.000Z'],
    ];
    for (const [name, value, answered] of taken) {
      const { status, body } = await post({ title: 'x', [name]: value });
      expect(status, `${name} ${String(value)}`).toBe(201);
      expect(body.data.attributes[name], `${name} ${String(value)}`).toEqual(answered);
      const reread = await server.get('reader', `/api/articles/${body.data.id}?fields=${name}`);
      expect(reread.body.data.attributes[name]).toEqual(answered);
    }
    const { body } = await post({ title: 'x', price: '0.3' });
    const [row] = await server.state.rows(`SELECT price FROM articles WHERE id = ${Number(body.data.id)}`);
    expect(String(row?.['price'])).toMatch(/^\+?0*0?\.30*$|^0\.3$/);
    // The last second of 2016 was followed by one more: refused, or the instant after it.
    const leap = await post({ title: 'x', moment: '2016-12-31T23:59:60Z' });
    expect([400, 201]).toContain(leap.status);
    if (leap.status === 201) expect(leap.body.data.attributes.moment).toBe('2017-01-01T00:00:00.000Z');
  });
});
