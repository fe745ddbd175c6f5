/** Plans that were written before are read for what they are, and would be written the same again. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentModel, richModel } from '../../../test/support/content-model.ts';
import { buildStorageModel } from '../../storage/build-storage-model.ts';
import { layoutOf } from '../../storage/compute-layout.ts';
import { printCompactJson } from '../../files/print-compact-json.ts';
import { foldHistory } from './fold.ts';
import { decodePlans, encodePlan, type RecordedPlan } from './plan-codec.ts';
import { planMigration } from '../plan/plan-migration.ts';

const paths = readdirSync('fixtures', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('/plan.json'))
  .map((path) => join('fixtures', path))
  .sort();
const folders = [...new Set(paths.map((path) => dirname(dirname(path))))];

describe.each(folders)('the plans in %s', (folder) => {
  const texts = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => readFileSync(path, 'utf8'));
  const plans = decodePlans(texts.map((text): RecordedPlan => JSON.parse(text)));

  it('are written again to the letter', () => {
    expect(plans.map((plan) => printCompactJson(encodePlan(plan)))).toStrictEqual(texts);
  });

  it('know every table and column', () => {
    const { tables } = foldHistory(plans);
    const columns = tables.filter(({ kind }) => kind !== 'server').flatMap((table) => table.columns);
    expect(columns.filter(({ role }) => role === 'other')).toStrictEqual([]);
  });
});

it.each([
  ['a model of all kinds of tables', richModel()],
  ['an empty model', contentModel([])],
])('%s is the same when its plan is read back', (_, model) => {
  const storage = buildStorageModel(model, layoutOf(model));
  const { value } = planMigration({ history: [], target: storage });
  const plans = value ? [value] : [];
  const read = decodePlans(plans.map((plan): RecordedPlan => JSON.parse(JSON.stringify(encodePlan(plan)))));
  expect(read).toStrictEqual(plans);
  // The order of members counts: two models that print the same need no closer look.
  expect(JSON.stringify(foldHistory(read).tables)).toBe(JSON.stringify(foldHistory(plans).tables));
});
