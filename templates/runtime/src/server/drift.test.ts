/** How drift of a database is reported to users. Its detection is tested in the generator. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../test-support/projects/members/src/generated/app.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { command, openProject } from '../../test-support/test-project.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Database } from '../database/database.ts';
import { runDoctor } from './commands/run-doctor.ts';
import { checkDrift } from './doctor/check-drift.ts';
import { runMigrateCommand } from '../migrator/run-migrate-command.ts';

const directory = fileURLToPath(definition.migrations);
const MISSING =
  /missing: index users__code_unique of users: \(code\), unique; recreate it with .*migrations\/0001_\w+\//u;
const MORE = 'CREATE INDEX users_by_karma ON users (karma)';

function dropIndex(dialect: Database['dialect']['name']): string {
  return `DROP INDEX users__code_unique${dialect === 'mysql' ? ' ON users' : ''}`;
}

describe.each(await testedEngines())('drift on %s', (dialect) => {
  let opened: RuntimeDatabase | undefined;
  let database: Database;
  let url: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    opened = dialect === 'sqlite' ? undefined : await openEngine(dialect, 'drift');
    url = opened?.url ?? `sqlite:${folder.path}/test.db`;
    database = opened?.database ?? (await openDatabase(url));
    remove = async () => {
      await (opened ? opened.drop() : database.close());
      await folder.remove();
    };
  });
  afterAll(() => remove?.());

  async function run(...args: readonly string[]): Promise<readonly [code: number, text: string]> {
    let text = '';
    const write = (more: string): void => void (text += more);
    const code = await runMigrateCommand({ args, directory, databaseUrl: url, write });
    return [code, text];
  }

  it('is shown by `status`, and by the doctor, and distinguished from undeclared objects', async () => {
    expect(await run('status')).toEqual([0, expect.stringMatching(/^0001_\w+ {2}pending\n$/u)]);
    await run('up');
    expect(await run('status')).toEqual([0, expect.stringMatching(/^0001_\w+ {2}applied \S+\n$/u)]);
    expect(await checkDrift(database, directory)).toEqual([
      { state: 'good', about: 'tables', text: 'match the migrations' },
    ]);
    await database.script(MORE);
    const [code, text] = await run('status');
    expect([code, text]).toEqual([0, expect.stringContaining('in no migration: index users_by_karma of users')]);
    expect((await checkDrift(database, directory)).map(({ state }) => state)).toEqual(['good', 'good']);

    await database.script(dropIndex(dialect));
    const [drifted, shown] = await run('status');
    expect(drifted).toBe(4);
    expect(shown).toContain('The database differs from what these migrations created.');
    expect(shown).toMatch(MISSING);
    const [first, second, ...rest] = await checkDrift(database, directory);
    expect(first).toEqual({ state: 'bad', about: 'tables', text: expect.stringMatching(MISSING) });
    expect([second?.state, rest]).toEqual(['good', []]);
  });

  it('is not checked while a migration is incomplete', async () => {
    if (dialect === 'sqlite') return;
    await database.script(
      `CREATE TABLE IF NOT EXISTS _migration_progress (name varchar(100) NOT NULL PRIMARY KEY, direction varchar(4) NOT NULL, done integer NOT NULL, statements varchar(64) NOT NULL, catalogue varchar(64)); INSERT INTO _migration_progress (name, direction, done, statements) VALUES ('0002_more', 'up', 1, 'x')`,
    );
    expect(await run('status')).toEqual([
      0,
      expect.stringContaining("can't be compared with its migrations: the migration 0002_more is incomplete"),
    ]);
    expect((await checkDrift(database, directory)).map(({ state }) => state)).toEqual(['warning']);
  });
});

describe('a server', () => {
  it('is told by the doctor that its database has drifted', async () => {
    const project = await openProject(definition);
    await (await project.start()).close();
    const database = await project.open();
    await database.script(dropIndex('sqlite'));
    const { code, out } = await command(project, runDoctor, []);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL {2}tables +missing: index users__code_unique/mu);
    await database.close();
    await project.remove();
  });
});
