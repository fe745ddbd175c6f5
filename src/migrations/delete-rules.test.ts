/** What a deletion does to those who refer to it is a constraint of the database, on each engine, and changes both ways with the rows kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { driftAfter, filesOfPlans } from '../../test/support/drift.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, readBack, writePlans } from '../../test/support/written-migrations.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { safetyNotes } from './plan/safety.ts';
import { splitMigration } from './plan/zero-downtime.ts';

const relation = (kind: string, more: object = {}) => ({ type: 'relation', relation: kind, ...more });

/** Books with an author, tags, and a subject of any type. */
const schema = (options: { author?: object; tags?: object; about?: object; name?: string } = {}) =>
  modelsOf({
    name: 'shelf',
    databases: ['sqlite', 'postgres', 'mysql'],
    contentTypes: {
      author: {
        attributes: { books: relation('oneToMany', { target: 'book', mappedBy: options.name ?? 'author' }) },
      },
      tag: { attributes: { name: { type: 'string' } } },
      book: {
        unique: [[options.name ?? 'author', 'title']],
        indexes: [['title', options.name ?? 'author']],
        attributes: {
          title: { type: 'string' },
          [options.name ?? 'author']: relation('manyToOne', {
            target: 'author',
            inversedBy: 'books',
            ...options.author,
          }),
          tags: relation('manyToMany', { target: 'tag', ...options.tags }),
          about: relation('morphToOne', { targets: ['author', 'tag'], ...options.about }),
        },
      },
    },
  });

const NONE = schema();
const RULES = schema({
  author: { onDelete: 'cascade' },
  tags: { onDelete: 'restrict' },
  about: { onDelete: 'restrict' },
});
const KEPT = schema({ author: { onDelete: 'restrict' } });

const created = nextPlan(NONE, [], []);

describe.each(await testedEngines())('rules for deletions on %s', (dialect) => {
  let folder: string;
  let database: TestDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const file = join(folder, 'data.db');
    database = dialect === 'sqlite' ? await sqliteDatabase(file) : await createDatabase(dialect, 'delete_rules');
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const insert = (table: string, values: Record<string, unknown>): Promise<void> => {
    const now = dialect === 'mysql' ? "'2024-01-01 00:00:00'" : "'2024-01-01T00:00:00.000Z'";
    const all = Object.entries({ created_at: now, updated_at: now, ...values });
    const names = all.map(([name]) => database.id(name)).join(', ');
    return database.script(
      `INSERT INTO ${database.id(table)} (${names}) VALUES (${all.map(([, value]) => value).join(', ')})`,
    );
  };
  const remove = (table: string, id: number) => database.script(`DELETE FROM ${database.id(table)} WHERE id = ${id}`);
  const books = async () =>
    (await database.rows('SELECT id, author_id FROM books ORDER BY id')).map((row) =>
      row.map((one) => (one === null ? null : Number(one))),
    );

  async function run(work: 'up' | 'down', plans: Parameters<typeof writePlans>[1]): Promise<void> {
    await rm(join(folder, 'migrations'), { recursive: true, force: true });
    const migrations = await writePlans(folder, plans);
    const opened = await openDatabase(database.url);
    try {
      if (work === 'up') await migrateUp(opened, migrations);
      else await migrate(opened, { directory: migrations, dialect }, 'down');
    } finally {
      await opened.close();
    }
  }

  async function fill(): Promise<void> {
    for (const id of [1, 2]) await insert('authors', { id });
    for (const id of [1, 2]) await insert('tags', { id });
    await insert('books', { id: 1, title: "'a'", author_id: 1, author_position: 1 });
    await insert('books', { id: 2, title: "'b'", author_id: 2, author_position: 1 });
    await database.script('INSERT INTO books_tags_links (owner_id, target_id, position) VALUES (1, 1, 1)');
    await database.script(
      'INSERT INTO books_about_morphs (id, owner_id, position, author_id, tag_id) VALUES (1, 1, 1, NULL, 2)',
    );
  }

  it('changes each rule, and undoes it, without losing a row', async () => {
    const [rules] = readBack([created], [nextPlan(RULES, [created], [])]);
    const plans = [created, ...(rules ? [rules] : [])];
    await run('up', [created]);
    const before = await database.catalogue();
    await fill();
    await run('up', plans);
    expect(await driftAfter(database, filesOfPlans(plans, dialect))).toEqual([]);
    expect(await books()).toEqual([[1, 1], [2, 2]]); // prettier-ignore
    await expect(remove('tags', 1)).rejects.toThrow(/foreign key/iu);
    await expect(remove('tags', 2)).rejects.toThrow(/foreign key/iu);
    await remove('authors', 2);
    expect(await books()).toEqual([[1, 1]]);
    await run('down', plans);
    expect(await database.catalogue()).toEqual(before);
    expect(await driftAfter(database, filesOfPlans([created], dialect))).toEqual([]);
    await remove('authors', 1);
    await remove('tags', 1);
    expect(await books()).toEqual([[1, null]]);
  });

  it('has the same structure in a new database as in one that got there step by step', async () => {
    const fresh = nextPlan(RULES, [], []);
    await run('up', [fresh]);
    const direct = await database.catalogue();
    expect(await driftAfter(database, filesOfPlans([fresh], dialect))).toEqual([]);
    await run('down', [fresh]);
    const [before, rules] = [nextPlan(KEPT, [], []), nextPlan(RULES, [nextPlan(KEPT, [], [])], [])];
    await run('up', [before, rules]);
    const named = (lines: readonly string[]) => lines.filter((line) => !line.includes('__spare'));
    expect(named(await database.catalogue())).toEqual(direct);
  });

  it('relaxes before, and tightens after, servers of the previous version are gone', async () => {
    const tightened = splitMigration(nextPlan(KEPT, [created], []), [created], KEPT.notes);
    expect(tightened.value?.map(({ changes }) => changes.length)).toEqual([0, 1]);
    const required = nextPlan(KEPT, [], []);
    const relaxed = splitMigration(nextPlan(NONE, [required], []), [required], NONE.notes).value ?? [];
    expect(relaxed.map(({ part }) => part)).toEqual(['expand']);
    const plans = readBack([], [required, ...relaxed]);
    await run('up', plans);
    expect(await driftAfter(database, filesOfPlans(plans, dialect))).toEqual([]);
    await fill();
    await remove('authors', 1);
    expect(await books()).toEqual([[1, null], [2, 2]]); // prettier-ignore
  });

  it('says what it locks, and what it breaks', () => {
    const notes = safetyNotes(nextPlan(KEPT, [created], []), dialect).join('\n');
    expect(notes).toContain('responds with 500 if it deletes a row of "authors" to which "books" refers');
  });
});
