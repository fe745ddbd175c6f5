/** Permissions: from the schema, changed through the API and by the command line, seen by every instance. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/accounts/src/generated/app.ts';
import {
  command,
  createToken,
  dump,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../test-support/test-project.ts';
import { runPermissions } from '../server/commands/run-permissions.ts';
import type { Database } from '../database/database.ts';
import { raw } from '../database/sql.ts';
import { permissionName } from '../contract/policy/permission-name.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
let staff: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  const role = await roleOf('staff');
  const body = { username: 'staff', email: 'staff@example.org', password: PASSWORD, role: role.id };
  await server.send('POST', '/api/users', { token: admin, body });
  staff = (await server.signIn('staff', PASSWORD)).body.jwt;
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

async function roleOf(type: string): Promise<any> {
  const { body } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
  return body.roles.find((role: any) => role.type === type);
}

const putRole = async (type: string, body: object, token = admin) =>
  server.send('PUT', `/api/users-permissions/roles/${(await roleOf(type)).id}`, { token, body });

/** A dump without API tokens, which have the times of their creation and use. */
function withoutTokens(text: string): string {
  const tables = JSON.parse(text) as [string, unknown][];
  return JSON.stringify(tables.filter(([name]) => !/token|sqlite_sequence/.test(name)));
}

test('permissions of built-in types have the names of the schema', () => {
  expect(permissionName('user', 'find')).toBe('users.find');
  expect(permissionName('user', 'delete')).toBe('users.destroy');
  expect(permissionName('user-role', 'find')).toBe('roles.find');
  expect(permissionName('file', 'find')).toBe('upload.find');
  expect(permissionName('article', 'delete')).toBe('article.delete');
});

describe('the first start', () => {
  test('fills the tables from the schema, once, however many instances start', async () => {
    const servers = await Promise.all(Array.from({ length: 3 }, () => project.start({}, {}, 'first')));
    const first = await project.open('first');
    const roles = await first.all(raw('SELECT type FROM user_roles ORDER BY id'));
    expect(roles.map(({ type }) => type)).toEqual(['public', 'authenticated', 'staff']);
    const rows = await first.all(
      raw(
        "SELECT action FROM user_role_permissions AS p JOIN user_roles AS r ON r.id = p.role_id WHERE type = 'public'",
      ),
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(['article.create', 'article.find', 'article.findOne']),
    );
    await Promise.all(servers.map(({ close }) => close()));
    await first.close();
  });

  test('is reported when a later schema differs, and nothing is overwritten', async () => {
    const again = await project.start({}, {}, 'later');
    await again.close();
    const later = await project.open('later');
    await later.run(raw(`DELETE FROM user_role_permissions WHERE action = 'article.create'`));
    await later.run(raw(`INSERT INTO user_role_permissions (role_id, action) VALUES (1, 'vault.find')`));
    const before = await dump(later);
    const run = (name: string) => command(project, (given, args) => runPermissions(given, {}, args), [name], 'later');
    const status = await run('status');
    expect(status.code).toBe(1);
    expect(status.out).toContain(
      'public:\n  + article.create  only in the schema\n  - vault.find  only in the database\n',
    );
    expect(await dump(later)).toBe(before);
    await (await project.start({}, {}, 'later')).close();
    expect(await dump(later)).toBe(before);
    expect((await run('apply')).code).toBe(0);
    expect(await run('status')).toEqual({
      code: 0,
      out: 'The permissions in the database match the schema.\n',
      error: '',
    });
    expect((await run('nonsense')).code).toBe(2);
    const matrix = await run('matrix');
    expect(matrix.code).toBe(0);
    expect(matrix.out).toMatch(/^GET \/api\/articles +article\.find +public/mu);
    await later.close();
  });
});

describe('roles', () => {
  test('are shown and changed in the format that clients know', async () => {
    const shown = await server.send('GET', `/api/users-permissions/roles/${(await roleOf('public')).id}`, {
      token: admin,
    });
    const { article, vault } = {
      article: shown.body.role.permissions['api::article'].controllers.article,
      vault: shown.body.role.permissions['api::vault'].controllers.vault,
    };
    expect([article.find.enabled, article.update.enabled, vault.find.enabled]).toEqual([true, false, false]);
    const users = shown.body.role.permissions['plugin::users-permissions'].controllers;
    expect(Object.keys(users.role)).toEqual(['find', 'findOne', 'createRole', 'updateRole', 'deleteRole']);

    const permissions = structuredClone(shown.body.role.permissions);
    permissions['api::vault'].controllers.vault.find.enabled = true;
    expect((await server.send('GET', '/api/vaults')).status).toBe(403);
    expect((await putRole('public', { permissions })).body).toEqual({ ok: true });
    expect((await server.send('GET', '/api/vaults')).status).toBe(200);
    expect(
      (await putRole('public', { permissions: ['article.find', 'article.findOne', 'article.create'] })).status,
    ).toBe(200);
    expect((await server.send('GET', '/api/vaults')).status).toBe(403);
    for (const bad of [
      ['article.publish'],
      ['no.find'],
      { 'api::x': { controllers: { x: { find: { enabled: true } } } } },
      5,
    ]) {
      expect((await putRole('public', { permissions: bad })).status).toBe(400);
    }
  });

  test.each([
    ['POST', { name: 'x', permissions: [{ toString: 1, valueOf: 1 }] }],
    ['POST', { name: 'x', permissions: [null] }],
    ['POST', { name: 'constructor' }],
    ['POST', { name: '__proto__' }],
    ['POST', { name: null }],
    ['PUT', { name: null }],
    ['PUT', { permissions: [{ toString: 1, valueOf: 1 }] }],
    ['PUT', { permissions: { 'api::article': { controllers: { article: { toString: { enabled: true } } } } } }],
  ])('S12: %s of %j is refused as the mistake that it is', async (method, body) => {
    const path = `/api/users-permissions/roles${method === 'PUT' ? `/${(await roleOf('staff')).id}` : ''}`;
    const before = await dump(database);
    expect((await server.send(method, path, { token: admin, body })).status).toBe(400);
    expect(await dump(database)).toBe(before);
  });

  test.each(['server', 'Server', 'api token', 'API-Token'])('N05: no role may be called %s', async (name) => {
    const path = '/api/users-permissions/roles';
    expect((await server.send('POST', path, { token: admin, body: { name } })).body.error).toMatchObject({
      status: 400,
      message: `name must not be ${name}, which is reserved`,
    });
    const { id } = await roleOf('staff');
    expect((await server.send('PUT', `${path}/${id}`, { token: admin, body: { name } })).status).toBe(400);
  });

  test('are created and deleted; users of a deleted one become authenticated', async () => {
    const api = '/api/users-permissions/roles';
    const made = await server.send('POST', api, {
      token: admin,
      body: { name: 'Night Shift', description: 'at night', permissions: ['home.find'] },
    });
    expect(made.body).toEqual({ ok: true });
    const role = await roleOf('night-shift');
    expect(role).toMatchObject({ name: 'Night Shift', description: 'at night', nb_users: 0 });
    const body = { username: 'owl', email: 'owl@example.org', password: PASSWORD, role: role.id };
    await server.send('POST', '/api/users', { token: admin, body });
    const { jwt } = (await server.signIn('owl', PASSWORD)).body;
    const home = () => server.send('GET', '/api/home', { token: jwt });
    expect((await home()).status).toBe(404);
    expect((await server.send('POST', api, { token: admin, body: { name: 'night shift' } })).status).toBe(400);
    expect((await server.send('DELETE', `${api}/${role.id}`, { token: admin })).body).toEqual({ ok: true });
    expect((await home()).status).toBe(403);
    expect((await server.send('GET', '/api/vaults', { token: jwt })).status).toBe(200);
    for (const type of ['public', 'authenticated']) {
      expect((await server.send('DELETE', `${api}/${(await roleOf(type)).id}`, { token: admin })).status).toBe(400);
    }
  });

  test('S08: nobody may change users or roles with more permissions, or grant more than their own', async () => {
    const api = '/api/users-permissions/roles';
    await server.send('POST', api, { token: admin, body: { name: 'Boss', permissions: ['vault.delete'] } });
    const boss = await roleOf('boss');
    const user = { username: 'boss', email: 'boss@example.org', password: PASSWORD, role: boss.id };
    const { body } = await server.send('POST', '/api/users', { token: admin, body: user });
    const before = withoutTokens(await dump(database));
    const token = staff;
    expect((await putRole('staff', { permissions: ['vault.delete'] }, token)).status).toBe(403);
    const role = { name: 'Mine', permissions: ['tokens.create'] };
    expect((await server.send('POST', api, { token, body: role })).status).toBe(403);
    expect((await server.send('DELETE', `${api}/${boss.id}`, { token })).status).toBe(403);
    const another = { ...user, username: 'mine', email: 'mine@example.org' };
    expect((await server.send('POST', '/api/users', { token, body: another })).status).toBe(403);
    for (const change of [
      { password: 'taken over' },
      { email: 'thief@example.org' },
      { role: 1 },
      { blocked: true },
      { username: 'renamed' },
      {},
    ]) {
      expect((await server.send('PUT', `/api/users/${body.id}`, { token, body: change })).status).toBe(403);
    }
    expect((await server.send('DELETE', `/api/users/${body.id}`, { token })).status).toBe(403);
    for (const change of [{ permissions: [] }, { name: 'Renamed' }, { description: 'x' }]) {
      expect((await putRole('boss', change, token)).status, JSON.stringify(change)).toBe(403);
    }
    // Without a role, the user would get `authenticated`, which has permissions that this token lacks.
    const clerk = await createToken(database, { kind: 'custom', permissions: ['users.create'] });
    const { role: _, ...unnamed } = another;
    expect((await server.send('POST', '/api/users', { token: clerk, body: unnamed })).status).toBe(403);
    expect(withoutTokens(await dump(database))).toBe(before);
  });
});

test('changes by other instances, and by the command line, are seen within a second or so', async () => {
  const other = await project.start();
  const update = () => other.send('PUT', '/api/articles/999', { body: {} });
  expect((await update()).status).toBe(403);
  await putRole('public', { permissions: ['article.find', 'article.findOne', 'article.create', 'article.update'] });
  await expect.poll(async () => (await update()).status, { timeout: 1500, interval: 50 }).toBe(400);
  await putRole('public', { permissions: ['article.find', 'article.findOne', 'article.create'] });
  await expect.poll(async () => (await update()).status, { timeout: 1500, interval: 50 }).toBe(403);
  await other.close();
});

describe('every route', () => {
  test('is private until permitted, in every spelling of its path', async () => {
    const spellings = ['/api/vaults', '/api/vaults/', '/api/VAULTS', '/API/vaults', '/api/vaults?x', '/api/%76aults'];
    for (const path of spellings) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect([403, 404], `${method} ${path}`).toContain(
          (await server.send(method, path).catch(() => ({ status: 403 }))).status,
        );
      }
    }
    for (const path of ['/api//vaults', '/api/vaults.json', '/api/vaults;x']) {
      expect([403, 404], path).toContain((await server.send('GET', path)).status);
    }
    const headers = { 'x-http-method-override': 'GET' };
    expect((await server.send('POST', '/api/vaults?_method=GET', { headers, body: {} })).status).toBe(403);
  });

  test('refuses a request before it parses the query or the body, and changes nothing', async () => {
    const before = await dump(database);
    for (const [method, path] of [
      ['GET', '/api/vaults?filters[x'],
      ['GET', '/api/vaults/abc'],
      ['POST', '/api/vaults'],
      ['PUT', '/api/home'],
      ['DELETE', '/api/articles/1'],
      ['POST', '/api/users'],
      ['PUT', '/api/users-permissions/roles/1'],
      ['POST', '/api/users-permissions/tokens'],
    ] as const) {
      const body =
        method === 'POST' || method === 'PUT'
          ? { body: '{"data":', headers: { 'content-type': 'application/json' } }
          : {};
      expect((await server.send(method, path, body)).status, path).toBe(403);
      expect((await server.send(method, path, { ...body, token: 'none' })).status, path).toBe(401);
    }
    expect(await dump(database)).toBe(before);
  });

  test('needs the permission for the target of a relation: in filters, sorts, populated paths and bodies', async () => {
    const made = await server.send('POST', '/api/vaults', { token: admin, body: { data: { name: 'gold' } } });
    const id = made.body.data.id;
    const article = { data: { title: 'a', vault: id } };
    const { body } = await server.send('POST', '/api/articles', { token: admin, body: article });
    const path = `/api/articles/${body.data.id}`;
    const before = await dump(database);
    for (const query of [
      'filters[vault][name]=gold',
      'filters[vault]=1',
      'sort=vault.name',
      'filters[$or][0][vault][id]=1',
    ]) {
      expect((await server.send('GET', `/api/articles?${query}`)).status, query).toBe(400);
    }
    for (const query of ['populate=vault', 'populate=*', 'populate[vault][fields]=name']) {
      expect((await server.send('GET', `${path}?${query}`)).body.data.attributes, query).not.toHaveProperty('vault');
    }
    for (const vault of [id, 999_999]) {
      const { status, body: answer } = await server.send('POST', '/api/articles', {
        body: { data: { title: 'b', vault } },
      });
      expect([status, answer.error.message.replace(/\d+$/, 'N')]).toEqual([
        400,
        'vault names entries that do not exist or that this role may not find: vault N',
      ]);
    }
    expect(await dump(database)).toBe(before);
    const reader = await server.register('reader');
    const seen = await server.send('GET', `${path}?populate=vault`, { token: reader.jwt });
    expect(seen.body.data.attributes.vault.data.attributes.name).toBe('gold');
    expect((await server.send('GET', '/api/articles?filters[vault][name]=gold', { token: reader.jwt })).status).toBe(
      200,
    );
  });
});
