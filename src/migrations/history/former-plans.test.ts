/** Plans that earlier versions wrote mean the same today. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePlans, type RecordedPlan } from '#contract/migrations/former-plans.ts';
import { describe, expect, it } from 'vitest';
import { contentModel, richModel } from '../../../test/support/content-model.ts';
import { readBack } from '../../../test/support/written-migrations.ts';
import { buildContentModel } from '../../model/build-content-model.ts';
import { loadSources } from '../../schema/load-sources.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { buildStorageModel } from '../../storage/build-storage-model.ts';
import { layoutOf } from '../../storage/compute-layout.ts';
import type { StorageModel } from '../../storage/storage-model.ts';
import { planMigration } from '../plan/plan-migration.ts';
import { foldHistory } from './fold.ts';
import { planFormat } from './plan-format.ts';

const HISTORIES = 'test/histories';
/** Tables of every server that these versions did not have. */
const LATER_TABLES: ReadonlySet<string> = new Set(['idempotency_keys']);

/** What gives published versions tables of their own, and leaves drafts where all entries were. */
const OF_PUBLISHED: ReadonlySet<string> = new Set(['createTable', 'copyRows', 'createIndex', 'dropIndex']);

function recordedPlans(history: string): readonly RecordedPlan[] {
  const folder = join(HISTORIES, history, 'migrations');
  const names = readdirSync(folder).filter((name) => /^\d{4}_/u.test(name));
  return names.sort().map((name): RecordedPlan => JSON.parse(readFileSync(join(folder, name, 'plan.json'), 'utf8')));
}

async function storageOf(history: string) {
  const sources = await loadSources([join(HISTORIES, history, 'schema.yaml')], process.cwd());
  const model = buildContentModel(readSchema(sources.value ?? []).value!).value!;
  const { tables, ...storage } = buildStorageModel(model, layoutOf(model));
  return { ...storage, tables: tables.filter(({ name }) => !LATER_TABLES.has(name)) };
}

describe.each([['before-versions'], ['version-0.2'], ['every-relation']])('the plans of %s, in format 2', (history) => {
  const recorded = recordedPlans(history);
  const plans = decodePlans(recorded);

  it('are valid plans of the present format, which know every column', () => {
    expect(new Set(recorded.map((plan) => plan.format))).toStrictEqual(new Set([2]));
    for (const plan of plans) expect(planFormat.parse(plan)).toStrictEqual(plan);
    const { tables } = foldHistory(plans);
    expect(tables.filter((table) => table.kind === 'server' && table.role === 'other')).toStrictEqual([]);
    const columns = tables.filter(({ kind }) => kind !== 'server').flatMap((table) => table.columns);
    expect(columns.filter(({ role }) => role === 'other')).toStrictEqual([]);
  });

  it.skipIf(history === 'before-versions')('lead to their schema, to the letter', async () => {
    const target = await storageOf(history);
    const published = planMigration({ history: plans, target }).value;
    const kinds = new Set(published?.changes.map(({ kind }) => kind));
    expect([...kinds].filter((kind) => !OF_PUBLISHED.has(kind))).toStrictEqual([]);
    const now = published ? [...plans, published] : plans;
    expect(planMigration({ history: now, target }).value).toBeNull();
    // In the same order of members, so that builds need no closer look.
    const first = (tables: StorageModel['tables']): readonly string[] =>
      tables.map((table) => JSON.stringify(table)).sort();
    const created = plans.length === 1 ? target.tables : [];
    expect(first(foldHistory(now).tables)).toStrictEqual(expect.arrayContaining([...first(created)]));
  });
});

it.each([
  ['a model of all kinds of tables', richModel()],
  ['an empty model', contentModel([])],
])('%s is the same when its plan is read back', (_, model) => {
  const storage = buildStorageModel(model, layoutOf(model));
  const { value } = planMigration({ history: [], target: storage });
  const plans = value ? [value] : [];
  const read = readBack([], plans);
  expect(read).toStrictEqual(plans);
  // The order of members counts: two models that print the same need no closer look.
  expect(JSON.stringify(foldHistory(read).tables)).toBe(JSON.stringify(foldHistory(plans).tables));
});

it('plans of format 1 are known not to say which values are required', () => {
  const changes = [{ kind: 'keepInStep', table: 'a', primaryKey: ['id'], columns: [{ from: 'b', to: 'c' }] }];
  const [first, second] = decodePlans([
    { format: 1, name: '0001_a', changes },
    { format: 2, name: '0002_b', changes },
  ]);
  expect(first).toStrictEqual({
    ...second,
    name: '0001_a',
    withoutRules: true,
    changes: [{ ...changes[0], kind: 'createSyncTriggers' }],
  });
});
