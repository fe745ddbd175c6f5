/** Migrations give the rows of a large table their values range by range: others write meanwhile, and whoever was killed is continued. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { writeProgram } from '../../templates/runtime/test-support/runtime-program.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { findDrift } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import type { Dialect } from '../model/content-model.ts';
import { printSql } from './sql/print-sql.ts';

const ATTRIBUTES = { title: { type: 'string' }, rank: { type: 'integer' }, kind: KINDS('a', 'b') };

function KINDS(...values: readonly string[]) {
  return { type: 'enumeration', enum: values };
}

const models = (options: object, attributes: object = {}) =>
  modelsOf({
    name: 'x',
    databases: ['sqlite', 'postgres', 'mysql'],
    contentTypes: { article: { ...options, attributes: { ...ATTRIBUTES, ...attributes } } },
  });

const FIRST = nextPlan(models({}), [], []);
/** Every row becomes published, and gets another kind. */
const SECOND = nextPlan(
  models({ draftAndPublish: true }, { kind: { ...KINDS('b', 'c'), enumFrom: { a: 'c' } } }),
  [FIRST],
  ['article.kind'],
);
/** A required value, which only the servers have without a table made anew. */
const REQUIRED = nextPlan(models({}, { rank: { type: 'integer', required: true, default: 3 } }), [FIRST], []);
/** Migrates until it is killed. */
const PROGRAM = `
  import { openDatabase } from './database/open-database.js';
  import { migrateUp } from './migrator/migrate.js';
  const [url, directory] = process.argv.slice(2);
  const database = await openDatabase(url);
  await migrateUp(database, directory);
  await database.close();`;

const COUNT = 30_000;
const MOMENT: Readonly<Record<Dialect, string>> = {
  sqlite: "'2024-01-02T03:04:05.000Z'",
  postgres: "'2024-01-02T03:04:05.000Z'",
  mysql: "'2024-01-02 03:04:05.000'",
};

function insertSql(dialect: Dialect, count: number): string {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const select = `SELECT 'new', 'a', ${MOMENT[dialect]}, ${MOMENT[dialect]} FROM n`;
  const into = 'INSERT INTO articles (title, kind, created_at, updated_at)';
  return dialect === 'mysql'
    ? `SET SESSION max_recursive_iterations = ${count + 1}; ${into} ${numbers} ${select}`
    : `${dialect === 'postgres' ? into : ''} ${numbers} ${dialect === 'postgres' ? '' : into} ${select}`;
}

describe('the SQL', () => {
  it('says which statements run range by range, and is complete by itself', () => {
    for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
      const { up } = printSql(SECOND, dialect);
      expect(up.match(/^-- content-gen: in batches of articles\.id\./gmu)).toHaveLength(2);
      expect(up.match(/BETWEEN 0 AND 9223372036854775807;$/gmu)).toHaveLength(2);
    }
    expect(printSql(REQUIRED, 'postgres').up).toContain('in batches of articles.id');
    expect(printSql(REQUIRED, 'mysql').up).toContain('in batches of articles.id');
  });
});

describe.each(await testedEngines())('on %s', (dialect: Dialect) => {
  let folder: string;
  let tested: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    tested =
      dialect === 'sqlite' ? await sqliteDatabase(join(folder, 'data.db')) : await createDatabase(dialect, 'fills');
    database = await openDatabase(tested.url);
  });
  afterEach(async () => {
    await database.close();
    await tested.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function number(select: string): Promise<number> {
    return Number(Object.values((await database.get(raw(select))) ?? {})[0]);
  }

  const progress = () => database.get(raw('SELECT catalogue FROM _migration_progress')).catch(() => undefined);

  /** The last id that a fill has done; 0 while none has. */
  async function filled(): Promise<number> {
    return Number(/^pass \d, (?<last>\d+)$/u.exec(String((await progress())?.['catalogue']))?.groups?.['last'] ?? 0);
  }

  it('a migration that was killed goes on where it was, and loses nothing that others have written', async () => {
    await migrateUp(database, await writePlans(join(folder, 'one'), [FIRST]));
    await database.script(insertSql(dialect, COUNT));
    const directory = await writePlans(join(folder, 'both'), [FIRST, SECOND]);
    const program = await writeProgram(join(folder, 'program'), PROGRAM);
    const child = spawn(process.execPath, [program, tested.url, directory], { stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(child, 'exit');

    // A server of the version before, which writes as long as the fill is at work.
    let writes = 0;
    const write = async (): Promise<void> => {
      writes += 1;
      await database.run(raw(`UPDATE articles SET title = 'w${writes}', rank = ${writes} WHERE id = ${writes * 7}`));
      await database.run(
        raw(
          `INSERT INTO articles (title, kind, created_at, updated_at) VALUES ('late', 'a', ${MOMENT[dialect]}, ${MOMENT[dialect]})`,
        ),
      );
    };
    while ((await filled()) < 5000) await turn();
    while ((await filled()) < 10_000) await write();
    child.kill('SIGKILL');
    expect((await exited)[1]).toBe('SIGKILL');
    const before = await number("SELECT count(*) FROM articles WHERE kind = 'c' OR published_at IS NOT NULL");
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(COUNT);
    expect((await findDrift(database, directory)).unknown).toContain('incomplete');
    await write();

    // What is done is not done again.
    const done = await filled();
    const column = (await number("SELECT count(*) FROM articles WHERE kind = 'c'")) > 0 ? 'kind' : 'published_at';
    const mark = { kind: "'b'", published_at: MOMENT[dialect].replace('2024', '2025') }[column];
    await database.run(raw(`UPDATE articles SET ${column} = ${mark} WHERE id <= ${done}`));
    const parts: string[] = [];
    const onLongPart = ({ what }: { readonly what: string }): void => void parts.push(what);
    expect((await migrate(database, { directory, dialect, onLongPart }, 'up')).changed).toEqual([SECOND.name]);

    expect(await number('SELECT count(*) FROM articles')).toBe(COUNT + writes);
    expect(await number(`SELECT count(*) FROM articles WHERE ${column} = ${mark}`)).toBe(done);
    expect(await number("SELECT count(*) FROM articles WHERE published_at IS NULL OR kind = 'a'")).toBe(0);
    const kept = "SELECT count(*) FROM articles WHERE title LIKE 'w%' AND id = rank * 7";
    expect(await number(kept)).toBe(writes);
    expect(await progress()).toBeUndefined();
    const { drifted, unknown } = await findDrift(database, directory);
    expect([drifted, unknown]).toEqual([[], undefined]);
  }, 120_000);

  it('two processes that migrate at once do each range once', async () => {
    await migrateUp(database, await writePlans(join(folder, 'one'), [FIRST]));
    await database.script(insertSql(dialect, COUNT));
    const directory = await writePlans(join(folder, 'both'), [FIRST, SECOND]);
    const program = await writeProgram(join(folder, 'program'), PROGRAM);
    const children = [0, 1, 2].map(() =>
      spawn(process.execPath, [program, tested.url, directory], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([0, 0, 0]);
    expect(await number("SELECT count(*) FROM articles WHERE published_at IS NOT NULL AND kind = 'c'")).toBe(COUNT);
    expect((await findDrift(database, directory)).drifted).toEqual([]);
    expect((await migrate(database, { directory, dialect }, 'status')).migrations.at(-1)?.appliedAt).toBeDefined();
  }, 120_000);

  it('a value that becomes required is filled in, and undone', async () => {
    await migrateUp(database, await writePlans(join(folder, 'one'), [FIRST]));
    await database.script(insertSql(dialect, 12_000));
    const directory = await writePlans(join(folder, 'both'), [FIRST, REQUIRED]);
    await migrateUp(database, directory);
    expect(await number('SELECT count(*) FROM articles WHERE rank = 3')).toBe(12_000);
    expect((await findDrift(database, directory)).drifted).toEqual([]);
    await migrate(database, { directory, dialect }, 'down');
    expect((await findDrift(database, directory)).drifted).toEqual([]);
  }, 120_000);
});
