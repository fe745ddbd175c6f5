/** `search` of the schema: the same words find the same entries on each engine, whatever happens to the entries and the schema. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { databaseFile } from '../src/emit/database/database-file.ts';
import { planMigration } from '../src/migrations/plan/plan-migration.ts';
import { printSql } from '../src/migrations/sql/print-sql.ts';
import { defaultApiSettings } from '../templates/runtime/src/contract/api-settings.ts';
import type { ContentTypes } from '../templates/runtime/src/contract/content-type.ts';
import type { Caller } from '../templates/runtime/src/contract/policy/caller.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { parseQuery } from '../templates/runtime/src/query/parse-query-string.ts';
import { createReader } from '../templates/runtime/src/query/reader.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { type Models, modelsOf } from './support/evolving-model.ts';

const attributes = { title: { type: 'string' }, body: { type: 'richtext' }, rank: { type: 'string' } };

function schemaWith(article: object): Models {
  return modelsOf({
    name: 'search',
    databases: ['sqlite', 'postgres', 'mysql'],
    contentTypes: { article: { attributes, ...article } },
  });
}

const WITHOUT = schemaWith({});
const SEARCHED = schemaWith({ search: ['title^3', 'body', 'rank'] });
const { title, ...others } = attributes;
const RENAMED = schemaWith({
  attributes: { headline: { ...title, renamedFrom: 'title' }, ...others },
  tableName: 'stories',
  search: ['headline', 'body'],
});

const ENTRIES: readonly (readonly [title: string | null, body: string | null])[] = [
  ['Hello World', 'The quick brown fox'],
  ['ÜBER die Straße', "this is it: don't stop foo-bar, snake_case u.s.a mail@example.org"],
  [null, 'Nothing but a body about foxes and 42 things'],
  ['Worldwide', null],
  ['C++ and 3.14', '“Quoted” – dashes… and https://example.org/path?x=1'],
  ['Ελλάδα и Москва', '日本語 の 本'],
  ['', ''],
  ['AND OR NOT NEAR', 'title:world "quotes" * ^ ( ) + - ~ < > @ | & ! \\'],
];

/** What is searched for, and the entries that have it. */
const FOUND: readonly (readonly [words: string, ids: readonly number[]])[] = [
  ['world', [1, 4, 8]],
  ['WORLD', [1, 4, 8]],
  ['fox', [1, 3]],
  ['quick fox', [1]],
  ['fox world', [1]],
  ['übe', [2]],
  ['strasse', []],
  ['straße', [2]],
  ['this', [2]],
  ['the', [1]],
  ['foo-bar', [2]],
  ['bar', [2]],
  ['case', [2]],
  ['example', [2, 5]],
  ['mail@example.org', [2]],
  ['quoted', [5]],
  ['dashes', [5]],
  ['path', [5]],
  ['μοσ', []],
  ['Моск', [6]],
  ['ελλάδα', [6]],
  ['日本語', [6]],
  ['orld', []],
  ['absent', []],
  ['fox absent', []],
  ['near', [8]],
  ['not and near', [8]],
  ['quotes', [8]],
  ['title:world', [8]],
  ['"world"', [1, 4, 8]],
  ['wor* | fox', [1]],
  ["'); DROP TABLE articles; --", []],
  ['+world -hello', [1]],
  ['%%%', []],
  ['!', []],
];

function plan(models: Models, history: readonly MigrationPlan[], allowed: readonly string[] = []): MigrationPlan {
  const { value, diagnostics } = planMigration({ history, target: models.storage, notes: models.notes, allowed });
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join('\n') || 'nothing to do');
  return value;
}

const caller: Caller = { kind: 'public', role: 'public', permissions: new Set(['article.find']) };

describe.each(await testedEngines())('on %s', (dialect) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let database: TestDatabase;
  let server: Database;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const path = join(folder.path, 'search.db');
    database = dialect === 'sqlite' ? await sqliteDatabase(path) : await createDatabase(dialect, 'search');
    server = await openDatabase(database.url);
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
    await folder.remove();
  });

  async function find({ model, layout }: Models, query: string): Promise<number[]> {
    const types = databaseFile(model, layout).input as unknown as ContentTypes;
    // What another connection has written is seen in the next round of the event loop.
    await nextRound();
    const reader = createReader({ database: server, types, api: defaultApiSettings });
    const { article } = types.types;
    const answer = await reader.list(article!, { caller, query: parseQuery(query) });
    return answer.entries().map((entry: any) => entry.id as number);
  }

  const asked = (words: string) => `_q=${encodeURIComponent(words)}`;
  const text = (value: string | null) =>
    value === null ? 'NULL' : `'${value.replaceAll("'", "''").replaceAll('\\', dialect === 'mysql' ? '\\\\' : '\\')}'`;

  it('finds the same words, in entries from before the index and after it', async () => {
    const { script, id, catalogue } = database;
    const first = plan(WITHOUT, []);
    const second = plan(SEARCHED, [first]);
    const third = plan(RENAMED, [first, second]);
    await script(printSql(first, dialect).up);
    const built = await catalogue();
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    const insert = (rows: typeof ENTRIES) =>
      script(
        `INSERT INTO ${id('articles')} (${['title', 'body', 'created_at', 'updated_at'].map(id).join(', ')}) VALUES ${rows
          .map(([own, body]) => `(${text(own)}, ${text(body)}, ${moment}, ${moment})`)
          .join(', ')}`,
      );
    await insert(ENTRIES.slice(0, 4));
    await script(printSql(second, dialect).up);
    await insert(ENTRIES.slice(4));
    for (const [words, ids] of FOUND) expect([words, await find(SEARCHED, asked(words))]).toStrictEqual([words, ids]);

    await script(`UPDATE ${id('articles')} SET ${id('title')} = 'Changed' WHERE ${id('id')} = 1`);
    await script(`DELETE FROM ${id('articles')} WHERE ${id('id')} = 4`);
    await script(`UPDATE ${id('articles')} SET ${id('updated_at')} = ${moment}`);
    expect(await find(SEARCHED, asked('world'))).toStrictEqual([8]);
    expect(await find(SEARCHED, asked('chang'))).toStrictEqual([1]);
    expect(await find(SEARCHED, `${asked('example')}&sort=title:desc`)).toStrictEqual([2, 5]);

    const searched = await catalogue();
    await script(printSql(third, dialect).up);
    expect(await find(RENAMED, asked('chang'))).toStrictEqual([1]);
    expect(await find(RENAMED, asked('fox'))).toStrictEqual([1, 3]);
    await script(printSql(third, dialect).down);
    expect(await catalogue()).toStrictEqual(searched);
    expect(await find(SEARCHED, asked('chang'))).toStrictEqual([1]);
    await script(printSql(second, dialect).down);
    expect(await catalogue()).toStrictEqual(built);
    await script(printSql(first, dialect).down);
  });

  it('refuses more words than a search has, and is counted and paged', async () => {
    const all = plan(SEARCHED, []);
    await database.script(printSql(all, dialect).up);
    await expect(
      find(SEARCHED, asked(Array.from({ length: 17 }, (_, index) => `w${index}`).join(' '))),
    ).rejects.toThrow('must have at most 16 words');
    await expect(find(SEARCHED, asked('x'.repeat(101)))).rejects.toThrow('words of at most 100 characters');
    expect(await find(SEARCHED, `${asked('world')}&pagination[after]=`)).toStrictEqual([]);
    await database.script(printSql(all, dialect).down);
  });
});
