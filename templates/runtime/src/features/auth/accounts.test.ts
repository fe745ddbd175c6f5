/** Users over HTTP: registration, sign-in, sessions and what ends them. */
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import {
  dump,
  PASSWORD,
  serveDuringTests,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import { DEFAULT_PASSWORD_COST, setPasswordCost } from '../../base/password.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
serveDuringTests(definition, (served) => ({ project, server, database, admin } = served));

const paths = (answer: { body: any }) => answer.body.error.details.errors.map((error: any) => error.path.join('.'));
const me = (token: string | undefined) => server.send('GET', '/api/users/me', { token });

describe('registration', () => {
  test('returns a session and the user, and stores the address in lower case and the password hashed', async () => {
    const body = { username: 'Ann', email: 'Ann@Example.ORG', password: PASSWORD };
    const { status, headers, body: answer } = await server.send('POST', '/api/auth/local/register', { body });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(answer.user).toEqual({
      id: expect.any(Number),
      username: 'Ann',
      email: 'ann@example.org',
      provider: 'local',
      confirmed: true,
      blocked: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: answer.user.createdAt,
    });
    const stored = await database.get(sql`SELECT password, role_id FROM users WHERE id = ${answer.user.id}`);
    expect(stored?.['password']).toMatch(/^\$scrypt\$ln=8,r=8,p=3\$/);
    expect((await me(answer.jwt)).body).toEqual(answer.user);
    for (const name of ['Ann', 'ann@example.org', 'ANN@example.org']) {
      expect((await server.signIn(name, PASSWORD)).body.user).toEqual(answer.user);
    }
  });

  test('accepts only what users may set, reports all errors, and writes nothing then', async () => {
    await server.register('bob');
    const before = await dump(database);
    const send = (body: object) => server.send('POST', '/api/auth/local/register', { body });
    expect(paths(await send({}))).toEqual(['email', 'username', 'password']);
    const good = { username: 'eve', email: 'eve@example.org', password: PASSWORD };
    for (const further of ['role', 'blocked', 'confirmed', 'tokenGeneration', 'resetPasswordToken', 'provider']) {
      expect(paths(await send({ ...good, [further]: 1 })), further).toEqual([further]);
    }
    expect(paths(await send({ username: 'a', email: 'eve', password: '12345' }))).toHaveLength(3);
    expect(paths(await send({ ...good, password: 'x'.repeat(1025) }))).toEqual(['password']);
    expect(paths(await send({ ...good, username: ['eve'], password: { $gt: '' } }))).toHaveLength(2);
    expect(paths(await send({ ...good, username: 'e\0ve' }))).toEqual(['username']);
    for (const taken of [
      { ...good, username: 'bob' },
      { ...good, email: 'BOB@example.org' },
      { ...good, username: 'bob@example.org' },
    ]) {
      expect((await send(taken)).body.error).toMatchObject({
        status: 400,
        name: 'ApplicationError',
        message: 'Email or Username are already taken',
      });
    }
    expect(await dump(database)).toBe(before);
  });

  test('creates one user for concurrent requests with one name', async () => {
    const body = { username: 'twin', email: 'twin@example.org', password: PASSWORD };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.send('POST', '/api/auth/local/register', { body })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
  });

  test('can be closed', async () => {
    const closed = await project.start({ AUTH_REGISTRATION: 'false' });
    await expect(closed.register('nobody')).rejects.toThrow('Register action is currently disabled');
    await closed.close();
  });
});

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

describe('sign-in', () => {
  test('responds alike to unknown, wrong, blocked and malformed, in about the same time', async () => {
    setPasswordCost(DEFAULT_PASSWORD_COST);
    onTestFinished(() => setPasswordCost(8));
    const { username } = await server.register('carl');
    const blocked = await server.register('blocked');
    await server.send('PUT', `/api/users/${blocked.id}`, { body: { blocked: true }, token: admin });
    const timed = async (name: string, password: string) => {
      const started = performance.now();
      const { status, body } = await server.signIn(name, password);
      return { status, body, time: performance.now() - started };
    };
    const tried = [
      ['nobody', PASSWORD],
      [username, 'another password'],
      ['blocked', PASSWORD],
      [username, `${PASSWORD} `],
    ] as const;
    // Interleaved, so that other load on this machine affects all of them.
    const times = tried.map((): number[] => []);
    for (let round = 0; round < 3; round += 1) {
      for (const [index, [name, password]] of tried.entries()) {
        const { status, body, time } = await timed(name, password);
        expect([status, body.error.name, body.error.message]).toEqual([
          400,
          'ValidationError',
          'Invalid identifier or password',
        ]);
        times[index]?.push(time);
      }
    }
    const fastest = times.map((list) => Math.min(...list));
    expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(3);
    expect(paths(await server.send('POST', '/api/auth/local', { body: {} }))).toEqual(['identifier', 'password']);
    const asked = { identifier: { $ne: '' }, password: [PASSWORD] };
    expect((await server.send('POST', '/api/auth/local', { body: asked })).status).toBe(400);
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const text = `identifier=${username}&password=${PASSWORD}`;
    expect((await server.send('POST', '/api/auth/local', { ...form, body: text })).status).toBe(415);
  });

  test('refuses a long name of combining marks at once, as any other unknown one', async () => {
    const marks = `a${'\u0345'.repeat(40_000)}${'\u0334'.repeat(40_000)}`;
    const started = performance.now();
    const { status, body } = await server.signIn(marks, PASSWORD);
    expect([status, body.error.message]).toEqual([400, 'Invalid identifier or password']);
    // Normalizing it takes about ten seconds, in which the server does nothing else.
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test('never truncates a password, and rehashes it if the parameters have changed', async () => {
    const long = 'p'.repeat(100);
    const body = { username: 'long', email: 'long@example.org', password: `${long}1` };
    await server.send('POST', '/api/auth/local/register', { body });
    expect((await server.signIn('long', `${long}2`)).status).toBe(400);
    expect((await server.signIn('long', long.slice(0, 72))).status).toBe(400);
    // Hash of `weak password` with old parameters.
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync('weak password', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
    const old = `$scrypt$ln=10,r=8,p=1$${base64(salt)}$${base64(key)}`;
    await database.run(sql`UPDATE users SET password = ${old} WHERE username = ${'long'}`);
    expect((await server.signIn('long', 'weak password')).status).toBe(200);
    const stored = await database.get(sql`SELECT password FROM users WHERE username = ${'long'}`);
    expect(stored?.['password']).toContain('$scrypt$ln=8,');
    expect((await server.signIn('long', 'weak password')).status).toBe(200);
  });

  test('prefers the address to a user name, so that nobody can impersonate another user', async () => {
    await server.register('dora');
    await server.register('thief');
    await database.run(sql`UPDATE users SET username = ${'dora@example.org'} WHERE username = ${'thief'}`);
    expect((await server.signIn('dora@example.org', PASSWORD)).body.user.username).toBe('dora');
  });
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forged(header: object, payload: object, secret = 'of-the-tests-0123456789-abcdefghijklmn', hash = 'sha256') {
  const text = `${base64url(header)}.${base64url(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

test('an email address in letters of full width is the plain one; accounts from before can still sign in', async () => {
  const register = (username: string, email: string) =>
    server.send('POST', '/api/auth/local/register', { body: { username, email, password: PASSWORD } });
  const wide = await register('widemail', 'Ｗｉｄｅ@example.org');
  expect([wide.status, wide.body.user.email]).toEqual([200, 'wide@example.org']);
  for (const email of ['wide@example.org', 'ｗｉｄｅ@example.org', 'ＷＩＤＥ@example.org']) {
    expect((await register(`other${email.codePointAt(0)}`, email)).status, email).toBe(400);
    expect((await server.signIn(email, PASSWORD)).body.user.id).toBe(wide.body.user.id);
  }
  const changed = await server.send('PUT', `/api/users/${wide.body.user.id}`, {
    token: admin,
    body: { email: 'ｗｉｄｅｒ@example.org' },
  });
  expect(changed.body.email).toBe('wider@example.org');
  await database.run(sql`UPDATE users SET email = 'ｏｌｄ@example.org' WHERE id = ${wide.body.user.id}`);
  expect((await server.signIn('ｏｌｄ@example.org', PASSWORD)).body.user.id).toBe(wide.body.user.id);
  expect((await register('oldtaken', 'ｏｌｄ@example.org')).status).toBe(400);
});

test('S14: user names are normalized, without invisible characters; older ones can still sign in', async () => {
  const register = (username: string, email = `${Math.random()}@example.org`) =>
    server.send('POST', '/api/auth/local/register', { body: { username, email, password: PASSWORD } });
  for (const username of ['ol\u202Ega', 'olga\r\nx', 'olga\u200B', 'olga ', ' olga', '\u043Elga', 'ol\u0000ga']) {
    const answer = await register(username);
    expect([answer.status, paths(answer)], JSON.stringify(username)).toEqual([400, ['username']]);
    const body = { username, email: 'olga@example.org', password: PASSWORD };
    expect((await server.send('POST', '/api/users', { token: admin, body })).status).toBe(400);
  }
  const wide = await register('ｏｌｇａ', 'olga@example.org');
  expect(wide.body.user.username).toBe('olga');
  expect((await register('olga')).status).toBe(400);
  for (const name of ['olga', 'ｏｌｇａ', 'olga@example.org']) {
    expect((await server.signIn(name, PASSWORD)).body.user.id).toBe(wide.body.user.id);
  }
  const { id } = wide.body.user;
  for (const old of ['olga\u200B', ' olga ', '\u043Elga', 'ⓞlga']) {
    await database.run(sql`UPDATE users SET username = ${old} WHERE id = ${id}`);
    expect((await server.signIn(old, PASSWORD)).body.user).toMatchObject({ id, username: old });
    const put = (body: object) => server.send('PUT', `/api/users/${id}`, { token: admin, body });
    expect((await put({ username: old, email: 'olga@example.org' })).status).toBe(200);
    expect((await put({ username: `${old}\u200B` })).status).toBe(400);
  }
});

describe('sessions', () => {
  test('are accepted only if signed by this server, with its algorithm and audience', async () => {
    const { id } = await server.register('erin');
    const now = Math.floor(Date.now() / 1000);
    const header = { alg: 'HS256', typ: 'JWT' };
    const payload = { id, generation: 0, iss: 'access', aud: 'access', iat: now, exp: now + 60 };
    expect((await me(forged(header, payload))).status).toBe(200);
    const bad = [
      forged({ ...header, alg: 'none' }, payload).replace(/[^.]*$/, ''),
      forged({ ...header, alg: 'HS512' }, payload, undefined, 'sha512'),
      forged({ ...header, alg: 'RS256' }, payload),
      forged({ ...header, typ: 'other' }, payload),
      forged({ ...header, crit: ['x'], x: 1 }, payload),
      forged(header, payload, 'another secret that is long enough'),
      forged({ ...header, kid: '../../dev/null', jku: 'https://example.org' }, payload, ''),
      forged(header, { ...payload, exp: now - 60 }),
      forged(header, { ...payload, exp: undefined }),
      forged(header, { ...payload, exp: `${now + 60}` }),
      forged(header, { ...payload, nbf: now + 600 }),
      forged(header, { ...payload, aud: 'other' }),
      forged(header, { ...payload, iss: 'other' }),
      forged(header, { ...payload, id: String(id) }),
      forged(header, { ...payload, id: { $gt: 0 } }),
      forged(header, { ...payload, generation: undefined }),
      forged(header, { ...payload, generation: 1 }),
      forged(header, { ...payload, id: 999_999 }),
      'x'.repeat(100_000),
      'a.b.c',
      '__proto__',
    ];
    for (const token of bad) {
      expect((await me(token)).status, token.slice(0, 80)).toBe(401);
      expect((await server.send('GET', '/api/articles', { token })).status).toBe(401);
      expect((await server.send('GET', '/api/nothing', { token })).status).toBe(404);
    }
    for (const authorization of ['Bearer', 'Bearer a b', 'Basic eDp5', 'a']) {
      expect((await server.send('GET', '/api/articles', { headers: { authorization } })).status).toBe(200);
      expect((await server.send('GET', '/api/vaults', { headers: { authorization } })).status).toBe(403);
    }
    expect((await server.send('GET', `/api/users/me?access_token=${forged(header, payload)}`)).status).toBe(403);
  });

  test('are renewed', async () => {
    const { jwt, id } = await server.register('fay');
    const renewed = await server.send('POST', '/api/auth/refresh', { token: jwt });
    expect((await me(renewed.body.jwt)).body.id).toBe(id);
    expect((await server.send('POST', '/api/auth/refresh')).status).toBe(403);
    expect((await server.send('POST', '/api/auth/refresh', { token: admin })).status).toBe(401);
  });

  test('end at once with a new password, a block and a deletion', async () => {
    const { jwt, id } = await server.register('gil');
    const change = (currentPassword: string, password: string, token: string, passwordConfirmation = password) =>
      server.send('POST', '/api/auth/change-password', {
        token,
        body: { currentPassword, password, passwordConfirmation },
      });
    expect((await change('wrong', 'new password', jwt)).status).toBe(400);
    expect((await change(PASSWORD, PASSWORD, jwt)).status).toBe(400);
    expect((await change(PASSWORD, 'new password', jwt, 'other')).status).toBe(400);
    expect((await change(PASSWORD, 'short', jwt)).status).toBe(400);
    expect((await me(jwt)).status).toBe(200);
    const changed = await change(PASSWORD, 'new password', jwt);
    expect(changed.body.user.id).toBe(id);
    expect((await me(jwt)).status).toBe(401);
    expect((await me(changed.body.jwt)).status).toBe(200);
    expect((await server.signIn('gil', PASSWORD)).status).toBe(400);

    await server.send('PUT', `/api/users/${id}`, { token: admin, body: { blocked: true } });
    expect((await me(changed.body.jwt)).status).toBe(401);
    await server.send('PUT', `/api/users/${id}`, { token: admin, body: { blocked: false } });
    expect((await me(changed.body.jwt)).status).toBe(401);
    const { body } = await server.signIn('gil', 'new password');
    await server.send('PUT', `/api/users/${id}`, { token: admin, body: { password: PASSWORD } });
    expect((await me(body.jwt)).status).toBe(401);
    const last = await server.signIn('gil', PASSWORD);
    expect((await server.send('DELETE', `/api/users/${id}`, { token: admin })).body.username).toBe('gil');
    expect((await me(last.body.jwt)).status).toBe(401);
    const { id: next } = await server.register('gil');
    expect(next).toBeGreaterThan(id);
    expect((await me(last.body.jwt)).status).toBe(401);
  });

  test('are revoked on other instances within about a second', async () => {
    const other = await project.start();
    const { jwt, id } = await server.register('hal');
    const there = () => other.send('GET', '/api/users/me', { token: jwt });
    expect((await there()).status).toBe(200);
    await server.send('PUT', `/api/users/${id}`, { token: admin, body: { blocked: true } });
    await expect.poll(async () => (await there()).status, { timeout: 1500, interval: 50 }).toBe(401);
    await other.close();
  });
});

describe('users', () => {
  test('are listed, found, counted, created, updated and deleted, without an envelope', async () => {
    const send = (method: string, path: string, body?: object) =>
      server.send(method, path, { token: admin, ...(body && { body }) });
    const roles = (await send('GET', '/api/users-permissions/roles')).body.roles;
    const staff = roles.find(({ type }: any) => type === 'staff').id;
    const body = { username: 'ida', email: 'Ida@example.org', password: PASSWORD, role: staff };
    const made = await send('POST', '/api/users?populate=role', body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ username: 'ida', email: 'ida@example.org', confirmed: true, blocked: false });
    expect(made.body.role).toMatchObject({ id: staff, type: 'staff' });
    expect(Object.keys(made.body)).not.toContain('password');
    const list = await send('GET', '/api/users?filters[role][type]=staff&fields=username&populate[role][fields]=name');
    expect(list.body).toEqual([{ id: made.body.id, username: 'ida', role: { id: staff, name: 'staff' } }]);
    expect((await send('GET', '/api/users/count?filters[username]=ida&pagination[page]=9')).body).toBe(1);
    const changed = await send('PUT', `/api/users/${made.body.id}?populate=role`, { role: { connect: [1] } });
    expect(changed.body.role.type).toBe('public');
    expect(paths(await send('PUT', `/api/users/${made.body.id}`, { role: 99 }))).toEqual(['role']);
    expect(paths(await send('PUT', `/api/users/${made.body.id}`, { role: null }))).toEqual(['role']);
    expect(paths(await send('PUT', `/api/users/${made.body.id}`, { tokenGeneration: 0 }))).toEqual(['tokenGeneration']);
    await server.register('kim');
    expect(paths(await send('PUT', `/api/users/${made.body.id}`, { email: 'KIM@example.org' }))).toEqual(['email']);
    expect((await send('GET', '/api/users/999999')).status).toBe(404);
    expect((await send('PUT', '/api/users/999999', {})).status).toBe(404);
    expect((await send('DELETE', `/api/users/${made.body.id}`)).status).toBe(200);
    expect((await send('GET', `/api/users/${made.body.id}`)).status).toBe(404);
  });

  test('never reveal their secrets to any query', async () => {
    const { jwt, id } = await server.register('lea');
    const secrets = ['password', 'resetPasswordToken', 'confirmationToken', 'tokenGeneration', 'no_such_name'];
    for (const name of secrets) {
      for (const query of [`filters[${name}][$startsWith]=a`, `sort=${name}`, `fields=${name}`]) {
        const { status, body } = await server.send('GET', `/api/users?${query}`, { token: admin });
        const message = expect.stringContaining(`user has no attribute "${name}" that can be used here`);
        expect([status, body.error.message], query).toEqual([400, message]);
      }
      const deep = await server.send('GET', `/api/articles?filters[owner][${name}][$null]=true`, { token: admin });
      expect(deep.status).toBe(400);
    }
    const article = { data: { title: 'a', owner: id } };
    expect((await server.send('POST', '/api/articles', { token: jwt, body: article })).status).toBe(400);
    const { body } = await server.send('POST', '/api/articles?populate=owner', { token: admin, body: article });
    expect(body.data.attributes.owner.data.attributes).not.toHaveProperty('password');
    const path = `/api/articles/${body.data.id}?populate=owner`;
    expect((await server.send('GET', path, { token: jwt })).body.data.attributes).not.toHaveProperty('owner');
    for (const query of ['filters[owner][username]=lea', 'filters[owner][id]=1', 'sort=owner.username']) {
      expect((await server.send('GET', `/api/articles?${query}`, { token: jwt })).status, query).toBe(400);
    }
  });
});
