/** `npm run server -- user`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import { definition as members } from '../../../test-support/projects/members/src/generated/app.ts';
import { command, openProject, PASSWORD, type TestProject } from '../../../test-support/test-project.ts';
import { sql } from '../../database/sql.ts';
import { runUsers } from './run-user.ts';

let project: TestProject;
beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

const run = (...args: readonly string[]) => command(project, runUsers, args);
const create = (email: string, role: string, ...more: readonly string[]) =>
  run('create', '--email', email, '--role', role, ...more);

test('creates users who can sign in, even before the first start, with a password that is shown once', async () => {
  const made = await create('Ada@Example.org', 'editor');
  expect(made).toMatchObject({ code: 0, error: '' });
  const [, password = ''] = /^Password: (\S{27})$/mu.exec(made.out) ?? [];
  const given = await create('bob@example.org', 'admin', '--password', PASSWORD, '--username', 'robert');
  expect(given.out).toBe('Added bob@example.org as admin.\n');
  expect((await create('li@example.org', 'editor', '--password', PASSWORD)).code).toBe(0);
  const server = await project.start({ AUTH_EMAIL_CONFIRMATION: 'false' });
  const roles = await Promise.all(
    [
      ['Ada', password],
      ['robert', PASSWORD],
      ['li@example.org', PASSWORD],
    ].map(async ([identifier, secret]) => {
      const headers = { 'x-admin-session': '1' };
      const body = { identifier, password: secret };
      return (await server.send('POST', '/api/admin/session', { body, headers })).body.role?.type;
    }),
  );
  await server.close();
  expect(roles).toEqual(['editor', 'admin', 'editor']);
  expect((await run('list')).out.split('\n')).toEqual([
    '1  Ada  ada@example.org  editor',
    '2  robert  bob@example.org  admin',
    '3  li@example.org  li@example.org  editor',
    '',
  ]);
});

test('reports what is wrong, and creates no user', async () => {
  const taken = await create('ADA@example.org', 'editor');
  expect(taken).toMatchObject({ code: 1, out: '' });
  expect(taken.error).toContain('The user was not added:\n  email: This attribute must be unique');
  const short = await create('eve@example.org', 'editor', '--password', 'short', '--username', 'x');
  expect(short.error.split('\n')).toHaveLength(4);
  for (const [args, message] of [
    [['create', '--role', 'editor'], '--email must be given'],
    [['create', '--email', 'eve@example.org'], '--role must be given, such as public, authenticated, admin, editor'],
    [['create', '--email', 'eve@example.org', '--role', 'editors'], 'There is no role editors; did you mean editor?'],
    [['create', '--email', 'eve@example.org', '--role', 'editor', '--data', '[1]'], '--data must be a JSON object'],
    [['remove'], 'There is no command remove'],
    [['lst'], 'There is no command lst; did you mean list?'],
    [['create', '--emial', 'eve@example.org'], "Unknown option '--emial'; did you mean --email?"],
    [[], 'A command is missing'],
  ] as const) {
    const { code, error } = await run(...args);
    expect([code, error.split('\n')[0]]).toEqual([2, message]);
  }
  expect((await run('list')).out).not.toContain('eve');
});

test('accepts attributes that the schema adds, and no others', async () => {
  const other = await openProject(members);
  const add = (data: object) => {
    const args = ['create', '--email', 'ada@example.org', '--role', 'authenticated', '--data', JSON.stringify(data)];
    return command(other, runUsers, args);
  };
  try {
    expect((await add({ shoe: 1 })).error).toContain('The user was not added:');
    expect(await add({ nickname: 'Ada', karma: 9 })).toMatchObject({ code: 0, error: '' });
    const database = await other.open();
    const rows = await database.all(sql`SELECT nickname, karma, level, confirmed FROM users`);
    await database.close();
    expect(rows.map((row) => Object.values(row).map(String))).toEqual([['Ada', '9', '1', '1']]);
  } finally {
    await other.remove();
  }
});
