/** Indexes and constraints of tables that are there are made on PostgreSQL while reads and writes go on. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { createDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { findDrift } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import { type LongPartListener, migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { printSql } from './sql/print-sql.ts';

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const BEFORE: Attributes = { title: { type: 'string' }, rank: { type: 'integer' } };

const models = (attributes: Attributes) =>
  modelsOf({ name: 'x', databases: ['sqlite', 'postgres', 'mysql'], contentTypes: { article: { attributes } } });

/** A first migration, and one that leads to these attributes. */
function plansTo(attributes: Attributes, allowed: readonly string[] = []): readonly [MigrationPlan, MigrationPlan] {
  const first = nextPlan(models(BEFORE), [], []);
  return [first, nextPlan(models(attributes), [first], allowed)];
}

const INDEXED = plansTo({ ...BEFORE, rank: { type: 'integer', index: true } });
const UNIQUE = plansTo({ ...BEFORE, title: { type: 'string', unique: true } }, ['article.title']);
/** It makes values the same that must not be. */
const MERGED = (() => {
  const kinds = models({ ...BEFORE, kind: { type: 'enumeration', enum: ['a', 'b'] } });
  const first = nextPlan(kinds, [], []);
  const kind = { type: 'enumeration', enum: ['b'], enumFrom: { a: 'b' }, unique: true };
  return [first, nextPlan(models({ ...BEFORE, kind }), [first], ['article.kind'])] as const;
})();

/** A reference, and columns that become required. */
const BOSS = { type: 'relation', relation: 'manyToOne', target: 'article' };
const TITLE = { type: 'string', required: true };
const CONSTRAINED = plansTo({ title: TITLE, rank: { type: 'integer', required: true, default: 3 }, boss: BOSS }, [
  'article.title',
]);

/** The lines of a script that say what runs, and how. */
function outline(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => /^(?:-- content-gen: \w+|[A-Z]+ (?:UNIQUE )?\w+(?: CONCURRENTLY)?)/u.exec(line) ?? []);
}

describe('the SQL', () => {
  it('builds indexes on tables that are there outside of transactions, and others within', () => {
    expect(outline(printSql(INDEXED[0], 'postgres').up)).not.toContain('-- content-gen: each');
    expect(outline(printSql(INDEXED[1], 'postgres').up)).toEqual(['-- content-gen: each', 'CREATE INDEX CONCURRENTLY']);
    expect(outline(printSql(INDEXED[1], 'postgres').down)).toEqual(['DROP INDEX']);
    expect(printSql(INDEXED[1], 'mysql').up).not.toContain('content-gen:');
  });

  it('builds them after the transactions, each by itself', () => {
    const [, both] = plansTo(
      { ...BEFORE, title: { type: 'string', unique: true }, note: { type: 'string', index: true } },
      ['article.title'],
    );
    expect(outline(printSql(both, 'postgres').up)).toEqual([
      // Looks for what is too long.
      'CREATE TABLE',
      'INSERT INTO',
      'DROP TABLE',
      'ALTER TABLE',
      'ALTER TABLE',
      'ALTER TABLE',
      '-- content-gen: each',
      'CREATE INDEX CONCURRENTLY',
      'CREATE UNIQUE INDEX CONCURRENTLY',
    ]);
  });

  it('reads the rows for constraints after the transaction that adds them', () => {
    const up = printSql(CONSTRAINED[1], 'postgres').up;
    expect(
      up.split(/^-- content-gen: .*$/mu).map((part) => part.match(/NOT VALID|VALIDATE|SET NOT NULL|UPDATE/gu)),
    ).toEqual([
      ['NOT VALID', 'NOT VALID'],
      ['UPDATE'],
      ['NOT VALID'],
      ['VALIDATE', 'UPDATE', 'VALIDATE', 'VALIDATE'],
      ['SET NOT NULL', 'SET NOT NULL'],
    ]);
    const others = (['sqlite', 'mysql'] as const).map((dialect) => printSql(CONSTRAINED[1], dialect).up);
    expect(others.join('\n')).not.toMatch(/VALID/u);
  });
});

const createOf = (up: string): string => up.slice(up.search(/CREATE (?:UNIQUE )?INDEX/u));

const upOf = (directory: string, { name }: MigrationPlan): Promise<string> =>
  readFile(join(directory, name, 'postgres/up.sql'), 'utf8');

const engines = (await testedEngines()).filter((engine) => engine === 'postgres');

describe.each(engines)('on %s', (dialect) => {
  let folder: string;
  let tested: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    tested = await createDatabase(dialect, 'concurrent');
    database = await openDatabase(tested.url);
  });
  afterEach(async () => {
    await database.close();
    await tested.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const moment = "'2024-01-02T03:04:05.000Z'";
  const insert = (values: string) =>
    `INSERT INTO articles (title, rank, created_at, updated_at) SELECT t.title, t.rank, ${moment}, ${moment} FROM (VALUES ${values}) AS t (title, rank)`;

  /** Writes the migrations, applies the first, and adds rows. */
  async function begin([first, second]: readonly [MigrationPlan, MigrationPlan], rows: string): Promise<string> {
    await migrateUp(database, await writePlans(join(folder, 'one'), [first]));
    await tested.script(insert(rows));
    return writePlans(join(folder, 'both'), [first, second]);
  }

  async function value(query: string): Promise<unknown> {
    return (await tested.rows(query))[0]?.[0];
  }

  const indexes = () =>
    tested.rows(
      "SELECT relname FROM pg_class WHERE relname LIKE 'articles%' AND relkind = 'i' AND relname NOT LIKE '%pkey' ORDER BY 1",
    );
  const invalid = () => value('SELECT count(*)::int FROM pg_index WHERE NOT indisvalid');
  const progress = async () =>
    (await value("SELECT to_regclass('_migration_progress') IS NULL"))
      ? 0
      : value('SELECT count(*)::int FROM _migration_progress');

  async function until(query: string): Promise<void> {
    while ((await value(query)) !== true) await sleep(20);
  }

  const BUILDING =
    "SELECT count(*) > 0 FROM pg_stat_progress_create_index WHERE relid = 'articles'::regclass AND command = 'CREATE INDEX CONCURRENTLY' AND phase LIKE 'waiting%'";

  const failureOf = (directory: string) =>
    migrateUp(database, directory).then(
      () => '',
      (error: unknown) => String(error),
    );

  it('rows of a large table are added and changed while an index is built', async () => {
    const directory = await begin(INDEXED, "('a', 1)");
    await tested.script(
      insert("('x', 0)").replace(
        /FROM .*/u,
        "FROM (SELECT 'x' || n AS title, n AS rank FROM generate_series(1, 200000) AS n) AS t",
      ),
    );
    // It waits for a transaction that has written: so it is sure to be at work while others write.
    const [blocker, writer] = [await openDatabase(tested.url), await openDatabase(tested.url)];
    let migrated: Promise<readonly string[]> | undefined;
    await blocker.transaction(async (tx) => {
      await tx.run(raw(insert("('blocker', 1)")));
      migrated = migrateUp(database, directory);
      await until(BUILDING);
      await writer.run(raw(insert("('while', 2)")));
      await writer.run(raw("UPDATE articles SET rank = 3 WHERE title = 'while'"));
      expect(await value(BUILDING)).toBe(true);
    });
    let writes = 0;
    let done = false;
    void migrated?.finally(() => (done = true));
    while (!done) {
      await writer.run(raw(insert("('more', 4)")));
      writes += 1;
    }
    expect(await migrated).toEqual([INDEXED[1].name]);
    await Promise.all([blocker.close(), writer.close()]);
    expect(await value('SELECT count(*)::int FROM articles')).toBe(200_003 + writes);
    expect([await invalid(), await progress(), (await indexes()).length]).toEqual([0, 0, 1]);
    expect((await findDrift(database, directory)).drifted).toEqual([]);
    expect((await migrate(database, { directory, dialect }, 'down')).changed).toEqual([INDEXED[1].name]);
    expect(await indexes()).toEqual([]);
  });

  it('rows are added and changed while those that were there are read for constraints', async () => {
    const directory = await begin(CONSTRAINED, "('a', NULL), ('b', 2)");
    const writer = await openDatabase(tested.url);
    const read: string[] = [];
    const migrating: Database['migrating'] = (timeout, work) =>
      database.migrating(timeout, (session) =>
        work({
          ...session,
          async script(text) {
            await session.script(text);
            const [constraint] = /(?<=VALIDATE CONSTRAINT ")[^"]+/u.exec(text) ?? [];
            if (constraint === undefined) return;
            // Its locks are held until the transaction ends, which this is within.
            await writer.run(raw(insert("('while', 7)")));
            await writer.run(raw('UPDATE articles SET rank = rank + 1, boss_id = 1'));
            await expect(writer.run(raw("UPDATE articles SET boss_id = 999 WHERE title = 'b'"))).rejects.toThrow();
            await expect(writer.run(raw(insert('(NULL, 7)')))).rejects.toThrow();
            read.push(constraint);
          },
        }),
      );
    expect((await migrate({ ...database, migrating }, { directory, dialect }, 'up')).changed).toEqual([
      CONSTRAINED[1].name,
    ]);
    await writer.close();
    expect(read).toHaveLength(3);
    expect(await tested.rows("SELECT rank::int FROM articles WHERE title IN ('a', 'b') ORDER BY title")).toEqual([
      [6],
      [5],
    ]);
    expect((await findDrift(database, directory)).drifted).toEqual([]);
    expect(await value('SELECT count(*)::int FROM pg_constraint WHERE NOT convalidated')).toBe(0);
  });

  it('what takes long says how far it is, what it waits for, and how long it took', async () => {
    const directory = await begin(INDEXED, "('a', 1)");
    const blocker = await openDatabase(tested.url);
    const parts: Parameters<LongPartListener>[0][] = [];
    let waits: () => void;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    const onLongPart: LongPartListener = (part) => {
      parts.push(part);
      if (part.progress !== undefined) waits();
    };
    let migrated: Promise<unknown> | undefined;
    await blocker.transaction(async (tx) => {
      await tx.run(raw(insert("('blocker', 1)")));
      migrated = migrate(database, { directory, dialect, onLongPart }, 'up');
      await waiting;
    });
    await Promise.all([migrated, blocker.close()]);
    const what = expect.stringMatching(/^CREATE INDEX CONCURRENTLY "articles__rank_sort" ON "articles"/u);
    const about = { name: INDEXED[1].name, what };
    expect(parts[0]).toMatchObject({
      ...about,
      isOver: false,
      progress: expect.stringMatching(/^waiting for writers.*, for the process \d+$/u),
    });
    expect(parts.at(-1)).toMatchObject({ ...about, isOver: true });
    expect(parts.at(-1)?.seconds).toBeGreaterThan(1);
  });

  it('a column that is to be required says which rows have no value', async () => {
    const directory = await begin(CONSTRAINED, "('a', NULL), (NULL, 2), (NULL, 3)");
    const failure = await failureOf(directory);
    expect(failure).toMatch(
      /and none of it was kept: article\.title is required, but rows have no value. Correct these rows/u,
    );
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
    expect(await tested.rows(query)).toHaveLength(2);
    expect(await progress()).toBe(0);
    await tested.script("UPDATE articles SET title = 'x' WHERE title IS NULL");
    expect(await migrateUp(database, directory)).toEqual([CONSTRAINED[1].name]);
    expect((await migrate(database, { directory, dialect }, 'down')).changed).toEqual([CONSTRAINED[1].name]);
    expect(await migrateUp(database, directory)).toEqual([CONSTRAINED[1].name]);
  });

  it('a unique index says which values are there twice, and leaves nothing behind', async () => {
    const directory = await begin(UNIQUE, "('it''s', 1), ('it''s', 2), ('b', 3)");
    const failure = await failureOf(directory);
    expect(failure).toMatch(/can't create the index articles\S*title\S*, and none of it was kept/u);
    expect(failure).toContain(`articles.title must be unique, but 2 rows have 'it's'. Give each a different value`);
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
    expect(await tested.rows(query)).toHaveLength(2);
    expect([await invalid(), await progress(), await indexes()]).toEqual([0, 0, []]);
    // Servers of the version before start as ever.
    expect(await migrateUp(database, join(folder, 'one/migrations'))).toEqual([]);
    await tested.script('DELETE FROM articles WHERE rank = 2');
    expect(await migrateUp(database, directory)).toEqual([UNIQUE[1].name]);
    expect([await invalid(), (await indexes()).length]).toEqual([0, 1]);
  });

  it('what comes before an index that can not be built is kept, and the next start goes on there', async () => {
    const directory = await begin(MERGED, "('a', 1), ('b', 2)");
    await tested.script('UPDATE articles SET kind = title');
    const failure = await failureOf(directory);
    expect(failure).toMatch(/failed at the index \S+, part 2 of 2. The parts before it are kept/u);
    expect(failure).toContain("articles.kind must be unique, but 2 rows have 'b'");
    expect([await invalid(), await progress()]).toEqual([0, 1]);
    expect((await findDrift(database, directory)).unknown).toMatch(/incomplete/u);
    await tested.script('UPDATE articles SET kind = NULL WHERE rank = 2');
    expect(await migrateUp(database, directory)).toEqual([MERGED[1].name]);
    expect((await findDrift(database, directory)).drifted).toEqual([]);
    expect([await invalid(), await progress(), (await indexes()).length]).toEqual([0, 0, 1]);
  });

  it('an index that was left behind invalid is built again', async () => {
    const directory = await begin(INDEXED, "('a', 1)");
    await tested.script(createOf(await upOf(directory, INDEXED[1])));
    await tested.script(
      "UPDATE pg_index SET indisvalid = false WHERE indrelid = 'articles'::regclass AND NOT indisprimary",
    );
    expect(await invalid()).toBe(1);
    expect(await migrateUp(database, directory)).toEqual([INDEXED[1].name]);
    expect([await invalid(), (await indexes()).length]).toEqual([0, 1]);
  });

  it('a valid index of that name, which somebody has made, is left alone', async () => {
    const directory = await begin(UNIQUE, "('a', 1)");
    await tested.script(createOf(await upOf(directory, UNIQUE[1])));
    expect(await failureOf(directory)).toMatch(
      /can't create the index \S+, and none of it was kept: there is already an index of that name/u,
    );
    expect([(await indexes()).length, await progress()]).toEqual([1, 0]);
  });

  it('a connection that is lost while an index is built leaves what the next start mends', async () => {
    const directory = await begin(INDEXED, "('a', 1)");
    const blocker = await openDatabase(tested.url);
    await blocker.transaction(async (tx) => {
      await tx.run(raw(insert("('blocker', 1)")));
      const failure = failureOf(directory);
      await until(BUILDING);
      await tested.script(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index WHERE relid = 'articles'::regclass",
      );
      expect(await failure).toMatch(/terminating connection/u);
    });
    await blocker.close();
    expect([await invalid(), await progress()]).toEqual([1, 1]);
    expect(await migrateUp(database, directory)).toEqual([INDEXED[1].name]);
    expect([await invalid(), await progress(), (await indexes()).length]).toEqual([0, 0, 1]);
  });
});
