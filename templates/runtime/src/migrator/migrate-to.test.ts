import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { writeOwnMigrations } from '../../test-support/own-migrations.ts';
import { runMigrateCommand } from './run-migrate-command.ts';
import { textHash } from './sum.ts';

const NAMES = ['0001_a', '0002_b', '0003_c'];

describe.each(await testedEngines())('migrations up to a certain one, on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'upto');
    let previous = '';
    let sum = '';
    for (const name of NAMES) {
      const table = name.slice(5);
      const texts = [
        [`${dialect}/down.sql`, `DROP TABLE ${table};\n`],
        [`${dialect}/up.sql`, `CREATE TABLE ${table} (n integer);\n`],
      ] as const;
      await mkdir(join(folder, name, dialect), { recursive: true });
      for (const [path, text] of texts) await writeFile(join(folder, name, path), text);
      previous = textHash(`${previous}\n${texts.map(([path, text]) => `${path} ${textHash(text)}\n`).join('')}`);
      sum += `${name} ${previous}\n`;
    }
    await writeFile(join(folder, 'migrations.sum'), sum);
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(...args: readonly string[]): Promise<readonly [code: number, text: string]> {
    let text = '';
    // The command opens a connection of its own, on SQLite to the same file.
    const write = (more: string): void => void (text += more);
    const code = await runMigrateCommand({ args, directory: folder, databaseUrl: url(), write });
    return [code, text];
  }
  const url = () => (dialect === 'sqlite' ? `sqlite:${join(folder, 'test.db')}` : opened.url);
  const applied = async () =>
    (await run('status'))[1].split('\n').flatMap((line) => (line.includes(' applied ') ? [line.slice(0, 6)] : []));

  it('are applied, and undone down to one that stays', async () => {
    expect(await run('up', '--to', '0002_b')).toEqual([0, 'Applied 0001_a\nApplied 0002_b\n0003_c is still pending\n']);
    expect(await applied()).toEqual(NAMES.slice(0, 2));
    expect(await run('up', '--to', '0001_a')).toEqual([0, expect.stringContaining('0003_c is still pending')]);
    expect(await run('down', '--to', '0003_c')).toEqual([1, 'The migration 0003_c is not applied to this database.\n']);
    expect(await run('up')).toEqual([0, 'Applied 0003_c\n']);
    expect(await run('down', '--to', '0001_a')).toEqual([0, 'Undid 0003_c\nUndid 0002_b\n']);
    expect(await applied()).toEqual(['0001_a']);
    expect(await run('down', '--to', '0001_a')).toEqual([0, 'There is nothing to undo.\n']);
    expect(await run('up', '--to', '0009_x')).toEqual([
      1,
      expect.stringContaining('The project has no migration 0009_x'),
    ]);
    expect((await run('status', '--to', '0001_a'))[0]).toBe(2);
    expect((await run('up', '--to'))[0]).toBe(2);
  });

  it('are undone by name once, however often that is said', async () => {
    await run('up');
    for (const name of ['0003', '0003_c']) {
      const again = name === '0003' ? 'Undid 0003_c\n' : 'There is nothing to undo.\n';
      expect(await run('down', name, '--allow-destructive')).toEqual([0, again]);
    }
    expect(await run('down', '0001_a')).toEqual([1, expect.stringContaining('0002_b was applied after 0001_a')]);
    expect(await run('down', '0009')).toEqual([1, expect.stringContaining('The project has no migration 0009')]);
    expect((await run('down', '0002_b', '--to', '0001_a'))[0]).toBe(2);
    expect(await applied()).toEqual(['0001_a', '0002_b']);
  });

  it.skipIf(dialect === 'sqlite')('are said to be half undone, and undone by name', async () => {
    const parts = '-- content-gen: commit\nDROP TABLE c;\n-- content-gen: commit\nDROP TABLE missing;\n';
    const names = NAMES.map((name) => ({ name, up: `CREATE TABLE ${name.slice(5)} (n integer);`, down: parts }));
    await writeOwnMigrations(folder, dialect, names);
    await run('up');
    expect(await run('down')).toEqual([1, expect.stringMatching(/0003_c failed at/u)]);
    const [code, text] = await run('status');
    expect(code).toBe(0);
    expect(text).toMatch(
      /^0003_c {2}half undone\. To complete that: npm run server -- migrate down 0003_c --allow-destructive/mu,
    );
    await opened.database.script('CREATE TABLE missing (n integer)');
    for (const again of ['Undid 0003_c\n', 'There is nothing to undo.\n']) {
      expect(await run('down', '0003', '--allow-destructive')).toEqual([0, again]);
    }
    expect(await applied()).toEqual(['0001_a', '0002_b']);
  });
});
