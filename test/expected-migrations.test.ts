/** The migrations of the trees in `fixtures/`, run on each engine: up, down to nothing, and up again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScalarAttribute } from '../src/model/content-model.ts';
import { buildContentModel } from '../src/model/build-content-model.ts';
import { snakeCase } from '../src/model/naming.ts';
import { loadSources } from '../src/schema/load-sources.ts';
import { readSchema } from '../src/schema/read-schema.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { openSqlite } from '../templates/runtime/src/database/sqlite.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { createIfThere, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { driftAfter } from './support/drift.ts';
import { trees } from './support/fixtures.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { root } from './support/project.ts';
import { runSql } from './support/run-sql.ts';

/** Migrations of a tree, in order. */
function migrationsOf(tree: string): readonly string[] {
  const names = readdirSync(join(tree, 'migrations')).filter((name) => /^\d{4}_/.test(name));
  return names.sort().map((name) => join(tree, 'migrations', name));
}

/** The default of every scalar attribute of a type, by column. */
async function defaultsOf(schema: string, uid: string): Promise<ReadonlyMap<string, unknown>> {
  const sources = await loadSources([schema], root);
  const model = buildContentModel(readSchema(sources.value ?? []).value!);
  const type = model.value?.contentTypes.find((one) => one.uid === uid);
  const scalars = (type?.attributes ?? []).filter((one): one is ScalarAttribute => one.kind === 'scalar');
  return new Map(
    scalars.flatMap(({ name, default: value }) => (value === undefined ? [] : [[snakeCase(name), value]])),
  );
}

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (dialect) => {
  let database: TestDatabase | undefined;
  /** Runs a file of a migration. */
  async function runFile(migration: string, file: 'up' | 'down'): Promise<void> {
    const text = readFileSync(join(migration, dialect, `${file}.sql`), 'utf8');
    if (database) await runSql(database, text);
  }
  beforeAll(async () => {
    database = await createIfThere(dialect, 'fixtures');
  });
  afterAll(() => database?.drop());

  const withDialect = [...trees].filter(([, tree]) =>
    migrationsOf(tree).every((migration) => existsSync(join(migration, dialect))),
  );

  it.for(withDialect)('the migrations of %s', async ([, tree], { skip }) => {
    if (!database) return skip();
    const { catalogue } = database;
    const migrations = migrationsOf(tree);
    const states = [await catalogue()];
    const read = (migration: string, file: string) => readFileSync(join(migration, file), 'utf8');
    const files = migrations.map((migration) => ({
      name: basename(migration),
      files: new Map(['plan.json', `${dialect}/up.sql`].map((file) => [file, read(migration, file)])),
    }));
    for (const [index, migration] of migrations.entries()) {
      await runFile(migration, 'up');
      expect(await driftAfter(database, files.slice(0, index + 1))).toEqual([]);
      states.push(await catalogue());
    }
    expect(states.at(-1)?.length).toBeGreaterThan(10);
    for (const migration of migrations.toReversed()) {
      expect(await catalogue()).toEqual(states.pop());
      await runFile(migration, 'down');
    }
    expect(await catalogue()).toEqual(states.pop());
  });

  it('existing rows get exactly the default of the schema', async ({ skip }) => {
    if (!database) return skip();
    const { script, rows, id } = database;
    const schema = join(root, 'fixtures/hostile-texts/schema.yaml');
    const [migration = ''] = migrationsOf(trees.get('hostile-texts') ?? '');
    await runFile(migration, 'up');
    await script(`INSERT INTO ${id('notes')} (${id('created_at')}, ${id('updated_at')})
      VALUES ('2024-01-02 03:04:05.000', '2024-01-02 03:04:05.000')`);
    const defaults = await defaultsOf(schema, 'note');
    const [row = []] = await rows(`SELECT ${[...defaults.keys()].map(id).join(', ')} FROM ${id('notes')}`);
    const found = [...defaults.keys()].map((column, index) => [column, row[index]] as const);
    const expected = new Map<string, unknown>([
      ...defaults,
      // A carriage return would not last in a file of SQL, and no two rows have one slug.
      ['lines', null],
      ['slug', null],
    ]);
    const read = new Map(found.map(([column, value]) => [column, column === 'json' ? readJson(value) : value]));
    expect(read).toEqual(expected);
    await runFile(migration, 'down');
  });

  it('existing entries get a document id each', async ({ skip }) => {
    if (!database) return skip();
    const { script, rows, id } = database;
    const migrations = migrationsOf(trees.get('evolution-4') ?? '');
    for (const migration of migrations.slice(0, -1)) await runFile(migration, 'up');
    const row = "('x', '2024-01-02 03:04:05.000', '2024-01-02 03:04:05.000')";
    await script(
      `INSERT INTO ${id('tags')} (${['name', 'created_at', 'updated_at'].map(id).join(', ')}) VALUES ${Array.from({ length: 50 }, () => row).join(', ')}`,
    );
    await runFile(migrations.at(-1) ?? '', 'up');
    const documents = (await rows(`SELECT document_id FROM ${id('tags')}`)).map(([document]) => document);
    expect(new Set(documents).size).toBe(50);
    for (const document of documents) expect(document).toMatch(/^[a-z][a-z0-9]{23}$/u);
    for (const migration of migrations.toReversed()) await runFile(migration, 'down');
  });
});

function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

describe('the migrator of a server', () => {
  it.each([...trees])('runs those of %s on a file', async (name, tree) => {
    const folder = await temporaryFolder();
    const options = { directory: join(tree, 'migrations'), dialect: 'sqlite' } as const;
    const database = await openSqlite({ path: join(folder.path, `${name}.db`) });
    try {
      const { changed, migrations } = await migrate(database, options, 'up');
      expect(changed).toEqual(migrations.map((migration) => migration.name));
      expect(await database.all(raw('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
      for (const migration of changed.toReversed()) {
        expect((await migrate(database, options, 'down')).changed).toEqual([migration]);
      }
      expect((await migrate(database, options, 'up')).changed).toEqual(changed);
    } finally {
      await database.close();
      await folder.remove();
    }
  });
});
