/** Projects that were made before a built-in table got its newest columns: their next build has a migration for them. */
import { afterEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { contentModel, contentType, scalar } from '../../test/support/content-model.ts';
import { createIfThere, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { builtInTypesOf } from '../model/built-in-types.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { layoutOf } from '../storage/compute-layout.ts';
import type { StorageModel, Table } from '../storage/storage-model.ts';
import { planMigration } from './plan/plan-migration.ts';
import { runSql } from '../../test/support/run-sql.ts';
import { printSql } from './sql/print-sql.ts';
import { splitMigration } from './plan/zero-downtime.ts';

/** By table, what it did not have in version 0.1.0. */
const NEW_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['kept_session'],
  api_tokens: ['user_id'],
};

function today(): StorageModel {
  const types = [contentType('article', [scalar('title', 'string')])];
  const model = contentModel([...types, ...builtInTypesOf(types, { documentIds: false, user: undefined })]);
  return buildStorageModel(model, layoutOf(model));
}

function without(table: Table, names: readonly string[]): Table {
  return {
    ...table,
    columns: table.columns.filter(({ name }) => !names.includes(name)),
    foreignKeys: table.foreignKeys.filter(({ column }) => !names.includes(column)),
    indexes: table.indexes.filter(({ columns }) => !columns.some((column) => names.includes(column))),
  };
}

function atFirst(): StorageModel {
  const storage = today();
  return { ...storage, tables: storage.tables.map((table) => without(table, NEW_COLUMNS[table.name] ?? [])) };
}

function plan(target: StorageModel, history: readonly MigrationPlan[] = []): MigrationPlan {
  const { value, diagnostics } = planMigration({ history, target });
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join('\n') || 'nothing to do');
  return value;
}

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (dialect) => {
  let database: TestDatabase | undefined;
  afterEach(() => database?.drop());

  it('S15, C12: users and API tokens get their new columns, and keep their rows', async ({ skip }) => {
    database = await createIfThere(dialect, 'built_in');
    if (!database) {
      skip();
      return;
    }
    const { script, rows, id, catalogue } = database;
    const first = plan(atFirst());
    const second = plan(today(), [first]);
    await runSql(database, printSql(first, dialect).up);
    const old = await catalogue();
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await script(`
      INSERT INTO ${id('users')} (${['username', 'email', 'created_at', 'updated_at'].map(id).join()})
        VALUES ('ann', 'ann@x.org', ${moment}, ${moment});
      INSERT INTO ${id('api_tokens')} (${['name', 'kind', 'hash', 'created_at'].map(id).join()})
        VALUES ('ci', 'read-only', 'x', ${moment});
      INSERT INTO ${id('api_token_permissions')} VALUES (1, 'article.find');
    `);
    await runSql(database, printSql(second, dialect).up);
    expect(await rows(`SELECT ${id('name')}, ${id('user_id')} FROM ${id('api_tokens')}`)).toEqual([['ci', null]]);
    expect(await rows(`SELECT ${id('username')}, ${id('kept_session')} FROM ${id('users')}`)).toEqual([['ann', null]]);
    await script(`UPDATE ${id('api_tokens')} SET ${id('user_id')} = 1`);
    await script(`DELETE FROM ${id('users')}`);
    expect(await rows(`SELECT 1 FROM ${id('api_tokens')}`)).toEqual([]);
    expect(await rows(`SELECT 1 FROM ${id('api_token_permissions')}`)).toEqual([]);
    await runSql(database, printSql(second, dialect).down);
    expect(await catalogue()).toEqual(old);
  });
});

it('S15, C12: servers of the version before stay at work meanwhile', () => {
  const first = plan(atFirst());
  const notes = { renames: [], places: new Map() };
  const { value, diagnostics } = splitMigration(plan(today(), [first]), [first], notes);
  expect(diagnostics).toEqual([]);
  expect(value).toHaveLength(1);
});
