/** Attributes that become shared by all locales, on every engine: relations between entries, and values without a locale. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

const schema = (localized: boolean): string => `locales: [en, fr]
contentTypes:
  article:
    localized: true
    attributes:
      code: { type: string, unique: true, localized: ${localized} }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles, localized: ${localized} }
      home: { type: relation, relation: manyToOne, target: tag, inversedBy: guests, localized: ${localized} }
      twin: { type: relation, relation: oneToOne, target: tag, inversedBy: twinOf, localized: ${localized} }
  tag:
    localized: true
    attributes:
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
      guests: { type: relation, relation: oneToMany, target: article, mappedBy: home }
      twinOf: { type: relation, relation: oneToOne, target: article, mappedBy: twin }`;

describe.each(await testedEngines())('on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  const history: MigrationPlan[] = [];
  beforeEach(async () => {
    history.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'shared_values');
    await migrateTo(schema(true));
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function migrateTo(text: string): Promise<void> {
    // Whatever consents they may need: this is about what happens to the rows.
    history.push(nextPlan(modelsOf(text), history, ['article.code', 'article.tags', 'article.home', 'article.twin']));
    await migrateUp(opened.database, await writePlans(folder, history));
  }

  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";

  async function insert(table: string, columns: string, ...rows: readonly string[]): Promise<void> {
    const isType = table !== 'articles_tags_links';
    const values = rows.map((row) => `(${row}${isType ? `, ${moment}, ${moment}` : ''})`).join(', ');
    await opened.database.script(
      `INSERT INTO ${table} (${columns}${isType ? ', created_at, updated_at' : ''}) VALUES ${values}`,
    );
  }

  async function read(query: string): Promise<unknown[][]> {
    const rows = await opened.database.all(raw(query));
    return rows.map((row) => Object.values(row).map((value) => (typeof value === 'bigint' ? Number(value) : value)));
  }

  async function insertTags(): Promise<void> {
    await insert('tags', 'id, document_id, locale', "1, 'x', 'en'", "2, 'x', 'fr'", "3, 'y', 'en'");
  }

  it('relations name the first row of an entry, each entry once, and a row of each entry claims its value', async () => {
    await insertTags();
    await insert(
      'articles',
      'id, document_id, locale, code, home_id, home_position, twin_id',
      "1, 'a', 'en', 'c', 2, 10, 1",
      "2, 'a', 'fr', 'c', 2, 20, 1",
      "3, 'b', 'en', NULL, 1, 10, 2",
    );
    await insert(
      'articles_tags_links',
      'owner_id, target_id, position, inverse_position',
      ...['1, 3, 10, 10', '1, 2, 20, 10', '1, 1, 30, 10', '2, 2, 10, 20', '3, 1, 10, 20'],
    );
    await migrateTo(schema(false));
    const links = 'SELECT owner_id, target_id FROM articles_tags_links ORDER BY owner_id, position';
    expect(await read(links)).toEqual([
      [1, 3],
      [1, 1],
      [2, 3],
      [2, 1],
      [3, 1],
    ]);
    const guests = 'SELECT id, home_id, twin_id, _code_claim FROM articles ORDER BY home_position';
    expect(await read(guests)).toEqual([
      [1, 1, 1, 'c'],
      [3, 1, null, null],
      [2, 1, 1, null],
    ]);
    const places = 'SELECT COUNT(DISTINCT inverse_position) FROM articles_tags_links WHERE target_id = 1';
    expect((await read(places))[0]?.map(Number)).toEqual([3]);
    // An entry claims a value for all its locales.
    const second = insert('articles', 'id, document_id, locale, code, _code_claim', "4, 'd', 'fr', 'c', 'c'");
    await expect(second).rejects.toThrow();
  });

  it('a value of several entries stops the migration, which continues once it is changed', async () => {
    await insert('articles', 'id, document_id, locale, code', "1, 'a', 'en', 'c'", "2, 'b', 'fr', 'c'");
    await expect(migrateTo(schema(false))).rejects.toThrow('article.code has values that several entries share');
    // MariaDB commits each statement.
    if (dialect !== 'mysql') await expect(read('SELECT _code_claim FROM articles')).rejects.toThrow();
    await opened.database.script("UPDATE articles SET code = 'd' WHERE id = 2");
    await migrateUp(opened.database, await writePlans(folder, history));
    expect(await read('SELECT _code_claim FROM articles ORDER BY id')).toEqual([['c'], ['d']]);
  });
});
