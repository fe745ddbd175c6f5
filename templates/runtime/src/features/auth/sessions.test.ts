/** The lifetime of sessions and API tokens, and the caching of responses to them. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import {
  createToken,
  PASSWORD,
  serveDuringTests,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';

const SECRET = 'of-the-tests-0123456789-abcdefghijklmn';
const DAY = 86_400;
const now = () => Math.floor(Date.now() / 1000);

interface Claims {
  readonly iat: number;
  readonly exp: number;
  readonly sid?: string;
  readonly auth_time?: number;
}

function claimsOf(jwt: string): Claims {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}

/** The same token with other claims, as the server would have signed them. */
function changed(jwt: string, claims: Partial<Record<keyof Claims, unknown>>): string {
  const [header] = jwt.split('.');
  const payload = Buffer.from(JSON.stringify({ ...claimsOf(jwt), ...claims })).toString('base64url');
  return `${header}.${payload}.${createHmac('sha256', SECRET).update(`${header}.${payload}`).digest('base64url')}`;
}

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
serveDuringTests(definition, (served) => ({ project, server, database, admin } = served));

const me = async (token: string, at = server) => (await at.send('GET', '/api/users/me', { token })).status;
const refresh = async (token: string, at = server): Promise<string> =>
  (await at.send('POST', '/api/auth/refresh', { token })).body.jwt;

test('S15: responses to authenticated callers are never cached in shared caches, and elsewhere only with revalidation', async () => {
  const { jwt } = await server.register('cached');
  for (const token of [jwt, admin, 'no-token-of-ours']) {
    for (const path of ['/api/articles', '/api/articles/999', '/api/vaults?sort=x', '/api/users/me', '/api/nothing']) {
      const { status, headers } = await server.send('GET', path, { token });
      // A response with an ETag may be stored by this client only, which must revalidate it each time.
      const isKept = status === 200;
      expect(headers.has('etag'), path).toBe(isKept);
      expect(headers.get('cache-control'), path).toBe(isKept ? 'private, no-cache' : 'private, no-store');
    }
  }
  expect((await server.send('GET', '/api/articles')).headers.get('cache-control')).toBe('no-cache');
});

describe('a session', () => {
  test('S15: ends ninety days after the sign-in, however often it is renewed', async () => {
    const { jwt } = await server.register('long');
    const first = claimsOf(jwt);
    expect(first.exp - first.iat).toBe(30 * DAY);
    expect(first.auth_time).toBe(first.iat);
    const old = changed(jwt, { auth_time: now() - 80 * DAY });
    const renewed = await refresh(await refresh(old));
    expect(claimsOf(renewed)).toMatchObject({ sid: first.sid, auth_time: claimsOf(old).auth_time });
    expect(claimsOf(renewed).exp).toBe((claimsOf(old).auth_time ?? 0) + 90 * DAY);
    expect(await me(renewed)).toBe(200);
    expect(await me(changed(jwt, { auth_time: now() - 91 * DAY }))).toBe(401);
    // A token from a version that did not store the time of the sign-in.
    const early = changed(jwt, { auth_time: undefined, sid: undefined, iat: now() - 20 * DAY });
    expect(claimsOf(await refresh(early)).auth_time).toBe(claimsOf(early).iat);
    expect(await me(changed(jwt, { auth_time: undefined, iat: now() - 91 * DAY }))).toBe(401);
    for (const auth_time of ['x', null, {}, true]) expect(await me(changed(jwt, { auth_time }))).toBe(401);
    for (const sid of [1, null, ['x']]) expect(await me(changed(jwt, { sid }))).toBe(401);
  });

  test('S15: lasts as long as the settings say, also if that was shortened', async () => {
    const { jwt } = await server.register('short');
    const other = await project.start({ JWT_EXPIRES_IN: '2h', AUTH_SESSION_LIFETIME: '1h' });
    const { body } = await other.signIn('short', PASSWORD);
    expect(claimsOf(body.jwt).exp - claimsOf(body.jwt).iat).toBe(3600);
    expect(await me(changed(jwt, { auth_time: now() - 3700 }), other)).toBe(401);
    expect(await me(changed(jwt, { auth_time: now() - 3700 }))).toBe(200);
    await other.close();
    const longer = await project.start({ JWT_EXPIRES_IN: '365d' });
    const year = claimsOf((await longer.signIn('short', PASSWORD)).body.jwt);
    expect(year.exp - year.iat).toBe(365 * DAY);
    await longer.close();
  });
});

describe('a changed password', () => {
  const change = (at: TestServer, token: string, from: string, to: string) =>
    at.send('POST', '/api/auth/change-password', {
      token,
      body: { currentPassword: from, password: to, passwordConfirmation: to },
    });

  test('C12: invalidates every earlier JWT of the user, unless the session that changes it is kept', async () => {
    const keeping = await project.start({ AUTH_KEEP_SESSION: 'true' });
    const { id, jwt: ended } = await server.register('cleo');
    const done = await change(server, ended, PASSWORD, 'second password');
    expect(await me(ended)).toBe(401);
    expect(await me(done.body.jwt)).toBe(200);

    const signIn = async (password: string) => (await keeping.signIn('cleo', password)).body.jwt as string;
    const [mine, other] = [await signIn('second password'), await signIn('second password')];
    const renewed = await refresh(mine, keeping);
    const { body } = await change(keeping, mine, 'second password', 'third password');
    for (const jwt of [mine, renewed, body.jwt]) expect(await me(jwt, keeping)).toBe(200);
    for (const jwt of [other, done.body.jwt, ended]) expect(await me(jwt, keeping)).toBe(401);
    // The kept JWT is renewed and changes the password again: earlier JWTs of the session stay valid, too.
    const later = await refresh(mine, keeping);
    expect((await change(keeping, later, 'third password', 'fourth password')).status).toBe(200);
    for (const jwt of [mine, renewed, body.jwt, later]) expect(await me(jwt, keeping)).toBe(200);

    // Another session becomes the kept one.
    const second = await signIn('fourth password');
    expect((await change(keeping, second, 'fourth password', 'fifth password')).status).toBe(200);
    for (const jwt of [mine, renewed, body.jwt, later]) expect(await me(jwt, keeping)).toBe(401);
    expect(await me(second, keeping)).toBe(200);

    // A change by anyone else keeps none.
    await keeping.send('PUT', `/api/users/${id}`, { token: admin, body: { password: 'sixth password' } });
    expect(await me(second, keeping)).toBe(401);
    await keeping.close();
  }, 120_000);
});

describe('an API token', () => {
  const api = '/api/users-permissions/tokens';
  const vaults = async (token: string, at = server) => (await at.send('GET', '/api/vaults', { token })).status;

  async function maker(name: string): Promise<{ readonly id: number; readonly jwt: string }> {
    const { id, jwt } = await server.register(name);
    const { body } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
    const staff = body.roles.find(({ type }: any) => type === 'maker');
    await server.send('PUT', `/api/users/${id}`, { token: admin, body: { role: staff.id } });
    return { id, jwt };
  }

  test('S15: may never do more than its owner may now', async () => {
    const roles = '/api/users-permissions/roles';
    const permissions = ['tokens.create', 'users.find', 'users.update'];
    await server.send('POST', roles, { token: admin, body: { name: 'maker of more', permissions } });
    const { body } = await server.send('GET', roles, { token: admin });
    const idOf = (type: string): number => body.roles.find((role: any) => role.type === type).id;
    const { id, jwt } = await server.register('max');
    const people = async (token: string, at = server) => (await at.send('GET', '/api/users', { token })).status;
    const become = (role: number, token = admin) => server.send('PUT', `/api/users/${id}`, { token, body: { role } });
    await become(idOf('maker-of-more'));
    const own = await server.send('POST', api, { token: jwt, body: { name: 'max', kind: 'custom', permissions } });
    const { token } = own.body;
    const other = await project.start();
    expect([await people(token), await people(token, other)]).toEqual([200, 200]);

    await become(idOf('authenticated'));
    expect(await people(token)).toBe(403);
    await expect.poll(() => people(token, other), { timeout: 5000 }).toBe(403);
    expect((await become(idOf('maker-of-more'), token)).status).toBe(403);
    // Back, and less permitted to the role itself.
    await become(idOf('maker-of-more'));
    expect(await people(own.body.token)).toBe(200);
    const less = { name: 'maker of more', permissions: ['tokens.create'] };
    await server.send('PUT', `${roles}/${idOf('maker-of-more')}`, { token: admin, body: less });
    expect(await people(own.body.token)).toBe(403);
    await server.send('DELETE', `/api/users/${id}`, { token: admin });
    await other.close();
  });

  test('S15: names its owner and ends with the owner, and creates no tokens that would outlive it', async () => {
    const permissions = ['tokens.create', 'tokens.find', 'vault.find', 'users.me'];
    await server.send('POST', '/api/users-permissions/roles', {
      token: admin,
      body: { name: 'maker', permissions },
    });
    const other = await project.start();
    const { id, jwt } = await maker('mia');
    const make = (token: string, name: string) => {
      const body = { name, kind: 'custom', permissions: ['vault.find', 'tokens.create'] };
      return server.send('POST', api, { token, body });
    };
    const { body: own, status } = await make(jwt, 'own');
    expect([status, own.userId]).toEqual([201, id]);
    for (const token of [own.token, admin]) {
      const refused = await make(token, 'made by a token');
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        'An API token must not create others: sign in as a user, or use npm run server -- token',
      ]);
    }
    const free = await createToken(database, { kind: 'custom', permissions: ['vault.find'], name: 'free' });
    const { body: listed } = await server.send('GET', api, { token: admin });
    const makers = Object.fromEntries(listed.map(({ name, userId }: any) => [name, userId]));
    expect(makers).toEqual({ 'of the command line': null, own: id, free: null });

    const set = (blocked: boolean) => server.send('PUT', `/api/users/${id}`, { token: admin, body: { blocked } });
    expect([await vaults(own.token), await vaults(own.token, other)]).toEqual([200, 200]);
    await set(true);
    expect(await vaults(own.token)).toBe(401);
    await expect.poll(() => vaults(own.token, other), { timeout: 5000 }).toBe(401);
    await set(false);
    expect(await vaults(own.token)).toBe(200);

    await server.send('DELETE', `/api/users/${id}`, { token: admin });
    expect(await vaults(own.token)).toBe(401);
    await expect.poll(() => vaults(own.token, other), { timeout: 5000 }).toBe(401);
    expect(await vaults(free)).toBe(200);
    const left = await database.all(raw('SELECT name FROM api_tokens ORDER BY id'));
    expect(left.map(({ name }) => name)).toEqual(['of the command line', 'free']);
    expect(await database.all(sql`SELECT 1 FROM api_token_permissions WHERE token_id = ${own.id}`)).toEqual([]);
    await other.close();
  });
});
