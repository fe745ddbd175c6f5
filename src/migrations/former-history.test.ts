/** A project with a history of version 0.2.0 goes on: its migrations run, up and down, and new ones come after them. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { printFile } from '../files/generated-file.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { openEngine, testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { findDrift } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { emitMigrations } from './emit-migration.ts';
import { readHistory } from './history/read-history.ts';
import { planMigration } from './plan/plan-migration.ts';

const HISTORY = 'test/histories/version-0.2';

it.each(await testedEngines())('on %s', async (dialect) => {
  const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
  const directory = join(folder, 'migrations');
  const { database, drop } = await openEngine(dialect, 'former_history');
  const id = (name: string): string => database.dialect.id(name).text;
  const titles = async (): Promise<readonly unknown[]> =>
    (await database.all(raw(`SELECT title FROM articles ORDER BY id`))).map((row) => row['title']);
  try {
    await cp(join(HISTORY, 'migrations'), directory, { recursive: true });
    const [first = '', ...others] = (await readdir(directory)).filter((name) => name.startsWith('0')).sort();
    await migrate(database, { directory, dialect, to: first }, 'up');
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await database.script(
      `INSERT INTO articles (title, created_at, updated_at) VALUES ('a', ${moment}, ${moment}), ('b', ${moment}, ${moment})`,
    );
    expect(await migrateUp(database, directory)).toStrictEqual(others);
    expect(await findDrift(database, directory)).toMatchObject({ drifted: [], undeclared: [], unknown: undefined });

    const paths = (await readdir(directory, { recursive: true })).filter((path) => /\.(?:sum|json|sql)$/u.test(path));
    const files = new Map<string, string>(
      await Promise.all(
        paths.map(async (path) => [`migrations/${path}`, await readFile(join(directory, path), 'utf8')] as const),
      ),
    );
    const history = readHistory(files).value ?? [];
    const schema = await readFile(join(HISTORY, 'schema.yaml'), 'utf8');
    const { storage, notes } = modelsOf(schema.replace('      title:', '      later: { type: integer }\n      title:'));
    const { value: plan } = planMigration({ history, target: storage, notes });
    if (!plan) throw new Error('nothing to do');
    const databases = ['sqlite', 'postgres', 'mysql'] as const;
    for (const file of emitMigrations({ files, history, added: [plan], databases })) {
      await mkdir(dirname(join(folder, file.path)), { recursive: true });
      const text = await printFile(file);
      if (files.has(file.path) && !file.path.endsWith('.sum')) expect(text).toBe(files.get(file.path));
      await writeFile(join(folder, file.path), text);
    }
    expect(await migrateUp(database, directory)).toStrictEqual([plan.name]);
    expect(await findDrift(database, directory)).toMatchObject({ drifted: [], undeclared: [], unknown: undefined });
    expect(await titles()).toStrictEqual(['a', 'b']);

    await migrate(database, { directory, dialect, to: first }, 'down');
    expect(await titles()).toStrictEqual(['a', 'b']);
    await expect(migrate(database, { directory, dialect, keepsContent: true }, 'down')).rejects.toThrow(
      `Undoing ${first} would delete data that was written since:\n  2 rows of articles\n`,
    );
    await migrate(database, { directory, dialect }, 'down');
    await expect(database.all(raw(`SELECT 1 FROM ${id('articles')}`))).rejects.toThrow();
  } finally {
    await drop();
    await rm(folder, { recursive: true, force: true });
  }
});
