/** Which names are replaced in what the server keeps of entries for later, up and down. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../../test/support/evolving-model.ts';
import { createDatabase, type TestDatabase } from '../../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../../templates/runtime/test-support/runtime-database.ts';
import { planMigration } from '../plan/plan-migration.ts';
import { printSql } from '../sql/print-sql.ts';

const RELATED = 'tags: { type: relation, relation: manyWay, target: tag }';

function schema(types: Readonly<Record<string, string>>, more: string): string {
  const texts = Object.entries(types).map(
    ([uid, option]) => `  ${uid}:\n    draftAndPublish: true\n${option}${more}    attributes: { ${RELATED} }\n`,
  );
  return `schedules: true\ncontentTypes:\n${texts.join('')}  tag: { attributes: { name: { type: string } } }\n`;
}

function planned(text: string, history: readonly MigrationPlan[]): MigrationPlan {
  const { storage, notes } = modelsOf(text);
  const { value, diagnostics } = planMigration({ history, target: storage, notes });
  if (!value) throw new Error(diagnostics[0]?.message ?? 'nothing to do');
  return value;
}

const TRASH = '    trash: 7d\n';
const renamedFrom = (uid: string) => `    renamedFrom: ${uid}\n`;

function statements(script: string): readonly string[] {
  return script.split(/(?<=;)\n/u).filter((text) => /^UPDATE .(?:scheduled|planned|trashed)_/mu.test(text));
}

describe.each(await testedEngines())('records of entries on %s', (dialect) => {
  let made: TestDatabase;
  beforeEach(async () => {
    made = await createDatabase(dialect, 'renamed_records');
  });
  afterEach(() => made.drop());

  it('follow types that swap their names, and back', async () => {
    const first = planned(schema({ event: '', show: '' }, TRASH), []);
    const second = planned(schema({ event: renamedFrom('show'), show: renamedFrom('event') }, TRASH), [first]);
    const { up, down } = printSql(second, dialect);
    await made.script('CREATE TABLE scheduled_publications (id integer, subject varchar(255))');
    await made.script('CREATE TABLE planned_releases (id integer, items text, former text)');
    await made.script('CREATE TABLE trashed_entries (id integer, subject varchar(255), content text)');
    const items = (...types: string[]) => JSON.stringify(types.map((type, id) => ({ type, id })));
    // Only members have these names: texts are left alone.
    const content = (...tables: string[]) =>
      JSON.stringify(tables.map((table) => ({ table, rows: [['event', '"table":"events"', '"type":"event"']] })));
    const insert = (table: string, ...values: readonly string[]) => {
      const texts = values.map((value) => `'${dialect === 'mysql' ? value.replaceAll('\\', '\\\\') : value}'`);
      return made.script(`INSERT INTO ${table} VALUES (${texts.join(', ')})`);
    };
    await insert('scheduled_publications', '1', 'event');
    await insert('scheduled_publications', '2', 'show');
    await insert('planned_releases', '1', items('event', 'show', 'tag'), content('shows'));
    await insert('trashed_entries', '1', 'event', content('events', 'events_published', 'events_tags_links', 'tags'));
    await insert('trashed_entries', '2', 'show', content('shows', 'events'));
    const rows = async () => {
      const found: unknown[] = [];
      for (const table of ['scheduled_publications', 'planned_releases', 'trashed_entries']) {
        found.push(await made.rows(`SELECT * FROM ${table} ORDER BY id`));
      }
      return found;
    };
    const before = await rows();
    for (const text of statements(up)) await made.script(text);
    expect(await rows()).toEqual([
      [
        [1, 'show'],
        [2, 'event'],
      ],
      [[1, items('show', 'event', 'tag'), content('events')]],
      [
        [1, 'show', content('shows', 'shows_published', 'shows_tags_links', 'tags')],
        [2, 'event', content('events', 'shows')],
      ],
    ]);
    for (const text of statements(down)) await made.script(text);
    expect(await rows()).toEqual(before);
  });
});

describe('records of entries', () => {
  it('are only renamed where there are any', () => {
    const first = planned(schema({ event: '' }, ''), []);
    const second = planned(schema({ show: renamedFrom('event') }, ''), [first]);
    const change = second.changes.find(({ kind }) => kind === 'renameRecords');
    expect(change).toMatchObject({
      records: ['scheduled_publications', 'planned_releases'],
      types: [{ from: 'event', to: 'show' }],
    });
    const plain = planned(schema({ event: '' }, '').replace('schedules: true\n', ''), []);
    const renamed = planned(schema({ show: renamedFrom('event') }, '').replace('schedules: true\n', ''), [plain]);
    expect(renamed.changes.map(({ kind }) => kind)).not.toContain('renameRecords');
  });
});
