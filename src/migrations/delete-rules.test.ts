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
import { planMigration } from './plan/plan-migration.ts';
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
const REQUIRED = schema({ author: { required: true } });
const RENAMED = schema({ name: 'writer', author: { required: true, renamedFrom: 'author' } });

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
  /** What migrations have made. */
  const catalogue = async () => (await database.catalogue()).filter((line) => !line.includes('_migration'));
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
    const before = await catalogue();
    await fill();
    await run('up', plans);
    expect(await driftAfter(database, filesOfPlans(plans, dialect))).toEqual([]);
    expect(await books()).toEqual([[1, 1], [2, 2]]); // prettier-ignore
    await expect(remove('tags', 1)).rejects.toThrow(/foreign key/iu);
    await expect(remove('tags', 2)).rejects.toThrow(/foreign key/iu);
    await remove('authors', 2);
    expect(await books()).toEqual([[1, 1]]);
    await run('down', plans);
    expect(await catalogue()).toEqual(before);
    expect(await driftAfter(database, filesOfPlans([created], dialect))).toEqual([]);
    await remove('authors', 1);
    await remove('tags', 1);
    expect(await books()).toEqual([[1, null]]);
  });

  it('has the same structure in a new database as in one that got there step by step', async () => {
    const fresh = nextPlan(RULES, [], []);
    await run('up', [fresh]);
    const direct = await catalogue();
    expect(await driftAfter(database, filesOfPlans([fresh], dialect))).toEqual([]);
    await run('down', [fresh]);
    const [before, rules] = [nextPlan(REQUIRED, [], []), nextPlan(RULES, [nextPlan(REQUIRED, [], [])], [])];
    await run('up', [before, rules]);
    expect(await catalogue()).toEqual(direct);
  });

  it('makes a relation required where all rows have it, keeps it so under another name, and undoes both', async () => {
    const refused = planMigration({ history: [created], target: REQUIRED.storage, notes: REQUIRED.notes });
    expect(refused.value).toBeUndefined();
    expect(refused.diagnostics.map(({ message }) => message)).toEqual([
      "'book.author' becomes required, but existing entries may have no value for it",
    ]);
    const required = nextPlan(REQUIRED, [created], ['book.author']);
    const renamed = nextPlan(RENAMED, [created, required], []);
    const plans = readBack([], [created, required, renamed]);
    await run('up', plans.slice(0, 1));
    const before = await catalogue();
    await fill();
    await insert('books', { id: 3, title: "'c'" });
    await expect(run('up', plans.slice(0, 2))).rejects.toThrow('book.author is required, but rows have no value');
    expect(await books()).toHaveLength(3);
    await remove('books', 3);
    await run('up', plans.slice(0, 2));
    expect(await driftAfter(database, filesOfPlans(plans.slice(0, 2), dialect))).toEqual([]);
    await expect(insert('books', { id: 4, title: "'d'" })).rejects.toThrow();
    await expect(database.script('UPDATE books SET author_id = NULL')).rejects.toThrow();
    await expect(remove('authors', 1)).rejects.toThrow();
    await run('up', plans);
    expect(await driftAfter(database, filesOfPlans(plans, dialect))).toEqual([]);
    await expect(insert('books', { id: 4, title: "'d'" })).rejects.toThrow();
    await run('down', plans);
    await run('down', plans.slice(0, 2));
    expect(await catalogue()).toEqual(before);
    await insert('books', { id: 4, title: "'d'" });
    expect(await books()).toHaveLength(3);
  });

  it('adds a required relation to a type without rows only', async () => {
    const without = modelsOf({
      name: 'shelf',
      contentTypes: {
        author: { attributes: { name: { type: 'string' } } },
        book: { attributes: { title: { type: 'string' } } },
      },
    });
    const first = nextPlan(without, [], []);
    const more = modelsOf({
      name: 'shelf',
      contentTypes: {
        author: { attributes: { name: { type: 'string' } } },
        book: {
          attributes: {
            title: { type: 'string' },
            author: relation('manyToOne', { target: 'author', required: true }),
          },
        },
      },
    });
    expect(() => nextPlan(more, [first], [])).toThrow("'book.author' is new and required");
    const plans = readBack([], [first, nextPlan(more, [first], ['book.author'])]);
    await run('up', plans.slice(0, 1));
    await insert('books', { id: 1, title: "'a'" });
    await expect(run('up', plans)).rejects.toThrow('book.author has no value for existing rows');
    await remove('books', 1);
    await run('up', plans);
    expect(await driftAfter(database, filesOfPlans(plans, dialect))).toEqual([]);
    await expect(insert('books', { id: 1, title: "'a'" })).rejects.toThrow();
    await run('down', plans);
    await insert('books', { id: 1, title: "'a'" });
  });

  it('moves the links of a list into a required relation and back', async () => {
    const many = modelsOf({
      name: 'shelf',
      contentTypes: {
        author: { attributes: { name: { type: 'string' } } },
        book: { attributes: { title: { type: 'string' }, author: relation('manyToMany', { target: 'author' }) } },
      },
    });
    const one = modelsOf({
      name: 'shelf',
      contentTypes: {
        author: { attributes: { name: { type: 'string' } } },
        book: {
          attributes: {
            title: { type: 'string' },
            author: relation('manyToOne', { target: 'author', required: true }),
          },
        },
      },
    });
    const first = nextPlan(many, [], []);
    const moved = nextPlan(one, [first], ['book.author']);
    const back = nextPlan(many, [first, moved], ['book.author']);
    const plans = readBack([], [first, moved, back]);
    await run('up', plans.slice(0, 1));
    await insert('authors', { id: 7 });
    await insert('books', { id: 1, title: "'a'" });
    await database.script('INSERT INTO books_author_links (owner_id, target_id, position) VALUES (1, 7, 1)');
    await run('up', plans.slice(0, 2));
    expect(await books()).toEqual([[1, 7]]);
    expect(await driftAfter(database, filesOfPlans(plans.slice(0, 2), dialect))).toEqual([]);
    await run('up', plans);
    expect(
      (await database.rows('SELECT owner_id, target_id FROM books_author_links')).map((row) => row.map(Number)),
    ).toEqual([[1, 7]]);
    await run('down', plans);
    expect(await books()).toEqual([[1, 7]]);
    await run('down', plans.slice(0, 2));
    expect(
      (await database.rows('SELECT owner_id, target_id FROM books_author_links')).map((row) => row.map(Number)),
    ).toEqual([[1, 7]]);
  });

  it('relaxes before, and tightens after, servers of the previous version are gone', async () => {
    const tightened = splitMigration(nextPlan(REQUIRED, [created], ['book.author']), [created], REQUIRED.notes);
    expect(tightened.value?.map(({ changes }) => changes.length)).toEqual([0, 1]);
    const required = nextPlan(REQUIRED, [], []);
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
    const notes = safetyNotes(nextPlan(REQUIRED, [created], ['book.author']), dialect).join('\n');
    expect(notes).toContain('can\'t write NULL to "books"."author_id"');
    expect(notes).toContain('responds with 500 if it deletes a row of "authors" to which "books" refers');
  });
});
