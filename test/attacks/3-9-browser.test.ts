/** Section 3.9: browsers, caches, and how a server is run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBytes, statusesOf } from '../support/attacks/client.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
/** Of a team that has a page of its own. */
let open: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
  open = await startAttacked({
    CORS_ORIGINS: 'https://good.example,http://localhost:3000',
    NODE_ENV: 'production',
    AUTH_PASSWORD_COST: '',
  });
});
afterAll(async () => {
  await server?.stop();
  await open?.stop();
});

const EVIL = [
  'https://evil.example',
  'null',
  'https://good.example.evil.example',
  'https://evilgood.example',
  'http://good.example',
  'https://good.example:8443',
  'https://good.example/',
  'https://GOOD.example',
  'https://good.example%60.evil.example',
  'file://',
  '*',
  'http://localhost:3001',
  'https://sub.good.example',
  'https://good.exampl',
  'https://goodxexample',
];

test('B118: pages of other origins read nothing, unless the settings allow them', async () => {
  const ask = (who: AttackedServer, method: string, origin: string) =>
    who.call('public', method, '/api/articles', {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
  const LOCAL = 'http://localhost:3001';
  for (const origin of [...EVIL.filter((evil) => evil !== LOCAL), 'https://good.example']) {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const { headers } = await ask(server, method, origin);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  }
  // Outside of production, pages of this machine may (N06).
  expect((await ask(server, 'GET', LOCAL)).headers['access-control-allow-origin']).toBe(LOCAL);
  for (const method of ['GET', 'OPTIONS', 'POST']) {
    for (const origin of EVIL) {
      const { headers } = await ask(open, method, origin);
      expect(headers['access-control-allow-origin'] ?? '', `${method} ${origin}`).toBe('');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    for (const origin of ['https://good.example', 'http://localhost:3000']) {
      const { headers } = await ask(open, method, origin);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(String(headers.vary)).toMatch(/origin/i);
    }
  }
});

test('B119: there are no open redirects', async () => {
  const to = 'https://evil.example';
  for (const path of [
    `//evil.example`,
    `///evil.example/%2e%2e`,
    `/\\evil.example`,
    `/api/articles//evil.example`,
    `/api/auth/email-confirmation?confirmation=x&redirect=${to}`,
    `/api/auth/email-confirmation?url=${to}&callback=${to}&next=${to}`,
    `/api/connect/google/callback?redirect=${to}`,
    `/api/articles/?redirect=${to}`,
    `/uploads//evil.example`,
    '/api/articles/.',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers } = await server.call('public', method, path.replace('\\', '%5c'), {
        headers: { Referer: to, Host: 'evil.example' },
      });
      expect(headers.location, path).toBeUndefined();
      expect(status >= 300 && status < 400, path).toBe(false);
    }
  }
});

test('B120, B125: every response is JSON, whatever is requested and whatever it contains', async () => {
  const html = '<script>alert(1)</script>';
  const { body } = await server.call('writer', 'POST', '/api/articles', { data: { title: html, body: html } });
  for (const accept of [
    'text/html',
    'text/html,application/xhtml+xml',
    'image/png',
    'application/xml',
    '*/*',
    'x',
    ';;;',
    'text/html;q=0',
    '',
  ]) {
    for (const [method, path, status] of [
      ['GET', `/api/articles/${body.data.id}`, 200],
      ['GET', '/nowhere', 404],
      ['PATCH', '/api/articles', 405],
      ['GET', `/api/articles?sort=${encodeURIComponent(html)}`, 400],
      ['POST', '/api/articles', 415],
    ] as const) {
      const call =
        method === 'POST'
          ? { body: '{', headers: { Accept: accept, 'Content-Type': 'text/html' } }
          : { headers: { Accept: accept } };
      const answer = await server.call('writer', method, path, call);
      expect(answer.status, `${accept} ${path}`).toBe(status);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  }
});

test('B121: every answer has its headers, and no cache gives one caller’s answer to another', async () => {
  for (const path of [
    '/api/articles',
    '/nowhere',
    '/api/vaults',
    '/_health',
    '/_ready',
    '/api/articles?sort=x',
    '/api/users/me',
  ]) {
    for (const who of ['public', 'reader'] as const) {
      const { headers, status } = await server.get(who, path);
      expect(headers['x-frame-options'], path).toBe('SAMEORIGIN');
      expect(headers['content-security-policy']).toContain("default-src 'self'");
      expect(headers['strict-transport-security']).toBeDefined();
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/);
      if (!path.startsWith('/api/') || status === 404) continue;
      const isPrivate = /no-store|private/.test(headers['cache-control'] ?? '');
      expect(isPrivate || /authorization/i.test(headers.vary ?? ''), `${who} ${path}`).toBe(true);
    }
  }
});

test('B124: a path reports its methods, and accepts no others', async () => {
  const { first = 0 } = server.seed.ids;
  const allowed: Readonly<Record<string, string>> = {
    '/api/articles': 'HEAD, GET, POST',
    [`/api/articles/${first}`]: 'HEAD, GET, PUT, DELETE',
    '/api/home': 'HEAD, GET, PUT, DELETE',
    '/api/upload/files': 'HEAD, GET, PUT',
    '/api/auth/local': 'POST',
    '/api/users/me': 'HEAD, GET, PUT, DELETE',
    '/_health': 'GET, HEAD',
  };
  for (const [path, methods] of Object.entries(allowed)) {
    for (const method of [
      'PATCH',
      'POST',
      'PUT',
      'DELETE',
      'SEARCH',
      'PROPFIND',
      'LOCK',
      'PURGE',
      'MERGE',
      'M-SEARCH',
    ]) {
      if (methods.split(', ').includes(method)) continue;
      const { status, headers } = await server.call('admin', method, path, { json: {} });
      expect(status, `${method} ${path}`).toBe(405);
      expect(headers.allow).toBe(methods);
    }
    if (path === '/_health') continue;
    const options = await server.call('admin', 'OPTIONS', path);
    expect([options.status, options.text, options.headers.allow]).toEqual([200, '', methods]);
  }
  for (const method of ['TRACE', 'TRACK', 'FOO', 'get', 'CONNECT']) {
    const target = method === 'CONNECT' ? 'evil.example:443' : '/api/articles';
    const answer = await sendBytes(
      server.port,
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nX-Secret: echoed\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).not.toContain('echoed');
    for (const status of statusesOf(answer)) expect([400, 404, 405, 501], method).toContain(status);
  }
});

describe('how it is run', () => {
  test('B126: an internal error reveals only its id, also without NODE_ENV', async () => {
    const broken = await startAttacked({ NODE_ENV: '' });
    try {
      await broken.state.script('ALTER TABLE tags RENAME TO tags_away');
      const response = await fetch(`${broken.origin}/api/tags`, {
        headers: { Authorization: `Bearer ${broken.seed.credentials.reader}` },
      });
      const text = await response.text();
      expect(response.status).toBe(500);
      const requestId = response.headers.get('x-request-id');
      expect(JSON.parse(text)).toEqual({
        data: null,
        error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error', details: { requestId } },
      });
      await expect.poll(() => broken.output()).toContain(`"requestId":"${requestId}"`);
      expect((await broken.quick('reader', 'GET', '/api/articles')).status).toBe(200);
    } finally {
      await broken.state.script('ALTER TABLE tags_away RENAME TO tags').catch(() => undefined);
      await broken.stop({ defects: 1 });
    }
  });

  test('B127: there are no development endpoints', async () => {
    for (const each of [server, open]) {
      for (const path of [
        '/debug',
        '/openapi.json',
        '/docs',
        '/swagger',
        '/graphql',
        '/metrics',
        '/.env',
        '/.git/config',
        '/server-status',
        '/_debug',
        '/content-gen.manifest.json',
        '/src/main.ts',
        '/dist/main.js',
        '/_schema',
        '/api/_schema',
        '/package.json',
      ]) {
        expect((await each.get('admin', path)).status, path).toBe(404);
      }
    }
  });

  /** The first versions without what is publicly known of these packages. */
  const FIRST_GOOD: Readonly<Record<string, string>> = {
    koa: '3.1.2',
    '@koa/router': '15.0.0',
    '@koa/cors': '5.0.0',
    'koa-helmet': '8.0.0',
    qs: '6.14.1',
    '@fastify/busboy': '3.0.0',
    jose: '6.0.0',
    nodemailer: '7.0.7',
    'raw-body': '3.0.0',
    'file-type': '21.0.0',
    'image-size': '2.0.2',
    zod: '4.0.0',
  };
  const REPLACED = [
    'multer',
    'formidable',
    'js-yaml',
    'jsonwebtoken',
    'knex',
    'koa-body',
    'koa-bodyparser',
    'bcrypt',
    'lodash',
    'moment',
  ];

  test('B128: no package has a version with a known vulnerability', () => {
    const numbers = (version: string) => (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
    const read = (path: string) => JSON.parse(readFileSync(join(server.project, path), 'utf8'));
    const { dependencies: always, peerDependencies } = read('runtime/package.json');
    const dependencies: Record<string, string> = { ...always, ...peerDependencies };
    for (const [name, first] of Object.entries(FIRST_GOOD)) {
      const [declared, least] = [numbers(dependencies[name] ?? ''), numbers(first)];
      const difference = least.map((part, at) => (declared[at] ?? 0) - part).find((part) => part !== 0) ?? 0;
      expect(difference, `${name} ${dependencies[name]}`).toBeGreaterThanOrEqual(0);
    }
    for (const name of REPLACED) expect(Object.keys(dependencies)).not.toContain(name);
    expect(Object.keys(read('package.json').scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  });
});

test('B122: a condition that does not hold, or is none, lets nothing be written', async () => {
  const path = `/api/articles/${server.seed.ids['first']}`;
  const before = await server.state.dump();
  const conditions = [
    'garbage',
    'W/"x"',
    '"a", "b"',
    '"999999"',
    '"0-x"',
    '"1',
    ',',
    '"1";"2"',
    '"-1"',
    'x'.repeat(7000),
  ];
  for (const condition of conditions) {
    const call = { data: { body: 'written' }, headers: { 'If-Match': condition } };
    expect([400, 412], condition).toContain((await server.call('writer', 'PUT', path, call)).status);
    const headers = { 'If-Match': condition };
    expect([400, 412], condition).toContain((await server.call('admin', 'DELETE', path, { headers })).status);
  }
  expect(await server.state.dump()).toEqual(before);
  const all = { data: { body: 'written' }, headers: { 'If-Match': '*' } };
  expect((await server.call('writer', 'PUT', path, all)).status).toBe(200);
});
