/** A migration that can't keep what rows hold stops before it changes anything, and says which rows to look at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

const schema = (attributes: readonly string[], settings = ''): string =>
  `contentTypes:\n  article:\n${settings}    attributes:\n${['title: { type: string }', ...attributes].map((line) => `      ${line}\n`).join('')}`;

/** What becomes of a schema, the consent that it needs, values of a row that stop it, and such that don't. */
const CASES = {
  'text that becomes shorter': {
    from: ['value: { type: text }'],
    to: ['value: { type: string, index: true }'],
    consent: 'article.value',
    stopping: `'${'ü'.repeat(256)}'`,
    kept: `'${'ü'.repeat(255)}'`,
    reason: 'article.value has values that are too long',
  },
  'an attribute that becomes required': {
    from: ['value: { type: integer }'],
    to: ['value: { type: integer, required: true }'],
    consent: 'article.value',
    stopping: 'NULL',
    kept: '7',
    reason: 'value is required, but rows have no value',
  },
  'an attribute that becomes unique': {
    from: ['value: { type: integer }'],
    to: ['value: { type: integer, unique: true }'],
    consent: 'article.value',
    stopping: '1',
    kept: '2',
    reason: dialectReason,
  },
} as const;

function dialectReason(dialect: string): string {
  return dialect === 'mysql' ? 'is unique, but rows have the same value' : 'articles.value must be unique';
}

describe.each(await testedEngines())('migrations on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'stopped');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
  const id = (name: string): string => opened.database.dialect.id(name).text;
  const rows = () => opened.database.all(raw(`SELECT * FROM ${id('articles')} ORDER BY id`));
  const insert = (values: Readonly<Record<string, string>>): Promise<void> => {
    const all = { ...values, created_at: moment, updated_at: moment };
    const names = Object.keys(all).map(id).join(', ');
    return opened.database.script(`INSERT INTO ${id('articles')} (${names}) VALUES (${Object.values(all).join(', ')})`);
  };
  const plansOf = (schemas: readonly string[], consent: readonly string[]): readonly MigrationPlan[] => {
    const history: MigrationPlan[] = [];
    for (const one of schemas) history.push(nextPlan(modelsOf(one), history, consent));
    return history;
  };

  it.each(Object.entries(CASES))('stop before anything, for %s', async (_, { from, to, consent, ...rows_ }) => {
    const { database } = opened;
    const { stopping, kept, reason } = rows_;
    const plans = plansOf(
      [schema(['other: { type: integer }', ...from]), schema(['other: { type: string }', ...to])],
      [consent, 'article.other'],
    );
    await migrateUp(database, await writePlans(folder, plans.slice(0, 1)));
    await insert({ title: "'a'", other: '1', value: kept });
    await insert({ title: "'b'", other: '1', value: kept === '2' ? '1' : kept });
    await insert({ title: "'c'", other: '1', value: stopping });
    const before = await rows();
    const directory = await writePlans(folder, plans);
    const failure = await migrateUp(database, directory).then(() => 'applied', String);
    expect(failure).toContain(typeof reason === 'string' ? reason : reason(dialect));
    expect(await rows()).toStrictEqual(before);
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? expect.fail(failure);
    expect((await database.all(raw(query))).length).toBe(reason === dialectReason ? 2 : 1);
    await database.script(`DELETE FROM ${id('articles')} WHERE ${id('title')} = 'c'`);
    expect(await migrateUp(database, directory)).toHaveLength(1);
    expect(await rows()).toHaveLength(2);
  });

  it('stop before anything, whatever else is renamed and filled', async () => {
    const { database } = opened;
    const renamed = schema(['number: { type: integer, required: true, renamedFrom: value }'])
      .replace('  article:', '  story:\n    renamedFrom: article')
      .replace('contentTypes:', 'api: { format: v5 }\ncontentTypes:');
    const plans = plansOf([schema(['value: { type: integer }']), renamed], ['story.number']);
    const directory = await writePlans(folder, plans);
    await migrate(database, { directory, dialect, to: plans[0]?.name ?? '' }, 'up');
    await insert({ title: "'a'" });
    const before = await rows();
    await expect(migrateUp(database, directory)).rejects.toThrow(
      /none of it was kept: story\.number is required, but rows have no value\. .*SELECT .*value.* FROM .articles/u,
    );
    expect(await rows()).toStrictEqual(before);
    await database.script(`UPDATE ${id('articles')} SET ${id('value')} = 7`);
    expect(await migrateUp(database, directory)).toHaveLength(1);
  });

  it('can be replaced if a check stops them', async () => {
    const { database } = opened;
    const first = schema(['value: { type: integer }']);
    const [stopped, other] = ['value: { type: integer, unique: true }', 'value: { type: text }'].map((to) =>
      plansOf([first, schema([to])], ['article.value']),
    );
    await migrateUp(database, await writePlans(join(folder, 'first'), stopped?.slice(0, 1) ?? []));
    for (const title of ["'a'", "'b'"]) await insert({ title, value: '1' });
    await expect(migrateUp(database, await writePlans(join(folder, 'stopped'), stopped ?? []))).rejects.toThrow();
    expect(await migrateUp(database, await writePlans(join(folder, 'other'), other ?? []))).toHaveLength(1);
    expect((await rows()).map((row) => row['value'])).toStrictEqual(['1', '1']);
  });

  it('stay applied if a check stops their undoing, and servers start', async () => {
    const { database } = opened;
    const attributes = (value: string, rank: string) => [`value: { type: ${value} }`, `rank: { type: integer${rank} }`];
    const schemas = [attributes('integer', ', index: true'), attributes('text', '')];
    const plans = plansOf(
      schemas.map((one) => schema(one)),
      [],
    );
    const directory = await writePlans(folder, plans);
    await migrateUp(database, directory);
    await insert({ title: "'a'", value: "'hello'" });
    const before = await rows();
    const undo = () => migrate(database, { directory, dialect }, 'down');
    await expect(undo()).rejects.toThrow(/none of it was kept: article\.value has non-integer values/u);
    expect(await migrateUp(database, directory)).toStrictEqual([]);
    expect(await rows()).toStrictEqual(before);
    const { migrations } = await migrate(database, { directory, dialect }, 'status');
    expect(migrations.map(({ appliedAt }) => typeof appliedAt)).toStrictEqual(['string', 'string']);
    await database.script(`UPDATE ${id('articles')} SET ${id('value')} = '7'`);
    expect((await undo()).changed).toHaveLength(1);
  });

  it.each(['integer', 'date', 'string, unique: true'])(
    'give no row a value for a new required attribute (%s)',
    async (type) => {
      const { database } = opened;
      const plans = plansOf([schema([]), schema([`value: { type: ${type}, required: true }`])], ['article.value']);
      await migrateUp(database, await writePlans(folder, plans.slice(0, 1)));
      await insert({ title: "'a'" });
      const before = await rows();
      const directory = await writePlans(folder, plans);
      await expect(migrateUp(database, directory)).rejects.toThrow(
        /article\.value has no value for existing rows\. .*To list them: SELECT/u,
      );
      expect(await rows()).toStrictEqual(before);
      await database.script(`DELETE FROM ${id('articles')}`);
      expect(await migrateUp(database, directory)).toHaveLength(1);
    },
  );

  it('are undone only with consent where that deletes what was written', async () => {
    const { database } = opened;
    const more = ['rank: { type: integer, default: 7 }', 'note: { type: text }'];
    const tag = '  tag:\n    attributes:\n      name: { type: string }\n';
    const plans = plansOf([schema([]), `${schema(more, '    draftAndPublish: true\n')}${tag}`], []);
    await migrateUp(database, await writePlans(folder, plans.slice(0, 1)));
    await insert({ title: "'a'" });
    const directory = await writePlans(folder, plans);
    const undo = (keepsContent: boolean) => migrate(database, { directory, dialect, keepsContent }, 'down');
    // What the migration itself has given to rows is no loss.
    await migrateUp(database, directory);
    expect((await undo(true)).changed).toHaveLength(1);
    await migrateUp(database, directory);
    await insert({ title: "'b'", rank: '8', note: "'x'" });
    await database.script(
      `INSERT INTO ${id('tags')} (${id('created_at')}, ${id('updated_at')}) VALUES (${moment}, ${moment})`,
    );
    const before = await rows();
    const failure = await undo(true).then(() => 'undone', String);
    for (const line of [
      'values of rank in 1 row of articles',
      'values of note in 1 row of articles',
      'drafts: everyone could read 1 row of articles',
      '1 row of tags',
      `npm run server -- migrate down ${plans[1]?.name} --allow-destructive`,
    ]) {
      expect(failure).toContain(line);
    }
    expect(await rows()).toStrictEqual(before);
    expect((await undo(false)).changed).toHaveLength(1);
  });

  it('are undone where that takes content back to where it was', async () => {
    const { database } = opened;
    const tags = '  tag:\n    attributes:\n      name: { type: string }\n';
    const relation = (kind: string): string =>
      `${schema([`tags: { type: relation, relation: ${kind}, target: tag }`])}${tags}`;
    const plans = plansOf([relation('manyToOne'), relation('manyToMany')], []);
    await migrateUp(database, await writePlans(folder, plans.slice(0, 1)));
    await database.script(
      `INSERT INTO ${id('tags')} (id, ${id('created_at')}, ${id('updated_at')}) VALUES (1, ${moment}, ${moment})`,
    );
    await insert({ title: "'a'", tags_id: '1' });
    const before = await rows();
    const directory = await writePlans(folder, plans);
    expect(await migrateUp(database, directory)).toHaveLength(1);
    const undo = () => migrate(database, { directory, dialect, keepsContent: true }, 'down');
    expect((await undo()).changed).toHaveLength(1);
    expect(await rows()).toStrictEqual(before);
    await migrateUp(database, directory);
    await database.script(`
      INSERT INTO ${id('tags')} (id, ${id('created_at')}, ${id('updated_at')}) VALUES (2, ${moment}, ${moment});
      INSERT INTO ${id('articles_tags_links')} (owner_id, target_id, ${id('position')}) SELECT id, 2, 2 FROM ${id('articles')};
    `);
    // A column can hold only one of the links.
    await expect(undo()).rejects.toThrow('1 row of articles_tags_links: only the first with the same owner_id');
  });

  it.each([
    ['becomes required', ['value: { type: integer }']],
    ['is new and required', []],
  ])('stop where an attribute %s that published entries lack, but not for drafts', async (_, before) => {
    const { database } = opened;
    const drafts = (attributes: readonly string[]) => schema(attributes, '    draftAndPublish: true\n');
    const to = ['value: { type: integer, required: true }'];
    const plans = plansOf([drafts(before), drafts(to)], ['article.value']);
    const directory = await writePlans(folder, plans);
    await migrate(database, { directory, dialect, to: plans[0]?.name ?? '' }, 'up');
    await insert({ title: "'draft'" });
    await insert({ title: "'published'", published_at: moment });
    const stored = await rows();
    const failure = await migrateUp(database, directory).then(() => 'applied', String);
    expect(failure).toMatch(/none of it was kept: article\.value .*published rows/u);
    expect(await rows()).toStrictEqual(stored);
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? expect.fail(failure);
    expect(await database.all(raw(query))).toHaveLength(1);
    const published = `WHERE ${id('title')} = 'published'`;
    const fix = before.length > 0 ? `UPDATE ${id('articles')} SET ${id('value')} = 7` : `DELETE FROM ${id('articles')}`;
    await database.script(`${fix} ${published}`);
    expect(await migrateUp(database, directory)).toHaveLength(1);
    expect((await rows()).at(0)).toMatchObject({ title: 'draft', value: null });
  });

  it('stop where an attribute of a localized type becomes required', async () => {
    const { database } = opened;
    const localized = (value: string) =>
      `locales: [en, fr]\n${schema([`value: { type: integer${value} }`], '    localized: true\n')}`;
    const plans = plansOf([localized(''), localized(', required: true')], ['article.value']);
    const directory = await writePlans(folder, plans);
    await migrate(database, { directory, dialect, to: plans[0]?.name ?? '' }, 'up');
    await insert({ title: "'a'", document_id: "'d'", locale: "'en'" });
    await expect(migrateUp(database, directory)).rejects.toThrow('article.value is required, but rows have no value');
    await database.script(`UPDATE ${id('articles')} SET ${id('value')} = 7`);
    expect(await migrateUp(database, directory)).toHaveLength(1);
  });

  it('need no check of values where all of a type become published', async () => {
    const { database } = opened;
    const plans = plansOf(
      [
        schema(['value: { type: integer }']),
        schema(['value: { type: integer, required: true }'], '    draftAndPublish: true\n'),
      ],
      ['article.value'],
    );
    const directory = await writePlans(folder, plans);
    await migrate(database, { directory, dialect, to: plans[0]?.name ?? '' }, 'up');
    await insert({ title: "'a'", value: '7' });
    expect(await migrateUp(database, directory)).toHaveLength(1);
  });

  it('leave published what was there for everybody, when drafts come back', async () => {
    const { database } = opened;
    const drafts = schema([], '    draftAndPublish: true\n');
    const plans = plansOf([drafts, schema([])], ['article.draftAndPublish']);
    await migrateUp(database, await writePlans(folder, plans.slice(0, 1)));
    await insert({ title: "'a'", published_at: moment });
    const directory = await writePlans(folder, plans);
    expect(await migrateUp(database, directory)).toHaveLength(1);
    await insert({ title: "'b'" });
    expect((await migrate(database, { directory, dialect }, 'down')).changed).toHaveLength(1);
    expect((await rows()).map((row) => row['published_at'] === null)).toStrictEqual([false, false]);
  });
});
