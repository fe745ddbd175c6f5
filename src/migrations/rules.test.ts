/** Rules of permissions in the database: no migration lets a permission reach more than before. */
import { afterEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { contentModel, contentType, scalar } from '../../test/support/content-model.ts';
import { runSql } from '../../test/support/run-sql.ts';
import { createDatabase, isWanted, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { builtInTypesOf } from '../model/built-in-types.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { layoutOf } from '../storage/compute-layout.ts';
import type { StorageModel } from '../storage/storage-model.ts';
import { planMigration } from './plan/plan-migration.ts';
import { printSql } from './sql/print-sql.ts';

const CONSENT = 'permissions.rules';

function storage(hasRules: boolean): StorageModel {
  const types = [contentType('article', [scalar('title', 'string')])];
  const model = contentModel([...types, ...builtInTypesOf(types, { documentIds: false, user: undefined })]);
  const rules = { 'article.find': { where: { title: 'a' } } };
  const role = { role: 'public', permissions: ['article.find'], ...(hasRules && { rules }) };
  return buildStorageModel({ ...model, roles: [role] }, layoutOf(model));
}

function plan(hasRules: boolean, history: readonly MigrationPlan[], allowed: readonly string[] = []): MigrationPlan {
  const { value, diagnostics } = planMigration({ history, target: storage(hasRules), allowed });
  return value ?? expect.fail(diagnostics.map(({ message }) => message).join('\n'));
}

it('permissions with rules are deleted only with consent', () => {
  const first = plan(true, []);
  const { value, diagnostics } = planMigration({ history: [first], target: storage(false) });
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(['migrations/drops-rules']);
  expect(plan(false, [first], [CONSENT]).changes.map(({ kind }) => kind)).toEqual(['deleteRows', 'dropColumn']);
});

describe.each((['sqlite', 'postgres', 'mysql'] as const).filter(isWanted))('on %s', (dialect) => {
  let database: TestDatabase | undefined;
  afterEach(() => database?.drop());

  it('permissions with rules go with their rules, on the way up and down', async () => {
    database = await createDatabase(dialect, 'rules');
    const { script, rows, id, catalogue } = database;
    const first = plan(false, []);
    const second = plan(true, [first]);
    const third = plan(false, [first, second], [CONSENT]);
    const table = id('user_role_permissions');
    const insertRuled = `INSERT INTO ${table} (role_id, action, ${id('rule')}) VALUES (1, 'article.update', '{}')`;
    const actions = () => rows(`SELECT action FROM ${table} ORDER BY action`);
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await runSql(database, printSql(first, dialect).up);
    const columns = ['id', 'name', 'type', 'created_at', 'updated_at'].map(id).join();
    await script(`INSERT INTO ${id('user_roles')} (${columns}) VALUES (1, 'Public', 'public', ${moment}, ${moment})`);
    await script(`INSERT INTO ${table} (role_id, action) VALUES (1, 'article.find')`);
    const old = await catalogue();

    await runSql(database, printSql(second, dialect).up);
    await script(insertRuled);
    await runSql(database, printSql(third, dialect).up);
    expect(await actions()).toEqual([['article.find']]);
    expect(await catalogue()).toEqual(old);

    await runSql(database, printSql(third, dialect).down);
    await script(insertRuled);
    await runSql(database, printSql(second, dialect).down);
    expect(await actions()).toEqual([['article.find']]);
    expect(await catalogue()).toEqual(old);
  });
});
