/** Section 3.5: who somebody is. */
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECRETS } from '../support/attacks/canaries.ts';
import { takeEquallyLong } from '../support/attacks/guesses.ts';
import { forge, goodPayload } from '../support/attacks/jwt.ts';
import { type Mailbox, openMailbox } from '../support/attacks/mailbox.ts';
import { type AttackedServer, JWT_SECRET, startAttacked } from '../support/attacks/server.ts';

let mailbox: Mailbox;
let server: AttackedServer;
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startAttacked(mailbox.settings);
});
afterAll(async () => {
  await server?.stop();
  await mailbox?.close();
});

const LOCAL = '/api/auth/local';
const { password } = SECRETS;

const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  server.call('public', 'POST', path, { json, headers });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function me(token: string): Promise<number> {
  return (await server.call('public', 'GET', '/api/users/me', { headers: bearer(token) })).status;
}

/** A new user; answers the id and a session. */
async function register(name: string, secret: string = password): Promise<{ id: number; jwt: string }> {
  const json = { username: name, email: `${name}@people.example`, password: secret };
  const { status, body } = await post(`${LOCAL}/register`, json);
  expect(status).toBe(200);
  return { id: body.user.id, jwt: body.jwt };
}

async function signIn(identifier: string, secret: string): Promise<{ status: number; jwt: string }> {
  const { status, body } = await post(LOCAL, { identifier, password: secret });
  return { status, jwt: body.jwt };
}

test('B68: a session must be signed by this server, current, and for its audience', async () => {
  const user = await register('forged');
  const good = goodPayload(user.id);
  expect(await me(forge({ payload: good }))).toBe(200);
  const now = Math.floor(Date.now() / 1000);
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const payloads = [
    ...['id', 'generation', 'iss', 'aud', 'iat', 'exp'].map(without),
    ...[
      { exp: now - 10 },
      { exp: String(now + 3600) },
      { exp: null },
      { nbf: now + 3600 },
      { iss: 'other' },
      { aud: 'other' },
    ],
    ...[
      { id: String(user.id) },
      { id: [user.id] },
      { id: { $gt: 0 } },
      { id: -1 },
      { id: 1.5 },
      { id: 987_654 },
      { id: true },
    ],
    ...[{ generation: 1 }, { generation: '0' }, { generation: null }, { generation: -1 }, { iat: 'x' }],
  ].map((change) => ('id' in change && 'exp' in change ? change : { ...good, ...change }));
  const tokens = [
    ...payloads
      .filter((payload) => JSON.stringify(payload) !== JSON.stringify(good))
      .map((payload) => forge({ payload })),
    ...['none', 'None', 'NONE', '', null].map((alg) => forge({ payload: good, header: { alg }, with: 'none' })),
    forge({ payload: good, with: 'none' }),
    forge({ payload: good, header: { alg: 'none' } }),
    forge({ payload: good, header: { alg: 'HS384' }, with: 'sha384' }),
    forge({ payload: good, header: { alg: 'HS512' }, with: 'sha512' }),
    forge({ payload: good, header: { alg: 'RS256' }, with: 'rsa' }),
    forge({ payload: good, header: { alg: 'RS256' } }),
    ...['', ' ', 'secret', 'changeme', `${JWT_SECRET} `, JWT_SECRET.slice(0, -1)].map((secret) =>
      forge({ payload: good, secret }),
    ),
    ...['../../dev/null', "' OR 1=1 --", '/dev/null', '0'].map((kid) =>
      forge({ payload: good, header: { kid }, secret: '' }),
    ),
    ...['jku', 'x5u'].map((key) =>
      forge({ payload: good, header: { alg: 'RS256', [key]: 'http://127.0.0.1:1/' }, with: 'rsa' }),
    ),
    forge({ payload: good, header: { jwk: { kty: 'oct', k: 'AAAA' } }, secret: '' }),
    forge({ payload: good, header: { crit: ['exp'] } }),
    forge({ payload: good, header: { typ: 'at+jwt' } }),
    forge({ payload: forge({ payload: good }) }),
    forge({ payload: 'null' }),
    forge({ payload: '[]' }),
    forge({ payload: { ...good, more: 'x'.repeat(3000) } }),
    `${forge({ payload: good })}x`,
    `${forge({ payload: good })}.x`,
    forge({ payload: good }).replace('.', '..'),
    forge({ payload: good }).slice(0, -2),
    'x'.repeat(100_000),
  ];
  for (const token of tokens) expect(await me(token), token.slice(0, 300)).toBe(401);
});

describe('the secret of sessions', () => {
  const start = async (env: Record<string, string>, cwd: string) =>
    execa(process.execPath, [join(server.project, 'dist/main.js')], {
      cwd,
      env: { ...server.env, PORT: '0', JWT_SECRET: '', ...env },
      reject: false,
      timeout: 20_000,
    });

  test('B69: production does not start without a strong one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'content-gen-secret-'));
    for (const secret of ['', 'short', 'a'.repeat(64), 'abababababababababababababababababababab']) {
      const { exitCode, stderr } = await start({ NODE_ENV: 'production', JWT_SECRET: secret }, folder);
      expect(exitCode, secret).toBe(1);
      expect(stderr).toContain('JWT_SECRET');
      if (secret !== '') expect(stderr).not.toContain(secret);
    }
    await rm(folder, { recursive: true });
  });

  test('B69: none is generated into the project, and none is the same twice', async () => {
    for (const name of ['.env.example', 'compose.yaml', 'Dockerfile', 'README.md', 'package.json']) {
      expect(readFileSync(join(server.project, name), 'utf8'), name).not.toMatch(/JWT_SECRET=[^\s$#]/);
    }
    expect(readFileSync(join(server.project, '.gitignore'), 'utf8')).toMatch(/^\.env$/m);
    const made = [];
    for (const name of ['one', 'two']) {
      const folder = await mkdtemp(join(tmpdir(), `content-gen-secret-${name}-`));
      const command = [join(server.project, 'dist/generated/command.js'), 'token', 'list'];
      await execa(process.execPath, command, { cwd: folder, env: { ...server.env, JWT_SECRET: '' } });
      const path = join(folder, '.env');
      expect(statSync(path).mode & 0o077).toBe(0);
      made.push(/^JWT_SECRET=(\S{43,})$/m.exec(readFileSync(path, 'utf8'))?.[1]);
      await rm(folder, { recursive: true });
    }
    expect(made[0]).toBeDefined();
    expect(made[0]).not.toBe(made[1]);
  });
});

describe('signing in', () => {
  test('B70: fails with the same message and in the same time, whatever is wrong', async () => {
    const blocked = await register('blocked');
    await server.call('admin', 'PUT', `/api/users/${blocked.id}`, { json: { blocked: true } });
    const tries = {
      unknown: { identifier: 'nobody@people.example', password },
      wrong: { identifier: 'reader@people.example', password: 'wrong-password' },
      blocked: { identifier: 'blocked@people.example', password },
      hostile: { identifier: "' OR 1=1 --", password },
    };
    const texts = new Set<string>();
    for (const json of Object.values(tries)) {
      const { status, text } = await post(LOCAL, json);
      expect(status).toBe(400);
      texts.add(text);
    }
    expect([...texts]).toHaveLength(1);
    const timed = (json: unknown) => () => server.quick('public', 'POST', LOCAL, { json });
    for (const other of [tries.unknown, tries.blocked]) {
      expect(await takeEquallyLong(timed(tries.wrong), timed(other), { runs: 3, tolerance: 0.5 })).toBe(true);
    }
  }, 300_000);

  test('B71: passwords are never truncated, and have a maximum length', async () => {
    const long = `${'a'.repeat(72)}-and-more`;
    await register('longpass', long);
    expect((await signIn('longpass', long)).status).toBe(200);
    for (const wrong of [long.slice(0, 72), `${long.slice(0, -1)}x`, `${long}x`, `${long}\u0000`, ` ${long}`]) {
      expect((await signIn('longpass', wrong)).status).toBe(400);
    }
    const huge = 'a'.repeat(1_000_000);
    const { status, ms } = await post(`${LOCAL}/register`, {
      username: 'huge',
      email: 'huge@people.example',
      password: huge,
    });
    expect(status).toBe(400);
    expect(ms).toBeLessThan(5000);
    expect((await signIn('longpass', huge)).status).toBe(400);
    for (const wrong of [{}, [], true, null, 1, { $gt: '' }, [long]]) {
      expect((await post(LOCAL, { identifier: 'longpass', password: wrong })).status).toBe(400);
      expect((await post(LOCAL, { identifier: wrong, password: long })).status).toBe(400);
    }
  });

  test('B78: sets no cookie, and takes no form of another page', async () => {
    const { headers } = await post(LOCAL, { identifier: 'reader', password });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      for (const path of [LOCAL, `${LOCAL}/register`, '/api/auth/forgot-password', '/api/auth/reset-password']) {
        const body = JSON.stringify({ identifier: 'reader', password });
        expect((await server.call('public', 'POST', path, { body, headers: { 'Content-Type': type } })).status).toBe(
          415,
        );
      }
    }
  });
});

describe('a forgotten password', () => {
  const forgot = (email: unknown, headers: Record<string, string> = {}) =>
    post('/api/auth/forgot-password', { email }, headers);
  const reset = (code: unknown, secret = 'brand-new-1') =>
    post('/api/auth/reset-password', { code, password: secret, passwordConfirmation: secret });

  async function nextCode(email: string): Promise<string> {
    mailbox.mails.length = 0;
    expect((await forgot(email)).body).toEqual({ ok: true });
    await expect.poll(() => mailbox.mails.length, { timeout: 5000 }).toBe(1);
    return new URL(/https:\S+/.exec(mailbox.mails[0]?.text ?? '')?.[0] ?? '').searchParams.get('code') ?? '';
  }

  test('B72: takes the one code that was sent, once and in time', async () => {
    const ann = await register('reset-ann');
    await register('reset-bob');
    const code = await nextCode('reset-ann@people.example');
    const codes: readonly unknown[] = [
      {},
      [],
      true,
      null,
      1,
      '',
      { $gt: '' },
      { $ne: null },
      [code],
      [code, code],
      { toString: code },
      '%',
      `${code}x`,
    ];
    for (const wrong of [...codes, code.slice(0, -1), code.toUpperCase(), ` ${code}`, 'x'.repeat(100_000)]) {
      expect((await reset(wrong)).status, JSON.stringify(wrong)).toBe(400);
    }
    expect((await reset(code, 'abc')).status).toBe(400);
    const done = await reset(code);
    expect(done.status).toBe(200);
    expect(done.body.user.username).toBe('reset-ann');
    expect((await reset(code)).status).toBe(400);
    expect((await signIn('reset-bob', 'brand-new-1')).status).toBe(400);
    // Every session from before is over.
    expect(await me(ann.jwt)).toBe(401);
    const second = await nextCode('reset-ann@people.example');
    const third = await nextCode('reset-ann@people.example');
    expect((await reset(second)).status).toBe(400);
    await server.state.script(
      `UPDATE users SET reset_password_expires_at = '2020-01-01T00:00:00.000Z' WHERE username = 'reset-ann'`,
    );
    expect((await reset(third)).status).toBe(400);
  });

  test('B73, B74: is mailed to the stored address, with a link to the configured URL', async () => {
    await register('victim');
    mailbox.mails.length = 0;
    const evil = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Origin: 'https://evil.example',
      Referer: 'https://evil.example/',
      Forwarded: 'host=evil.example',
    };
    const spelled = [
      'v\u0131ct\u0131m@people.example',
      'ⅴictim@people.example',
      'victim@people.example\u200B',
      'victim@people.example,evil@evil.example',
      'victim@people.example\r\nBcc: evil@evil.example',
      '"victim@people.example" <evil@evil.example>',
      'victim@people.example evil@evil.example',
      'vi%@people.example',
      'v\u00edctim@people.example',
    ];
    for (const email of spelled) expect([200, 400]).toContain((await forgot(email)).status);
    for (const email of [
      ['victim@people.example', 'evil@evil.example'],
      { email: 'victim@people.example' },
      true,
      null,
    ]) {
      expect((await forgot(email)).status).toBe(400);
    }
    expect((await forgot('nobody@people.example')).body).toEqual({ ok: true });
    expect((await forgot('VICTIM@People.example', evil)).body).toEqual({ ok: true });
    // The numeral ⅴ is the letter v in NFKC, so that is the address of the account, too.
    await expect.poll(() => mailbox.mails.length, { timeout: 5000 }).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(mailbox.mails.map(({ to }) => to)).toEqual([['victim@people.example'], ['victim@people.example']]);
    for (const { text } of mailbox.mails) {
      expect(text).toContain('https://good.example/');
      expect(text).not.toContain('evil');
    }
  });

  test('B41: no mail is a template', async () => {
    // A product that no date and no id of a mail has in it.
    const product = String(8971 * 7919);
    const hostile = '${8971*7919}<%= 8971*7919 %>{{8971*7919}}';
    const email = 'template+{{8971*7919}}@people.example';
    expect((await post(`${LOCAL}/register`, { username: hostile, email, password })).status).toBeLessThan(500);
    mailbox.mails.length = 0;
    await forgot(email);
    await expect.poll(() => mailbox.mails.length, { timeout: 5000 }).toBe(1);
    expect(mailbox.mails[0]?.text).not.toContain(product);
  });
});

test('B75: a new password ends every other session', async () => {
  const { id, jwt } = await register('changing');
  const other = (await signIn('changing', password)).jwt;
  const refreshed = (await server.call('public', 'POST', '/api/auth/refresh', { json: {}, headers: bearer(jwt) })).body
    .jwt;
  const change = (currentPassword: string, next: string, token = jwt) =>
    post('/api/auth/change-password', { currentPassword, password: next, passwordConfirmation: next }, bearer(token));
  expect((await change('wrong', 'brand-new-1')).status).toBe(400);
  expect((await change(password, password)).status).toBe(400);
  const changed = await change(password, 'brand-new-1');
  expect(changed.status).toBe(200);
  for (const token of [jwt, other, refreshed]) expect(await me(token)).toBe(401);
  expect(await me(changed.body.jwt)).toBe(200);
  // So does one that is set by somebody else.
  await server.call('admin', 'PUT', `/api/users/${id}`, { json: { password: 'brand-new-2' } });
  expect(await me(changed.body.jwt)).toBe(401);
  expect((await signIn('changing', 'brand-new-1')).status).toBe(400);
});

describe('what is stored', () => {
  test('B79: ids are never reused', async () => {
    const make: Readonly<Record<string, () => Promise<number>>> = {
      '/api/tags': async () =>
        (await server.call('admin', 'POST', '/api/tags', { data: { name: `t${Math.random()}` } })).body.data.id,
      '/api/articles': async () =>
        (await server.call('admin', 'POST', '/api/articles', { data: { title: 'x' } })).body.data.id,
      '/api/users': async () => (await register(`u${Math.random()}`)).id,
    };
    for (const [path, create] of Object.entries(make)) {
      const first = await create();
      expect((await server.call('admin', 'DELETE', `${path}/${first}`)).status).toBe(200);
      const second = await create();
      expect(second).toBeGreaterThan(first);
      // Something that fails after the insert.
      await server.call('admin', 'POST', path, { data: { title: 'x', name: 'red', tags: [987_654] } });
      expect(await create()).toBeGreaterThan(second);
    }
  });

  test('B80: no secret is stored in plain text', async () => {
    const { reader, fullToken, customToken } = server.seed.credentials;
    const dump = await server.state.dump();
    for (const secret of [
      password,
      'brand-new-1',
      'brand-new-2',
      SECRETS.apiKey,
      SECRETS.socialToken,
      reader,
      fullToken,
      customToken,
    ]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString('base64'));
    }
    const codes = mailbox.mails.flatMap(({ text }) => /code=(\S+)/.exec(text)?.[1] ?? []);
    for (const code of codes) expect(dump).not.toContain(code);
    const hashes = await server.state.rows('SELECT password FROM users');
    expect(new Set(hashes.map((row) => String(row['password']))).size).toBe(hashes.length);
  });
});
