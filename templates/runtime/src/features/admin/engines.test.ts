/** Sessions of the admin page on two instances of a server that share a database. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import { createIfThere, type TestDatabase } from '../../../test-support/engines.ts';
import { openProject, PASSWORD, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { openDatabase } from '../../database/open-database.ts';
import { sql } from '../../database/sql.ts';
import { addUser } from '../auth/new-user.ts';

const SESSION = '/api/admin/session';
const OWN = { 'x-admin-session': '1' };

describe('on PostgreSQL', () => {
  let server: TestDatabase | undefined;
  let project: TestProject;
  let instances: readonly TestServer[] = [];

  beforeEach(async () => {
    project = await openProject(definition);
    server = await createIfThere('postgres', 'admin');
  });
  afterEach(async () => {
    await Promise.all(instances.map(({ close }) => close()));
    await server?.drop();
    await project?.remove();
  });

  test('a session that one instance ends is invalid on the other', async ({ skip }) => {
    if (!server) return skip();
    const settings = { DATABASE_URL: server.url };
    instances = await Promise.all([project.start(settings), project.start(settings)]);
    const [one, two] = instances as readonly [TestServer, TestServer];
    const database = await openDatabase(server.url);
    const role = await database.get(sql`SELECT id FROM user_roles WHERE name = ${'editor'}`);
    const user = { username: 'edith', email: 'edith@example.org', password: PASSWORD };
    await addUser({ database, types: definition.contentTypes }, user, Number(role?.['id']));
    await expect(addUser({ database, types: definition.contentTypes }, user, Number(role?.['id']))).rejects.toThrow(
      'errors occurred',
    );
    const signIn = async (): Promise<string> => {
      const body = { identifier: 'edith', password: PASSWORD };
      const { headers } = await one.send('POST', SESSION, { body, headers: OWN });
      return headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const [cookie, other] = [await signIn(), await signIn()];
    const statusOf = async (given: string) =>
      (await two.send('GET', SESSION, { headers: { ...OWN, cookie: given } })).status;
    expect(await statusOf(cookie)).toBe(200);
    const ended = await Promise.all(
      instances.map((instance) => instance.send('DELETE', SESSION, { headers: { ...OWN, cookie } })),
    );
    // The second request may find the session already ended.
    expect(ended.map(({ status }) => status)).toContain(204);
    for (const { status } of ended) expect([204, 401]).toContain(status);
    await expect.poll(() => statusOf(cookie), { timeout: 3000 }).toBe(401);
    expect(await statusOf(other)).toBe(200);
    await database.close();
  });
});
