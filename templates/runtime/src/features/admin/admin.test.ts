/** Signing in to the page for editors, and what it is told. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import {
  createToken,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';

const SESSION = '/api/admin/session';
const OWN = { 'x-admin-session': '1' };

let project: TestProject;
let server: TestServer;
let database: Database;
let everything: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  database = await project.open();
  everything = await createToken(database, { kind: 'full-access' });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

async function roleId(type: string): Promise<number> {
  const { body } = await server.send('GET', '/api/users-permissions/roles', { token: everything });
  return body.roles.find((role: { readonly type: string }) => role.type === type).id;
}

async function addUser(name: string, role = 'editor'): Promise<number> {
  const body = {
    username: name,
    email: `${name}@example.org`,
    password: PASSWORD,
    confirmed: true,
    role: await roleId(role),
  };
  const { status, body: answer } = await server.send('POST', '/api/users', { token: everything, body });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.id;
}

function signIn(identifier: string, headers: Readonly<Record<string, string>> = OWN, at = server, password = PASSWORD) {
  return at.send('POST', SESSION, { body: { identifier, password }, headers });
}

/** `name=value` of the cookie that an answer sets. */
function cookieIn({ headers }: { readonly headers: Headers }): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}

const withCookie = (cookie: string, method: string, path: string, more: { body?: unknown } = {}) =>
  server.send(method, path, { ...more, headers: { ...OWN, cookie } });

describe('a session', () => {
  test('is in a cookie that no script reads, by which requests are made as its user', async () => {
    const id = await addUser('edith');
    const answer = await signIn('edith');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^desk_admin=[\w.-]+; path=\/; expires=[^;]+; samesite=strict; httponly$/u),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      user: { id, username: 'edith', email: 'edith@example.org' },
      role: { name: 'editor', type: 'editor' },
      permissions: { admin: ['access'], author: ['create', 'find', 'findOne'] },
      locales: ['en', 'fr'],
    });
    expect(answer.text).not.toContain('eyJ');
    const cookie = cookieIn(answer);
    const again = await withCookie(cookie, 'GET', SESSION);
    expect(again.body).toEqual(answer.body);
    expect(again.headers.get('cache-control')).toBe('private, no-store');
    expect(again.headers.get('vary')).toContain('X-Admin-Session');
    const made = await withCookie(cookie, 'POST', '/api/authors', { body: { data: { name: 'Ada' } } });
    expect(made.status).toBe(201);
  });
});
