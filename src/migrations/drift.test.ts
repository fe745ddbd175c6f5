/** What somebody changes by hand in a database is found, on every engine, and nothing else is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import type { MigrationFiles } from '../../templates/runtime/src/contract/migration-sum.ts';
import { driftAfter, filesOfPlans } from '../../test/support/drift.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { root } from '../../test/support/project.ts';
import { nextPlan } from '../../test/support/written-migrations.ts';
import { splitMigration } from './plan/zero-downtime.ts';

const DEFAULTS = {
  word: { type: 'string', default: String.raw`it's "so" \n % ünï` },
  long: { type: 'text', default: 'a\nb' },
  count: { type: 'integer', default: -7 },
  huge: { type: 'biginteger', default: '-9007199254740993' },
  price: { type: 'decimal', default: 1.5 },
  ratio: { type: 'float', default: 0.25 },
  on: { type: 'boolean', default: true },
  day: { type: 'date', default: '2024-02-29' },
  clock: { type: 'time', default: '03:04:05.120' },
  at: { type: 'datetime', default: '2024-02-29T23:04:05.120Z' },
  extra: { type: 'json', default: { a: [1, "it's"] } },
};

const schema = (note: object) => ({
  name: 'drift',
  databases: ['sqlite', 'postgres', 'mysql'],
  contentTypes: {
    article: {
      search: ['title'],
      attributes: {
        title: { type: 'string', required: true },
        code: { type: 'string', unique: true },
        level: { type: 'integer', index: true },
        karma: { type: 'integer', default: 7 },
        body: { type: 'richtext' },
        ...note,
        author: { type: 'relation', relation: 'manyToOne', target: 'author' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
      },
    },
    author: { attributes: { name: { type: 'string', required: true } } },
    tag: { attributes: DEFAULTS },
  },
});

const BEFORE = modelsOf(schema({ note: { type: 'string' } }));
const AFTER = modelsOf(schema({ remark: { type: 'string', renamedFrom: 'note' } }));

const created = nextPlan(BEFORE, [], []);
const [expand] = splitMigration(nextPlan(AFTER, [created], []), [created], AFTER.notes).value ?? [];
if (!expand) throw new Error('the renaming has no first part');
const plans = [created, expand];
const inStep = /CREATE TRIGGER "(?<name>in_step_[0-9a-f]+)_insert"/u.exec(
  filesOfPlans(plans, 'sqlite')[1]?.files.get('sqlite/up.sql') ?? '',
)?.groups?.['name'];

/** The same on all engines, in their SQL; SQLite changes columns and keys only by other ones in their place. */
const BY_HAND = {
  sqlite: `
    DROP INDEX "articles__code_unique";
    DROP INDEX "articles__level_sort";
    DROP TRIGGER "articles__title_search_update";
    DROP TRIGGER "${inStep}_update";
    DROP INDEX "articles__author_id_index";
    ALTER TABLE "articles" DROP COLUMN "body";
    ALTER TABLE "articles" DROP COLUMN "karma";
    ALTER TABLE "articles" ADD COLUMN "karma" integer DEFAULT 9;
    ALTER TABLE "articles" DROP COLUMN "author_id";
    ALTER TABLE "articles" ADD COLUMN "author_id" integer;
    ALTER TABLE "authors" DROP COLUMN "name";
    ALTER TABLE "authors" ADD COLUMN "name" integer NOT NULL DEFAULT '';
    ALTER TABLE "tags" DROP COLUMN "ratio";
    ALTER TABLE "tags" ADD COLUMN "ratio" real NOT NULL DEFAULT 0.25;
    DROP TABLE "articles_tags_links";
    ALTER TABLE "authors" ADD COLUMN "shoe_size" integer;
    CREATE INDEX "authors_by_shoe" ON "authors" ("shoe_size");
    CREATE TRIGGER "count_authors" AFTER INSERT ON "authors" BEGIN SELECT 1; END;
    CREATE TABLE "of_the_team" (n integer);
    DROP INDEX "users__email_unique";
    CREATE INDEX "users__email_unique" ON "users" ("email");`,
  postgres: `
    DROP INDEX "articles__code_unique";
    DROP INDEX "articles__level_sort";
    ALTER TABLE "articles" DROP COLUMN "articles__title_search";
    ALTER TABLE "articles" DISABLE TRIGGER "${inStep}";
    DROP INDEX "articles__author_id_index";
    ALTER TABLE "articles" DROP COLUMN "body";
    ALTER TABLE "articles" ALTER COLUMN "karma" SET DEFAULT 9;
    ALTER TABLE "articles" DROP CONSTRAINT "articles__author_id_fk";
    ALTER TABLE "authors" ALTER COLUMN "name" TYPE integer USING 0;
    ALTER TABLE "tags" ALTER COLUMN "ratio" SET NOT NULL;
    DROP TABLE "articles_tags_links";
    ALTER TABLE "authors" ADD COLUMN "shoe_size" integer;
    CREATE INDEX "authors_by_shoe" ON "authors" ("shoe_size");
    CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER "count_authors" AFTER INSERT ON "authors" FOR EACH ROW EXECUTE FUNCTION counted();
    CREATE TABLE "of_the_team" (n integer);
    DROP INDEX "users__email_unique";
    CREATE INDEX "users__email_unique" ON "users" ("email");`,
  mysql: `
    DROP INDEX articles__code_unique ON articles;
    DROP INDEX articles__level_sort_turned ON articles;
    DROP INDEX articles__title_search ON articles;
    DROP TRIGGER ${inStep}_update;
    ALTER TABLE articles DROP COLUMN body;
    ALTER TABLE articles ALTER COLUMN karma SET DEFAULT 9;
    ALTER TABLE articles DROP FOREIGN KEY articles__author_id_fk;
    DROP INDEX articles__author_id_index ON articles;
    ALTER TABLE authors MODIFY COLUMN name integer NOT NULL;
    ALTER TABLE tags MODIFY COLUMN ratio double NOT NULL DEFAULT 0.25;
    DROP TABLE articles_tags_links;
    ALTER TABLE authors ADD COLUMN shoe_size integer;
    CREATE INDEX authors_by_shoe ON authors (shoe_size);
    CREATE TRIGGER count_authors AFTER INSERT ON authors FOR EACH ROW SET @counted = 1;
    CREATE TABLE of_the_team (n integer);
    DROP INDEX users__email_unique ON users;
    CREATE INDEX users__email_unique ON users (email);`,
};

/** What is found of it, with the first words of each line. */
const FOUND = {
  sqlite: [
    `missing: trigger ${inStep}_update of articles;`,
    'missing: trigger articles__title_search_update of articles;',
    'changed: column authors.name is integer, should be text;',
    'missing: index articles__level_sort of articles: (level, id);',
  ],
  postgres: [
    `changed: trigger ${inStep} of articles is switched off;`,
    'missing: column articles.articles__title_search: tsvector;',
    'missing: index articles__title_search of articles: (articles__title_search);',
    'changed: column authors.name is integer, should be text;',
    'missing: index articles__level_sort of articles: (level, id);',
  ],
  mysql: [
    `missing: trigger ${inStep}_update of articles;`,
    'missing: index articles__title_search of articles: (articles__title_search);',
    'changed: column authors.name is int, should be longtext;',
    'missing: index articles__level_sort_turned of articles: (level, id);',
  ],
};
const EVERYWHERE = [
  'changed: column articles.karma is with the default 9, should be with the default 7;',
  'changed: column tags.ratio is NOT NULL, should be NULL;',
  'changed: index users__email_unique of users is (email), should be (email), unique;',
  'missing: foreign key articles__author_id_fk of articles: (author_id) to authors, on delete set null;',
  'missing: index articles__author_id_index of articles: (author_id);',
  'missing: index articles__code_unique of articles: (code), unique;',
  'missing: table articles_tags_links;',
  'in no migration: trigger count_authors of authors;',
  'in no migration: index authors_by_shoe of authors: (shoe_size);',
];

describe.each(await testedEngines())('a database that was changed by hand, on %s', (dialect) => {
  const files = filesOfPlans(plans, dialect);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase(dialect, 'drift');
    for (const migration of files) await database.script(migration.files.get(`${dialect}/up.sql`) ?? '');
  });
  afterAll(() => database?.drop());

  it('is as its migrations have left it before, with all kinds of defaults', async () => {
    expect(await driftAfter(database, files)).toEqual([]);
  });

  it('is so where it is older than what compares it', async () => {
    const folder = join(root, 'test/histories/before-versions/migrations');
    const names = readdirSync(folder).filter((name) => /^\d{4}_/u.test(name));
    const older = names.map((name): MigrationFiles => {
      const read = (file: string): readonly [string, string] => [file, readFileSync(join(folder, name, file), 'utf8')];
      return { name, files: new Map([read('plan.json'), read(`${dialect}/up.sql`)]) };
    });
    const old = await createDatabase(dialect, 'drift_old');
    for (const migration of older) await old.script(migration.files.get(`${dialect}/up.sql`) ?? '');
    expect(await driftAfter(old, older)).toEqual([]);
    await old.script(`ALTER TABLE ${old.id('notes')} ADD COLUMN ${old.id('later')} integer`);
    expect(await driftAfter(old, older)).toEqual([expect.stringContaining('in no migration: column notes.later')]);
    await old.drop();
  });

  it('shows each thing that was changed, the migration that has it, and what nobody declared', async () => {
    await database.script(BY_HAND[dialect]);
    const lines = await driftAfter(database, files);
    const type = { sqlite: 'integer', postgres: 'integer', mysql: 'int' }[dialect];
    const body = { sqlite: 'text', postgres: 'text', mysql: 'longtext' }[dialect];
    const expected = [
      ...EVERYWHERE,
      ...FOUND[dialect],
      `missing: column articles.body: ${body};`,
      `in no migration: column authors.shoe_size: ${type};`,
    ];
    expect(lines.map((line) => `${line.split('; ')[0] ?? ''};`).toSorted()).toEqual(expected.toSorted());
    const unique = lines.find((line) => line.includes('articles__code_unique'));
    expect(unique).toContain(`recreate it with its statement in migrations/${created.name}/${dialect}/up.sql`);
    const trigger = lines.find((line) => line.includes('in_step_'));
    expect(trigger).toContain(`migrations/${expand.name}/${dialect}/up.sql`);
  });

  it('shows nothing that migrations written by hand have changed', async () => {
    const text = BY_HAND[dialect];
    const own: MigrationFiles = {
      name: '0009_own',
      files: new Map([
        ['plan.json', JSON.stringify({ format: 2, name: '0009_own', handWritten: true, changes: [] })],
        [`${dialect}/up.sql`, text],
      ]),
    };
    expect(await driftAfter(database, [...files, own])).toEqual([]);
  });

  it('shows what migrations written by hand have made, and nobody has taken away by another', async () => {
    const own = (name: string, text: string): MigrationFiles => ({
      name,
      files: new Map([
        ['plan.json', JSON.stringify({ format: 2, name, handWritten: true, changes: [] })],
        [`${dialect}/up.sql`, text],
      ]),
    });
    const { id } = database;
    const made = own(
      '0010_own',
      `-- ours
      CREATE TABLE ${id('own_notes')} (n integer, m integer);
      CREATE INDEX own_notes_n ON ${id('own_notes')} (n);
      CREATE UNIQUE INDEX own_notes_m ON own_notes (m);
      ALTER TABLE ${id('own_notes')} ADD COLUMN ${id('extra')} integer;
      CREATE TABLE own_passing (n integer);`,
    );
    const taken = own('0011_own', 'DROP TABLE own_passing;');
    const by = own('0009_own', BY_HAND[dialect]);
    await database.script(made.files.get(`${dialect}/up.sql`) ?? '');
    await database.script('DROP TABLE own_passing;');
    expect(await driftAfter(database, [...files, by, made, taken])).toEqual([]);
    const on = dialect === 'mysql' ? ' ON own_notes' : '';
    await database.script(`DROP INDEX own_notes_n${on}; ALTER TABLE own_notes DROP COLUMN extra;`);
    const file = `migrations/0010_own/${dialect}/up.sql`;
    expect(await driftAfter(database, [...files, by, made, taken])).toEqual([
      `missing: index own_notes_n of own_notes; recreate it with its statement in ${file}`,
      `missing: column own_notes.extra; recreate it with its statement in ${file}`,
    ]);
    await database.script('DROP TABLE own_notes;');
    expect(await driftAfter(database, [...files, by, made, taken])).toEqual([
      `missing: table own_notes; recreate it with its statement in ${file}`,
    ]);
  });
});
