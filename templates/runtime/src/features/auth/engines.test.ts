/** Users and permissions on each engine, on two instances of a server that share a database. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import {
  createToken,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import { createDatabase, type TestDatabase } from '../../../test-support/engines.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';

let project: TestProject;

beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

describe.each(['postgres', 'mysql'] as const)('on %s', (dialect) => {
  /** Undefined if the database server is not available. */
  let server: TestDatabase | undefined;
  let database: Database;
  let instances: readonly [TestServer, TestServer] | undefined;

  const start = async (skip: () => never, limit: string, more: Readonly<Record<string, string>> = {}) => {
    if (!server) return skip();
    const settings = { DATABASE_URL: server.url, AUTH_RATE_LIMIT: limit, ...more };
    // Both start concurrently: one of them migrates, and one creates the roles.
    instances = await Promise.all([project.start(settings), project.start(settings)]);
    database = await openDatabase(server.url);
  };

  beforeEach(async () => {
    server = await createDatabase(dialect, 'access').catch(() => undefined);
  });
  afterEach(async () => {
    await Promise.all((instances ?? []).map(({ close }) => close()));
    await database?.close();
    await server?.drop();
  });

  test('users register and sign in, and both instances agree on sessions and permissions', async ({ skip }) => {
    await start(skip, '0');
    const [one, two] = instances as readonly [TestServer, TestServer];
    const { jwt, id } = await one.register('ann');
    const me = await two.send('GET', '/api/users/me', { token: jwt });
    expect(me.body).toMatchObject({ id, username: 'ann', confirmed: true, blocked: false });
    const again = { username: 'ann', email: 'other@example.org', password: PASSWORD };
    expect((await two.send('POST', '/api/auth/local/register', { body: again })).status).toBe(400);
    expect((await two.signIn('ANN@example.org', PASSWORD)).body.user).toMatchObject({ id, blocked: false });

    const token = await createToken(database, { kind: 'full-access' });
    const { body } = await one.send('GET', '/api/users-permissions/roles', { token });
    expect(body.roles.map(({ type, nb_users }: any) => [type, nb_users])).toEqual([
      ['public', 0],
      ['authenticated', 1],
      ['staff', 0],
    ]);
    const path = `/api/users-permissions/roles/${body.roles[0].id}`;
    expect((await two.send('GET', '/api/vaults')).status).toBe(403);
    expect((await one.send('PUT', path, { token, body: { permissions: ['vault.find'] } })).status).toBe(200);
    await expect
      .poll(async () => (await two.send('GET', '/api/vaults')).status, { timeout: 2000, interval: 50 })
      .toBe(200);
    const made = await one.send('POST', '/api/vaults', { token, body: { data: { name: 'gold' } } });
    expect(made.status).toBe(201);
    const tokens = await two.send('GET', '/api/users-permissions/tokens', { token });
    expect(tokens.body[0]).toMatchObject({ kind: 'full-access', createdAt: expect.stringMatching(/T.*Z$/) });

    const change = { currentPassword: PASSWORD, password: 'new password', passwordConfirmation: 'new password' };
    expect((await one.send('POST', '/api/auth/change-password', { token: jwt, body: change })).status).toBe(200);
    await expect
      .poll(async () => (await two.send('GET', '/api/users/me', { token: jwt })).status, {
        timeout: 2000,
        interval: 50,
      })
      .toBe(401);
    expect((await two.send('PUT', `/api/users/${id}`, { token, body: { blocked: true } })).body.blocked).toBe(true);
    expect((await one.send('DELETE', `/api/users/${id}`, { token })).status).toBe(200);
  });

  test('S09: both delay attempts on an account together, and let its owner in', async ({ skip }) => {
    await start(skip, '3', { TRUST_PROXY: 'true' });
    const [one, two] = instances as readonly [TestServer, TestServer];
    await one.register('slowed');
    const times = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const started = performance.now();
      const answer = await (tries % 2 === 0 ? one : two).send('POST', '/api/auth/local', {
        headers: { 'x-forwarded-for': `10.0.0.${tries}` },
        body: { identifier: 'slowed', password: tries === 6 ? PASSWORD : 'wrong-password' },
      });
      times.push(performance.now() - started);
      expect(answer.status).toBe(tries === 6 ? 200 : 400);
    }
    // Each of the two has received three or four of them.
    expect(times[5]).toBeGreaterThan(995);
    expect(times[6]).toBeGreaterThan(1995);
  });

  test('both instances share the counters of attempts', async ({ skip }) => {
    await start(skip, '4');
    const answers = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const instance = instances?.[tries % 2] as TestServer;
      answers.push((await instance.signIn('nobody', 'wrong-password')).status);
    }
    expect(answers).toEqual([400, 400, 400, 400, 429, 429]);
  });
});
