/** `npm run server -- explain --as` and `--who`: the rules as requests apply them. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, isWanted } from '../../../test-support/engines.ts';
import { definition } from '../../../test-support/projects/magazine/src/generated/app.ts';
import { command, createToken, openProject, type TestProject } from '../../../test-support/test-project.ts';
import { openDatabase } from '../../database/open-database.ts';
import { migrateUp } from '../../migrator/migrate.ts';
import { explainRole } from './explain-role.ts';
import { runExplain } from './run-explain.ts';

let project: TestProject;
const ids: Record<string, number> = {};

beforeAll(async () => {
  project = await openProject(definition);
  const server = await project.start();
  const database = await project.open();
  const token = await createToken(database, { kind: 'full-access' });
  const make = async (path: string, data: object): Promise<number> =>
    (await server.send('POST', `/api/${path}`, { token, body: { data } })).body.data.id;
  const [ann, bob] = [await server.register('ann'), await server.register('bob')];
  await server.register('eve');
  const team = await make('teams', { name: 'Red', members: [bob.id] });
  const published = { publishedAt: new Date().toISOString() };
  ids['open'] = await make('articles', { title: 'open', author: ann.id, ...published });
  ids['team'] = await make('articles', { title: 'team', visibility: 'team', team, author: ann.id, ...published });
  ids['draft'] = await make('articles', { title: 'draft', author: ann.id, publishedAt: null });
  await database.close();
  await server.close();
});
afterAll(() => project?.remove());

const run = (...args: readonly string[]) => command(project, runExplain, args);

/** What is said of a role, without the rules. */
async function who(role: string, entry: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { code, out } = await run('--who', entry, ...args);
  expect(code).toBe(0);
  const part = out.split('\n\n').find((one) => one.startsWith(`${role}\n`)) ?? '';
  const [, ...lines] = part.trim().split('\n');
  return lines.map((line) => line.trim().replace(/ – .*/u, ''));
}

test('--as shows each action of a role, its rule, and what the engine gets', async () => {
  const { code, out } = await run('comment', '--as', 'moderator');
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines.slice(0, 3)).toEqual(['comment, as moderator', '', 'find: all entries, without a rule']);
  const update = lines.indexOf('update: where: { article: { category: { moderators: $user } } }, only: [hidden]');
  expect(lines[update + 1]).toMatch(/^ {2}FROM "comments" AS "t1" WHERE .*"target_id" = \?\)+$/u);
  expect(lines[update + 2]).toBe('  with ["$user"]');
  const articles = (await run('article', '--as', 'public')).out;
  expect(articles).toContain('  with ["public","$now"]\n');
  expect(articles).toContain('FROM "articles_published" AS "t1"');
  expect(articles).toContain('\npreview: not permitted\n');
  const files = (await run('upload', '--as', 'authenticated')).out;
  expect(files).toMatch(/^ {2}FROM "files" AS "t1" WHERE .*"articles"/mu);
  expect((await run('team', '--as', 'moderator')).out).toMatch(/^link: where: .*\n.*\n {2}with \["\$user\.desk"\]$/mu);
});

test('--who names the users whom rules let find and change an entry', async () => {
  const refused = ['update: no, not permitted', 'delete: no, not permitted'];
  expect(await who('public', `article:${ids['open']}`)).toEqual(['find: yes', 'findOne: yes', ...refused]);
  expect(await who('public', `article:${ids['team']}`)).toEqual(['find: no', 'findOne: no', ...refused]);
  const ann = '1 of 3 users: ann (1)';
  const both = '2 of 3 users: ann (1), bob (2)';
  expect(await who('authenticated', `article:${ids['team']}`)).toEqual([
    `find: ${both}`,
    `findOne: ${both}`,
    `update: ${ann}`,
    `delete: ${ann}`,
  ]);
  expect(await who('authenticated', `article:${ids['draft']}`)).toEqual(
    ['find', 'findOne', 'update', 'delete'].map((action) => `${action}: ${ann}`),
  );
  const [bounded] = await who('authenticated', `article:${ids['team']}`, '--users', '1');
  expect(bounded).toBe('find: 1 of the first 1 of 3 users: ann (1)');
});

test.each([
  [['articel', '--as', 'public'], 'There is no content type articel; did you mean article?'],
  [['article', '--as', 'publik'], 'There is no role publik; did you mean public?'],
  [['--who', 'article:99999'], 'There is no article 99999'],
  [['--who', 'article'], ' is not an id'],
  [['--who', 'article:1', '--users', '0'], '--users must be a number from 1'],
])('%j is refused', async (args, message) => {
  const { code, error } = await run(...args);
  expect(code).toBe(2);
  expect(error.split('\n')[0]).toBe(message);
});

describe.each(['postgres', 'mysql'] as const)('on %s', (engine) => {
  test.runIf(isWanted(engine))('the SQL is that of the engine, which runs it', async () => {
    const created = await createDatabase(engine, 'explain_rules');
    const database = await openDatabase(created.url);
    try {
      await migrateUp(database, fileURLToPath(definition.migrations));
      const lines = await explainRole({ definition, database }, { type: 'comment', role: 'moderator' });
      const statements = lines.filter((line) => line.startsWith('  FROM '));
      expect(statements).toHaveLength(4);
      for (const text of statements) {
        const params = text.includes('?') ? [1] : [];
        expect(await database.all({ text: `SELECT COUNT(*) AS count${text}`, params })).toHaveLength(1);
      }
    } finally {
      await database.close();
      await created.drop();
    }
  });
});
