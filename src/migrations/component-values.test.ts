/** Attributes of components that are new or become required: existing items get the default, or the change is refused. */
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
import { planMigration } from './plan/plan-migration.ts';
import { splitMigration } from './plan/zero-downtime.ts';

/** A localized type with drafts, and items of the component in every kind of place. */
const schema = (own: string, { drafts = true } = {}): string => `
locales: [en, fr]
components:
  shared.part: { attributes: { label: { type: string }${own} } }
  shared.whole: { attributes: { part: { type: component, component: shared.part } } }
contentTypes:
  article:
    localized: true
    draftAndPublish: ${drafts}
    attributes:
      part: { type: component, component: shared.part }
      parts: { type: component, component: shared.part, repeatable: true }
      whole: { type: component, component: shared.whole }
      wholes: { type: component, component: shared.whole, repeatable: true }
      zone: { type: dynamiczone, components: [shared.part, shared.whole] }
`;
const COLUMNS = ['part', 'parts', 'whole', 'wholes', 'zone'] as const;

type Item = Readonly<Record<string, unknown>>;

/** The items of a row: `of` are the members of each, by its id. */
function itemsWith(of: (id: number) => Item): readonly unknown[] {
  const part = (id: number): Item => ({ id, ...of(id) });
  return [
    part(1),
    [part(2), part(3)],
    { id: 4, part: part(5) },
    [{ id: 6, part: part(7) }, { id: 8 }],
    [
      { __component: 'shared.part', ...part(9) },
      { __component: 'shared.whole', id: 10, part: part(11) },
    ],
  ];
}

/** The defaults of every stored form, as written in the schema and as stored in items. */
const DEFAULTS: readonly (readonly [type: string, written: string, stored: unknown])[] = [
  ['string', `"CASE it's ( FROM \\\\"`, "CASE it's ( FROM \\"],
  ['string', `"it's \\\\ “new”"`, "it's \\ “new”"],
  ['integer', '7', 7],
  ['float', '0.25', 0.25],
  ['boolean', 'true', true],
  ['biginteger', "'90071992547409931'", '90071992547409931'],
  ['decimal', '1.50', '1.5'],
  ['time', "'12:30:00'", '12:30:00.000'],
  ['date', "'2001-02-03'", '2001-02-03'],
  ['datetime', "'2024-01-02T03:04:05.000Z'", '2024-01-02T03:04:05.000Z'],
  ['enumeration, enum: [a, b]', 'b', 'b'],
  ['json', '{ deep: [1, null] }', { deep: [1, null] }],
];

describe.each(await testedEngines())('values inside components on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  let history: MigrationPlan[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'component_values');
    history = [];
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  let directory: string;
  async function evolve(text: string, ...allowed: readonly string[]): Promise<MigrationPlan> {
    const plan = nextPlan(modelsOf(text), history, allowed);
    history.push(plan);
    directory = await writePlans(join(folder, plan.name), history);
    await migrateUp(opened.database, directory);
    return plan;
  }
  const down = (): Promise<unknown> => migrate(opened.database, { directory, dialect, keepsContent: true }, 'down');
  const id = (name: string): string => opened.database.dialect.id(name).text;
  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";

  async function insert(row: number, published: boolean, values: readonly unknown[]): Promise<void> {
    const names = ['id', 'document_id', 'locale', 'created_at', 'updated_at', 'published_at', ...COLUMNS];
    const texts = values.map((value) =>
      value === null ? 'NULL' : opened.database.dialect.text(JSON.stringify(value)).text,
    );
    const own = [row, `'d${row}'`, "'en'", moment, moment, published ? moment : 'NULL', ...texts];
    await opened.database.script(
      `INSERT INTO ${id('articles')} (${names.map(id).join(', ')}) VALUES (${own.join(', ')})`,
    );
  }
  async function read(row: number): Promise<readonly unknown[]> {
    const found = await opened.database.get(
      raw(`SELECT ${COLUMNS.map(id).join(', ')} FROM articles WHERE id = ${row}`),
    );
    return COLUMNS.map((name) => {
      const value = found?.[name];
      return typeof value === 'string' ? JSON.parse(value) : (value ?? null);
    });
  }

  it('gives existing items the default of a new attribute, and keeps it when that is undone', async () => {
    await evolve(schema(''));
    await insert(
      1,
      true,
      itemsWith((item) => ({ label: `it's ${item}` })),
    );
    await insert(
      2,
      false,
      itemsWith(() => ({})),
    );
    await insert(3, true, [null, [], null, [], []]);
    const added = DEFAULTS.map(([type, written], index) => `, own${index}: { type: ${type}, default: ${written} }`);
    await evolve(schema(added.join('')));
    const given = Object.fromEntries(DEFAULTS.map(([, , stored], index) => [`own${index}`, stored]));
    const full = itemsWith((item) => ({ label: `it's ${item}`, ...given }));
    expect(await read(1)).toStrictEqual(full);
    expect(await read(2)).toStrictEqual(itemsWith(() => given));
    expect(await read(3)).toStrictEqual([null, [], null, [], []]);
    await down();
    expect(await read(1)).toStrictEqual(full);
    await opened.database.script(
      `UPDATE articles SET part = ${opened.database.dialect.text('{"id":1,"own1":8}').text} WHERE id = 1`,
    );
    await migrateUp(opened.database, directory);
    expect((await read(1))[0]).toStrictEqual({ id: 1, ...given, own1: 8 });
  });

  it('gives the default to items without a value of an attribute that becomes required, renamed or replaced', async () => {
    const members = (item: number): Item => (item % 2 === 0 ? { rank: item, note: 'x' } : { rank: null });
    await evolve(schema(', rank: { type: integer }, note: { type: string }'));
    await insert(1, true, itemsWith(members));
    const required = 'type: integer, required: true, default';
    const changed = schema(`, place: { ${required}: 5, renamedFrom: rank }, note: { ${required}: 9 }`);
    await evolve(changed, 'shared.part.note');
    expect(await read(1)).toStrictEqual(itemsWith((item) => ({ place: item % 2 === 0 ? item : 5, note: 9 })));
    await down();
    expect((await read(1))[0]).toMatchObject({ id: 1, rank: 5 });
  });

  it('refuses a required attribute without a default, with consent only while there is an item', async () => {
    await evolve(schema(', rank: { type: integer }'));
    const required = schema(', rank: { type: integer, required: true }, size: { type: integer, required: true }');
    expect(() => nextPlan(modelsOf(required), history, [])).toThrow(
      "'shared.part.size' is new and required, but existing items of published entries of the component would have no value for it\n" +
        "'shared.part.rank' becomes required, but existing items of published entries of the component may have no value for it",
    );
    const allowed = ['shared.part.rank', 'shared.part.size'];
    const ranked = itemsWith((item) => ({ rank: item }));
    await insert(
      1,
      false,
      itemsWith(() => ({})),
    );
    await insert(2, true, [
      null,
      null,
      null,
      [
        { id: 1, part: { id: 2, rank: 1 } },
        { id: 8, part: { id: 3 } },
      ],
      null,
    ]);
    const failure = await evolve(required, ...allowed).catch(String);
    expect(failure).toContain('shared.part.size is required, but published items have no value');
    history.pop();
    const rank = schema(', rank: { type: integer, required: true }');
    const missing = String(await evolve(rank, 'shared.part.rank').catch(String));
    expect(missing).toContain('shared.part.rank is required, but published items have no value. Correct these rows');
    const listed = await opened.database.all(
      raw(/To list them: (?<query>.*);$/su.exec(missing)?.groups?.['query'] ?? ''),
    );
    expect(listed.map((row) => [row['entries'], Number(row['id'])])).toStrictEqual([['articles', 2]]);
    await opened.database.script('DELETE FROM articles WHERE id = 2');
    await insert(3, true, ranked);
    await migrateUp(opened.database, directory);
    expect(await read(3)).toStrictEqual(ranked);
    expect(nextPlanOrNull(rank)).toBeNull();
  });

  const nextPlanOrNull = (text: string): MigrationPlan | null | undefined => {
    const { storage, notes } = modelsOf(text);
    return planMigration({ history, target: storage, notes }).value;
  };

  it('exchanges values of an enumeration once, in entries and components, and back', async () => {
    const withStatus = (rest: string): string => {
      const status = `status: { type: enumeration, enum: [up, down, new]${rest} }`;
      return schema(`, ${status}`).replace('      part: {', `      ${status}\n      part: {`);
    };
    const exchange = ', enumFrom: { up: down, down: up }';
    const statusOf = (item: number): Item => ({ status: ['up', 'down', 'new'][item % 3] });
    const other = (item: number): Item => ({ status: ['down', 'up', 'new'][item % 3] });
    const statuses = async (): Promise<unknown> =>
      (await opened.database.all(raw('SELECT status FROM articles ORDER BY id'))).map(({ status }) => status);
    await evolve(withStatus(''));
    for (const row of [1, 2, 3]) await insert(row, true, itemsWith(statusOf));
    for (const row of [1, 2, 3]) {
      await opened.database.script(
        `UPDATE articles SET status = '${String(statusOf(row)['status'])}' WHERE id = ${row}`,
      );
    }
    const before = [await statuses(), await read(1)];
    await evolve(withStatus(exchange));
    const after = [await statuses(), await read(1)];
    expect(after).toStrictEqual([['up', 'new', 'down'], itemsWith(other)]);
    expect(nextPlanOrNull(withStatus(exchange))).toBeNull();
    await down();
    expect([await statuses(), await read(1)]).toStrictEqual(before);
    await migrateUp(opened.database, directory);
    expect([await statuses(), await read(1)]).toStrictEqual(after);

    // Once it was removed from the schema, it is a new exchange.
    await evolve(withStatus(''));
    expect([await statuses(), await read(1)]).toStrictEqual(after);
    await evolve(withStatus(exchange));
    expect([await statuses(), await read(1)]).toStrictEqual(before);
  });

  it('fills items again after servers of the previous version have stopped', async () => {
    await evolve(schema(''));
    const models = modelsOf(
      schema(', rank: { type: integer, required: true, default: 5 }, hint: { type: string, default: x }'),
    );
    const parts = splitMigration(nextPlan(models, history, []), history, models.notes).value ?? [];
    expect(parts.map(({ part }) => part)).toStrictEqual(['expand', 'contract']);
    await insert(
      1,
      true,
      itemsWith(() => ({})),
    );
    history.push(...parts);
    directory = await writePlans(folder, history);
    const expand = parts[0]?.name ?? '';
    await migrate(opened.database, { directory, dialect, to: expand }, 'up');
    await insert(
      2,
      true,
      itemsWith(() => ({})),
    );
    expect(await read(1)).toStrictEqual(itemsWith(() => ({ rank: 5, hint: 'x' })));
    await migrate(opened.database, { directory, dialect, contract: true }, 'up');
    expect(await read(2)).toStrictEqual(itemsWith(() => ({ rank: 5 })));
  });
});

describe('histories that do not say which attributes of components are required', () => {
  const text = schema(', rank: { type: integer, required: true }');
  const old = (plan: MigrationPlan): MigrationPlan => JSON.parse(JSON.stringify(plan, (key, value) => (key === 'required' ? undefined : value))); // prettier-ignore

  it('need no migration, and the next one records it', () => {
    const first = old(nextPlan(modelsOf(text), [], []));
    const { storage, notes } = modelsOf(text);
    expect(planMigration({ history: [first], target: storage, notes }).value).toBeNull();
    const next = nextPlan(
      modelsOf(text.replace('localized: true', 'localized: true\n    pluralName: posts')),
      [first],
      [],
    );
    expect(JSON.stringify(next)).toContain('"required":true');
    expect(() => nextPlan(modelsOf(text.replace('label: {', 'label: { required: true,')), [first, next], [])).toThrow(
      "'shared.part.label' becomes required",
    );
  });
});
