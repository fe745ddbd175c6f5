/** API tokens: permissions of each kind, lifetime, creation and revocation. */
import { describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import {
  command,
  createToken,
  dump,
  serveDuringTests,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { runTokens } from '../../server/commands/run-tokens.ts';
import { parseDuration } from './duration.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
serveDuringTests(definition, (served) => ({ project, server, database } = served));

const status = async (token: string, method: string, path: string, body?: object) =>
  (await server.send(method, path, { token, ...(body && { body }) })).status;

describe('a token', () => {
  test('with full access may do everything, but is not a user', async () => {
    const token = await createToken(database, { kind: 'full-access' });
    expect(await status(token, 'POST', '/api/vaults', { data: { name: 'a' } })).toBe(201);
    expect(await status(token, 'GET', '/api/users-permissions/tokens')).toBe(200);
    expect(await status(token, 'GET', '/api/users/me')).toBe(401);
    expect(await status(token, 'POST', '/api/auth/change-password', {})).toBe(401);
  });

  test('for reading reads everything and writes nothing', async () => {
    const token = await createToken(database, { kind: 'read-only' });
    for (const path of ['/api/vaults', '/api/articles', '/api/users', '/api/users-permissions/roles']) {
      expect(await status(token, 'GET', path), path).toBe(200);
    }
    const before = await dump(database);
    for (const [method, path] of [
      ['POST', '/api/articles'],
      ['PUT', '/api/home'],
      ['DELETE', '/api/vaults/1'],
      ['POST', '/api/users'],
      ['POST', '/api/users-permissions/tokens'],
      ['GET', '/api/users/me'],
    ] as const) {
      expect(await status(token, method, path, method === 'POST' ? { data: {} } : undefined), path).toBe(403);
    }
    expect(await dump(database)).toBe(before);
  });

  test('of kind custom has only its own permissions, not those of the public', async () => {
    const token = await createToken(database, { kind: 'custom', permissions: ['vault.find', 'vault.create'] });
    expect(await status(token, 'GET', '/api/vaults')).toBe(200);
    expect(await status(token, 'GET', '/api/vaults/1')).toBe(403);
    expect(await status(token, 'GET', '/api/articles')).toBe(403);
    expect(await status(token, 'POST', '/api/vaults', { data: {} })).toBe(201);
  });

  test('ends: it expires, and is revoked within a second or so', async () => {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const short = await createToken(database, { kind: 'full-access', expiresAt });
    expect(await status(short, 'GET', '/api/vaults')).toBe(200);
    await expect.poll(() => status(short, 'GET', '/api/vaults'), { timeout: 3000 }).toBe(401);
    const { body } = await server.send('GET', '/api/articles', { token: short });
    expect(body.error).toMatchObject({ name: 'UnauthorizedError', message: 'Token expired' });
    const revoked = await createToken(database, { kind: 'full-access', name: 'revoked' });
    expect(await status(revoked, 'GET', '/api/vaults')).toBe(200);
    await database.run(sql`DELETE FROM api_tokens WHERE name = ${'revoked'}`);
    await expect.poll(() => status(revoked, 'GET', '/api/vaults'), { timeout: 1500 }).toBe(401);
    for (const wrong of ['cgt_', 'cgt_x', `${revoked}x`, revoked.toUpperCase(), `cgt_${'x'.repeat(9000)}`]) {
      expect(await status(wrong, 'GET', '/api/articles'), wrong.slice(0, 20)).toBe(401);
    }
  });

  test('is stored hashed; its last successful use is recorded to the minute', async () => {
    const token = await createToken(database, { kind: 'custom', permissions: ['vault.find'], name: 'used' });
    expect(await dump(database)).not.toContain(token);
    const used = async () =>
      (await database.get(raw(`SELECT last_used_at FROM api_tokens WHERE name = 'used'`)))?.['last_used_at'];
    await status(token, 'GET', '/api/articles');
    expect(await used()).toBeNull();
    await status(token, 'GET', '/api/vaults');
    await expect.poll(used).toMatch(/Z$/);
    const first = await used();
    await status(token, 'GET', '/api/vaults');
    expect(await used()).toBe(first);
  });
});

/** A session of a user of a new role with these permissions. */
async function userWith(name: string, permissions: readonly string[]): Promise<string> {
  const token = await createToken(database, { kind: 'full-access' });
  const roles = '/api/users-permissions/roles';
  await server.send('POST', roles, { token, body: { name, permissions } });
  const { body } = await server.send('GET', roles, { token });
  const { id, jwt } = await server.register(name);
  const role = body.roles.find(({ type }: any) => type === name).id as number;
  expect((await server.send('PUT', `/api/users/${id}`, { token, body: { role } })).status).toBe(200);
  return jwt;
}

const api = '/api/users-permissions/tokens';

test('tokens are created, listed and revoked through the API, by users with the same permissions', async () => {
  const token = await createToken(database, { kind: 'full-access' });
  const some = await userWith('some', ['tokens.create', 'vault.find']);
  const ask = (body: object, as: string) => server.send('POST', api, { token: as, body });
  expect((await ask({ name: 'more', kind: 'full-access' }, some)).status).toBe(403);
  const less = { name: 'less', kind: 'custom', permissions: ['vault.find'] };
  const made = await ask(less, some);
  expect(made.status).toBe(201);
  expect(await status(made.body.token, 'GET', '/api/vaults')).toBe(200);
  expect((await ask(less, some)).status).toBe(400);
  expect((await ask({ name: 'x', kind: 'all' }, some)).status).toBe(400);
  await expect
    .poll(() => database.all(raw(`SELECT id FROM api_tokens WHERE name = 'less' AND last_used_at IS NOT NULL`)))
    .toHaveLength(1);
  const { body } = await server.send('GET', api, { token });
  expect(body.find(({ name }: any) => name === 'less')).toEqual({
    id: made.body.id,
    name: 'less',
    kind: 'custom',
    createdAt: expect.any(String),
    expiresAt: null,
    lastUsedAt: expect.any(String),
    userId: made.body.userId,
    permissions: ['vault.find'],
  });
  expect(await status(token, 'DELETE', `${api}/${made.body.id}`)).toBe(200);
  expect(await status(made.body.token, 'GET', '/api/vaults')).toBe(401);
});

test('a token is revoked by who has created it, or may do all that it permits now', async () => {
  const permissions = ['tokens.create', 'tokens.destroy', 'vault.find', 'vault.delete'];
  const maker = await userWith('revoker', permissions);
  const body = (name: string) => ({ name, kind: 'custom', permissions: ['vault.delete'] });
  const make = async (name: string) => (await server.send('POST', api, { token: maker, body: body(name) })).body;
  const [own, others] = [await make('own'), await make('for others')];
  const weak = await createToken(database, { kind: 'custom', permissions: ['tokens.destroy'] });
  expect(await status(weak, 'DELETE', `${api}/${own.id}`)).toBe(403);
  const admin = await createToken(database, { kind: 'full-access' });
  const { body: found } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
  const role = found.roles.find(({ type }: any) => type === 'revoker').id as number;
  expect(await status(maker, 'DELETE', `${api}/${own.id}`)).toBe(200);
  // What its creator lost, the token lost too.
  const taken = { permissions: ['tokens.destroy'] };
  expect(await status(admin, 'PUT', `/api/users-permissions/roles/${role}`, taken)).toBe(200);
  expect(await status(weak, 'DELETE', `${api}/${others.id}`)).toBe(200);
});

async function run(...args: string[]) {
  const { code, out, error } = await command(project, runTokens, args);
  return { code, out: out.trimEnd(), error };
}

test('names of tokens send nothing to a terminal that lists them', async () => {
  await createToken(database, { kind: 'read-only', name: 'a\u001b[2J\nb\u009b' });
  const { out } = await run('list');
  expect(out.split('\n')).toContainEqual(expect.stringMatching(/^a\\u001b\[2J b\\u009b {2}read-only/u));
  expect(out).not.toMatch(/[\u001b\u009b]/u);
  await database.run(sql`DELETE FROM api_tokens WHERE name LIKE ${'a%b%'}`);
});

test('npm run server -- token create, list and revoke', async () => {
  const create = (name: string, type: string, ...more: string[]) =>
    run('create', '--name', name, '--type', type, ...more);
  const made = await create('ci', 'custom', '--permission', 'vault.find', '--expires', '30d');
  expect(made).toEqual({ code: 0, out: expect.stringMatching(/^cgt_[\w-]{43}$/), error: '' });
  expect(await status(made.out, 'GET', '/api/vaults')).toBe(200);
  const over = await create('over', 'full-access', '--expires', '2020-01-01');
  expect(await status(over.out, 'GET', '/api/vaults')).toBe(401);
  for (const [wrong, message] of [
    [
      await create('x', 'custom', '--permission', 'vault.eat'),
      'there is no permission vault.eat; there are vault.find, ',
    ],
    [await create('x', 'custom'), '--type custom requires --permission'],
    [await create('x', 'all'), '--type must be one of full-access, read-only, custom'],
    [await create('x', 'read-only', '--permission', 'vault.find'), '--permission requires --type custom'],
    [await create('x', 'read-only', '--expires', 'soon'), 'neither a duration such as 30d nor a date'],
    [await create('x', 'read-only', '--expire', '1d'), '--expire'],
    [await run('make'), 'There is no command make'],
    [await run(), 'A command is missing'],
  ] as const) {
    expect(wrong).toEqual({ code: 2, out: '', error: expect.stringContaining(message) });
    expect(wrong.error).toContain('Usage: npm run server -- token');
  }
  const list = await run('list');
  expect(list.out).toMatch(/^ci {2}custom {2}expires 2\S+ {2}.*vault\.find$/m);
  expect(list.out).toMatch(/^over {2}full-access {2}expired 2020-01-01/m);
  expect(list.out).not.toContain(made.out);
  const again = await create('ci', 'read-only');
  expect(again).toEqual({ code: 1, out: '', error: expect.stringContaining('There is an API token ci already: ') });
  expect((await run('revoke', '--name', 'ci')).code).toBe(0);
  expect((await run('revoke', '--name', 'ci')).code).toBe(1);
  await expect.poll(() => status(made.out, 'GET', '/api/vaults'), { timeout: 1500 }).toBe(401);
});

test('durations are parsed', () => {
  expect(['30d', '12h', '15m', '0s', '1', '1w', '-1d', ''].map(parseDuration)).toEqual([
    2_592_000,
    43_200,
    900,
    0,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
