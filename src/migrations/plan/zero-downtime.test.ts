/** A change in two parts, with servers of two versions at work between them, on each engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../../templates/runtime/test-support/engines.ts';
import { readContent } from '../../../test/support/evolving-data.ts';
import { type Models, modelsOf } from '../../../test/support/evolving-model.ts';
import { fillContent } from '../../../test/support/evolving-rows.ts';
import { testedEngines } from '../../../templates/runtime/test-support/runtime-database.ts';
import { nextPlan, readBack, writePlans } from '../../../test/support/written-migrations.ts';
import type { Database } from '../../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../../templates/runtime/src/database/open-database.ts';
import { isMigrated, migrate, migrateUp } from '../../../templates/runtime/src/migrator/migrate.ts';
import { planMigration } from './plan-migration.ts';
import { splitMigration } from './zero-downtime.ts';

function schema(contentTypes: object, components: object = {}): object {
  return { name: 'split', databases: ['sqlite', 'postgres', 'mysql'], contentTypes, components };
}

const ONE = { type: 'relation', relation: 'manyToOne', target: 'author' };
const MANY = { type: 'relation', relation: 'manyWay', target: 'author' };
const AUTHOR = { attributes: { name: { type: 'string' } } };

const BEFORE = modelsOf(
  schema(
    {
      article: {
        attributes: {
          title: { type: 'string', required: true, unique: true },
          extra: { type: 'json' },
          flag: { type: 'boolean', required: true, default: true },
          editor: ONE,
          seo: { type: 'component', component: 'shared.seo' },
          code: { type: 'string', required: true, unique: true },
          readers: MANY,
          hero: { type: 'component', component: 'shared.seo' },
          level: { type: 'integer' },
          note: { type: 'string' },
          teaser: { type: 'string' },
          body: { type: 'text', required: true },
        },
      },
      author: AUTHOR,
      legacy: { attributes: { name: { type: 'string' } } },
    },
    { 'shared.seo': { attributes: { keywords: { type: 'string' }, by: MANY } } },
  ),
);

/** Renames, drops, requires, widens, loosens, adds. */
const AFTER = modelsOf(
  schema(
    {
      article: {
        attributes: {
          headline: { type: 'string', required: true, unique: true, renamedFrom: 'title' },
          details: { type: 'json', renamedFrom: 'extra' },
          active: { type: 'boolean', required: true, default: true, renamedFrom: 'flag' },
          reviewer: { ...ONE, renamedFrom: 'editor' },
          summary: { type: 'component', component: 'shared.seo', renamedFrom: 'seo' },
          level: { type: 'integer', required: true, default: 3 },
          note: { type: 'text' },
          teaser: { type: 'string', unique: true },
          body: { type: 'text' },
          subtitle: { type: 'string', unique: true },
          weight: { type: 'integer', required: true, default: 7 },
          source: ONE,
        },
      },
      author: AUTHOR,
      label: { attributes: { name: { type: 'string' } } },
    },
    { 'shared.seo': { attributes: { keywords: { type: 'string' }, by: MANY } } },
  ),
);

const LATER = modelsOf(schema({ author: { attributes: { name: { type: 'string' }, age: { type: 'integer' } } } }));

const LOST = ['article.code', 'article.readers', 'article.hero', 'article.teaser', 'legacy'];

function split(plan: MigrationPlan, history: readonly MigrationPlan[], models: Models): readonly MigrationPlan[] {
  const { value, diagnostics } = splitMigration(plan, history, models.notes);
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return readBack(history, value);
}

const first = nextPlan(BEFORE, [], []);
const plain = nextPlan(AFTER, [first], LOST);
const parts = split(plain, [first], AFTER);

describe('a migration in two parts', () => {
  it('leads to the same state: a later build has nothing to do', () => {
    expect(parts.map(({ name, part }) => [name, part])).toStrictEqual([
      [`${plain.name}__expand`, 'expand'],
      [`${plain.name.replace('0002', '0003')}__contract`, 'contract'],
    ]);
    const input = { history: [first, ...parts], target: AFTER.storage, notes: AFTER.notes };
    expect(planMigration(input)).toStrictEqual({ value: null, diagnostics: [] });
  });

  it('is but the first where nothing breaks for servers of the version before', () => {
    const models = modelsOf(schema({ author: { attributes: { ...AUTHOR.attributes, age: { type: 'integer' } } } }));
    const start = nextPlan(modelsOf(schema({ author: AUTHOR })), [], []);
    const plan = nextPlan(models, [start], []);
    expect(split(plan, [start], models)).toStrictEqual([{ ...plan, name: `${plan.name}__expand`, part: 'expand' }]);
  });

  it('keeps indexes that queries of the version before name until the second part', () => {
    const seo = { type: 'component', component: 'shared.seo' };
    const attributes = { a: { type: 'string' }, b: { type: 'string' }, seo };
    const components = { 'shared.seo': { attributes: { keywords: { type: 'enumeration', enum: ['x', 'y'] } } } };
    const of = (options: object): Models => modelsOf(schema({ parent: { attributes, ...options } }, components));
    const start = nextPlan(of({ search: ['a', 'b'], indexes: [['seo.keywords'], ['-createdAt']] }), [], []);
    const models = of({ search: ['a'] });
    const [expand, contract] = split(nextPlan(models, [start], []), [start], models);
    const changesOf = (plan: MigrationPlan | undefined) =>
      plan?.changes.map((change) => [change.kind, 'index' in change ? change.index.name : '']);
    expect(changesOf(expand)).toStrictEqual([
      ['dropIndex', 'parents__created_at_sort_d'],
      ['createIndex', 'parents__a_search'],
    ]);
    expect(changesOf(contract)).toStrictEqual([
      ['dropIndex', 'parents__seo__keywords_sort'],
      ['dropIndex', 'parents__a__b_search'],
    ]);
  });

  it('gives a renamed attribute the values that it had, before a default to those without one', () => {
    const of = (attributes: object): Models => modelsOf(schema({ parent: { attributes } }));
    const start = nextPlan(of({ a: { type: 'integer' } }), [], []);
    const models = of({ b: { type: 'integer', required: true, default: 7, renamedFrom: 'a' } });
    const [expand] = split(nextPlan(models, [start], []), [start], models);
    const fills = expand?.changes.filter(({ kind }) => kind === 'fillEmpty');
    expect(fills?.map((change) => 'from' in change)).toStrictEqual([true, false]);
  });

  it('builds an index of a text that becomes shorter in the second part, when it is', () => {
    const of = (options: object): Models =>
      modelsOf(schema({ parent: { attributes: { a: { type: 'string' } }, ...options } }));
    const start = nextPlan(of({}), [], []);
    const models = of({ indexes: [['a', '-createdAt']] });
    const parts = split(nextPlan(models, [start], ['parent.a']), [start], models);
    expect(parts.map(({ changes }) => changes.map(({ kind }) => kind))).toStrictEqual([
      [],
      ['alterColumn', 'createIndex'],
    ]);
  });

  const text = { type: 'string' };
  const parent = (attributes: object, more: object = {}) => ({ parent: { attributes, ...more } });
  it.each<readonly [string, object, object, readonly string[], readonly string[]]>([
    ['another type', parent({ a: { type: 'integer' } }), parent({ a: { type: 'float' } }), ['parent.a'], []],
    ['other values', parent({ a: text }), parent({ a: { type: 'json' } }), ['parent.a'], ['parent.a']],
    [
      'names that are exchanged',
      parent({ a: text, b: text }),
      parent({ a: { ...text, renamedFrom: 'b' }, b: { ...text, renamedFrom: 'a' } }),
      ['parent.b'],
      [],
    ],
    [
      'a name that another leaves',
      parent({ a: text, b: text }),
      parent({ b: { ...text, renamedFrom: 'a' }, c: { ...text, renamedFrom: 'b' } }),
      ['parent.b'],
      [],
    ],
    ['a table with another name', parent({ a: text }), parent({ a: text }, { tableName: 'elders' }), ['parent'], []],
    [
      'a type with another name',
      parent({ a: text }),
      { elder: { attributes: { a: text }, renamedFrom: 'parent' } },
      ['elder'],
      [],
    ],
    [
      'links that move',
      { ...parent({ a: ONE }), author: AUTHOR },
      { ...parent({ a: MANY }), author: AUTHOR },
      ['parent.a'],
      ['parent.a'],
    ],
    ['drafts', parent({ a: text }), parent({ a: text }, { draftAndPublish: true }), ['parent'], []],
    [
      'two things',
      parent({ a: { type: 'integer' }, b: { type: 'boolean' }, c: text }),
      parent({ a: { type: 'float' }, b: { type: 'integer' }, d: { ...text, renamedFrom: 'c' } }),
      ['parent.a', 'parent.b'],
      [],
    ],
  ])('is refused by name for %s', (_, from, to, things, lost) => {
    const start = nextPlan(modelsOf(schema(from)), [], []);
    const models = modelsOf(schema(to));
    const plan = planMigration({ history: [start], target: models.storage, notes: models.notes, allowed: lost }).value;
    if (!plan) throw new Error('nothing to do');
    const { value, diagnostics } = splitMigration(plan, [start], models.notes);
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ message }) => /^'([^']+)'/u.exec(message)?.[1])).toStrictEqual(things);
    for (const one of diagnostics) {
      expect(one).toMatchObject({
        code: 'migrations/not-splittable',
        kind: 'refused',
        location: { file: 'schema.yaml' },
      });
      expect(one.hint).not.toBe('');
    }
  });
});

describe.each(await testedEngines())('two versions at work on %s', (dialect) => {
  let folder: string;
  let tested: TestDatabase;
  let other: TestDatabase;
  let server: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const open = (name: string) =>
      dialect === 'sqlite' ? sqliteDatabase(join(folder, `${name}.db`)) : createDatabase(dialect, name);
    [tested, other] = [await open('split'), await open('split_plain')];
    server = await openDatabase(tested.url);
  });
  afterAll(async () => {
    await server.close();
    await tested.drop();
    await other.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Without defaults, which are for rows that were there, and what the migrator has for itself. */
  async function catalogue(database: TestDatabase): Promise<readonly string[]> {
    const pattern = dialect === 'sqlite' ? /^(column \S+ \S+ \S* \d) .*$/u : /^(column .*? (?:YES|NO)\b).*$/u;
    const lines = await database.catalogue();
    return lines.filter((line) => !line.includes('_migration')).map((line) => line.replace(pattern, '$1'));
  }

  /** Everything that makes rows fire something. */
  async function triggers(): Promise<number> {
    const query = {
      sqlite: "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'",
      postgres: "SELECT count(*) FROM pg_proc WHERE proname LIKE 'in_step%'",
      mysql: 'SELECT count(*) FROM information_schema.triggers WHERE trigger_schema = database()',
    };
    return Number((await tested.rows(query[dialect]))[0]?.[0]);
  }

  /** Names as MySQL quotes them; in JSON a colon follows. */
  const quoted = (text: string): string => text.replaceAll(/"(\w+)"(?!:)/gu, '`$1`');
  const options = (directory: string) => ({ directory, dialect });
  const write = async (text: string): Promise<void> => tested.script(dialect === 'mysql' ? quoted(text) : text);
  const yes = dialect === 'postgres' ? 'true' : '1';
  const no = dialect === 'postgres' ? 'false' : '0';
  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
  const names = ['title', 'headline', 'flag', 'active', 'editor_id', 'reviewer_id', 'extra', 'details'];
  const valuesOf = async (title: string): Promise<readonly unknown[]> => {
    const list = names.map((name) => `"${name}"`).join(', ');
    const query = `SELECT ${list} FROM "articles" WHERE "title" = '${title}'`;
    const [row = []] = await tested.rows(dialect === 'mysql' ? quoted(query) : query);
    return row.map((value) => (value === null || typeof value === 'object' ? JSON.stringify(value) : String(value)));
  };
  const twice = (...values: readonly (string | number | null)[]): readonly unknown[] => {
    const shown = (value: string | number | null, index: number): string => {
      if (index === 1) return dialect === 'postgres' ? String(value === 1) : String(value);
      if (index === 3 && dialect === 'postgres' && value !== null) return JSON.stringify(JSON.parse(String(value)));
      return String(value);
    };
    return values.flatMap((value, index) => [shown(value, index), shown(value, index)]);
  };

  it('lose nothing, from the first part to the second, and back', async () => {
    const start = await writePlans(join(folder, 'first'), [first]);
    await migrateUp(server, start);
    await fillContent(tested, BEFORE, 0);
    const contentBefore = await readContent(tested, BEFORE);
    const catalogueBefore = await catalogue(tested);

    const directory = await writePlans(join(folder, 'parts'), [first, ...parts]);
    expect(await migrateUp(server, directory)).toStrictEqual([parts[0]?.name]);
    expect(await migrateUp(server, directory)).toStrictEqual([]);
    expect(await isMigrated(server, directory)).toBe(true);
    // So is a server of the version before: it goes on, and starts again.
    expect(await isMigrated(server, start)).toBe(true);
    expect(await migrateUp(server, start)).toStrictEqual([]);
    await expect(migrate(server, options(start), 'down')).rejects.toThrow(/newer than this server.*__expand/u);
    expect((await readContent(tested, BEFORE))['article']).toMatchObject(
      Object.fromEntries(
        Object.entries(contentBefore['article'] ?? {}).map(([id, { level, ...rest }]) => [
          id,
          { ...rest, level: level ?? 3 },
        ]),
      ),
    );
    const titles = Object.values(contentBefore['article'] ?? {}).map(({ title }) => title);
    expect(
      Object.values((await readContent(tested, AFTER))['article'] ?? {}).map(({ headline }) => headline),
    ).toStrictEqual(titles);

    const times = `"created_at", "updated_at"`;
    // A server of the version before knows nothing of the new names, nor of what is new.
    await write(
      `INSERT INTO "articles" ("title", "flag", "editor_id", "extra", "code", "body", ${times}) VALUES ('old', ${no}, 1, '{"a":1}', 'c1', 'b', ${moment}, ${moment});`,
    );
    await write(
      `INSERT INTO "articles" ("title", "flag", "editor_id", "extra", "code", "body", ${times}) VALUES ('empty', ${yes}, NULL, NULL, 'c2', 'b', ${moment}, ${moment});`,
    );
    expect(await valuesOf('old')).toStrictEqual(twice('old', 0, 1, '{"a":1}'));
    expect(await valuesOf('empty')).toStrictEqual(twice('empty', 1, null, null));
    // One of the new version nothing of the old ones.
    for (const name of ['new', 'newer']) {
      await write(
        `INSERT INTO "articles" ("headline", "active", "reviewer_id", "details", "level", "weight", ${times}) VALUES ('${name}', ${no}, 2, '{"b":2}', 9, 9, ${moment}, ${moment});`,
      );
    }
    expect(await valuesOf('new')).toStrictEqual(twice('new', 0, 2, '{"b":2}'));

    // Each changes what the other has written.
    await write(
      `UPDATE "articles" SET "headline" = 'old, by new', "active" = ${yes}, "reviewer_id" = NULL WHERE "title" = 'old';`,
    );
    expect(await valuesOf('old, by new')).toStrictEqual(twice('old, by new', 1, null, '{"a":1}'));
    await write(
      `UPDATE "articles" SET "title" = 'new, by old', "flag" = ${yes}, "extra" = NULL WHERE "headline" = 'new';`,
    );
    expect(await valuesOf('new, by old')).toStrictEqual(twice('new, by old', 1, 2, null));
    await write(`UPDATE "articles" SET "details" = '[3]' WHERE "headline" = 'empty';`);
    expect(await valuesOf('empty')).toStrictEqual(twice('empty', 1, null, '[3]'));
    // Neither name may be there twice.
    await expect(
      write(
        `INSERT INTO "articles" ("title", "flag", "code", "body", ${times}) VALUES ('newer', ${no}, 'c3', 'b', ${moment}, ${moment});`,
      ),
    ).rejects.toThrow();
    // A row that is referred to goes.
    await write(`DELETE FROM "authors" WHERE "id" = 2;`);
    expect(await valuesOf('new, by old')).toStrictEqual(twice('new, by old', 1, null, null));

    const between = await readContent(tested, AFTER);
    const contracted = await migrate(server, { ...options(directory), contract: true }, 'up');
    expect(contracted.changed).toStrictEqual([parts[1]?.name]);
    expect(await triggers()).toBe(0);
    expect(await isMigrated(server, start)).toBe(false);
    await expect(migrateUp(server, start)).rejects.toThrow(/newer than this server.*__contract/u);
    const whole = await readContent(tested, AFTER);
    const filled = Object.entries(between['article'] ?? {}).map(([id, entry]) => [
      id,
      { ...entry, level: entry['level'] ?? 3 },
    ]);
    expect(whole).toStrictEqual({ ...between, article: Object.fromEntries(filled) });

    const plainServer = await openDatabase(other.url);
    await migrateUp(plainServer, await writePlans(join(folder, 'plain'), [first, plain]));
    await plainServer.close();
    expect(await catalogue(tested)).toStrictEqual(await catalogue(other));

    await migrate(server, options(directory), 'down');
    expect((await readContent(tested, AFTER))['article']).toStrictEqual(whole['article']);
    expect(await valuesOf('old, by new')).toStrictEqual(twice('old, by new', 1, null, '{"a":1}'));
    await write(`UPDATE "articles" SET "title" = 'again' WHERE "headline" = 'empty';`);
    expect(await valuesOf('again')).toStrictEqual(twice('again', 1, null, '[3]'));
    await migrate(server, options(directory), 'down');
    expect(await catalogue(tested)).toStrictEqual(catalogueBefore);
    expect(await triggers()).toBe(0);
  });

  it('are told to finish the second part before anything that comes later', async () => {
    const later = nextPlan(LATER, [first, ...parts], ['article', 'label']);
    const directory = await writePlans(join(folder, 'later'), [first, ...parts, later]);
    const [expand, contract] = parts.map(({ name }) => name);
    const message = new RegExp(`${later.name} comes after ${contract}.*Nothing was applied.*up --contract`, 'u');
    await expect(migrateUp(server, directory)).rejects.toThrow(message);
    expect(await isMigrated(server, directory)).toBe(false);
    const { changed } = await migrate(server, { ...options(directory), contract: true }, 'up');
    expect(changed).toStrictEqual([expand, contract, later.name]);
    for (let left = 4; left > 0; left -= 1) await migrate(server, options(directory), 'down');
    // Nobody is at work on a database without tables.
    expect(await migrateUp(server, directory)).toStrictEqual([first.name, expand, contract, later.name]);
  });
});
