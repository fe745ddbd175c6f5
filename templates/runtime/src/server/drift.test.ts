/** How drift of a database is reported to users. Its detection is tested in the generator. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definition } from '../../test-support/projects/members/src/generated/app.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { command, openProject } from '../../test-support/test-project.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';
import { runDoctor } from './commands/run-doctor.ts';
import { checkDrift } from './doctor/check-drift.ts';
import { scheduleDriftCheck } from './schedule-drift-check.ts';
import { warnOfDrift } from './warn-of-drift.ts';
import { runMigrateCommand } from '../migrator/run-migrate-command.ts';

const directory = fileURLToPath(definition.migrations);
const MISSING =
  /missing: index users__code_unique of users: \(code\), unique; recreate it with .*migrations\/0001_\w+\//u;
const MORE = 'CREATE INDEX users_by_karma ON users (karma)';

function dropIndex(dialect: Database['dialect']['name']): string {
  return `DROP INDEX users__code_unique${dialect === 'mysql' ? ' ON users' : ''}`;
}

/** A logger, and the lines that it has recorded. */
function recorded(): { readonly logger: Logger; readonly lines: { count: number; drift: string[]; text: string }[] } {
  const lines: { count: number; drift: string[]; text: string }[] = [];
  const warn = (about: { count: number; drift: string[] }, text: string) => void lines.push({ ...about, text });
  return { lines, logger: { warn, debug: () => undefined } as unknown as Logger };
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

  it('is shown by `status`, by the doctor and in the log, and distinguished from undeclared objects', async () => {
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
    const before = recorded();
    await warnOfDrift(database, directory, before.logger);
    expect(before.lines).toEqual([]);

    await database.script(dropIndex(dialect));
    const [drifted, shown] = await run('status');
    expect(drifted).toBe(4);
    expect(shown).toContain('The database differs from what these migrations created.');
    expect(shown).toMatch(MISSING);
    const [first, second, ...rest] = await checkDrift(database, directory);
    expect(first).toEqual({ state: 'bad', about: 'tables', text: expect.stringMatching(MISSING) });
    expect([second?.state, rest]).toEqual(['good', []]);
    const { logger, lines } = recorded();
    await warnOfDrift(database, directory, logger);
    expect(lines).toEqual([
      { count: 1, drift: [expect.stringMatching(MISSING)], text: expect.stringContaining('npm run migrate -- status') },
    ]);
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
  it('logs once after its start that its database has drifted, and the doctor fails', async () => {
    const project = await openProject(definition);
    const server = await project.start();
    const database = await project.open();
    await database.script(dropIndex('sqlite'));
    await server.close();
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const again = await project.start({ LOG_LEVEL: 'warn', LOG_FORMAT: 'json' });
    const said = () => written.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('drift'));
    await expect.poll(said, { timeout: 30_000 }).toEqual([expect.stringContaining('users__code_unique')]);
    written.mockRestore();
    await again.close();
    const { code, out } = await command(project, runDoctor, []);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL {2}tables +missing: index users__code_unique/mu);
    await database.close();
    await project.remove();
  });

  it('does not check for it if it stops before', async () => {
    const { logger } = recorded();
    const nothing = new Proxy({} as Database, {
      get: () => {
        throw new Error('the database was used');
      },
    });
    vi.useFakeTimers();
    const check = scheduleDriftCheck(nothing, definition.migrations, logger);
    check.start();
    expect(vi.getTimerCount()).toBe(1);
    await check.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
