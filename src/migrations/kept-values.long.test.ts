/** No value is changed by a conversion that can't hold it: on every engine the migration stops, and says which rows to look at. */
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
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { planMigration } from './plan/plan-migration.ts';

/** A type, one that holds all of its values, and values of the latter: those of the first type, and others. */
const CONVERSIONS: readonly (readonly [narrow: string, wide: string, kept: string, others: readonly string[]])[] = [
  [
    'integer',
    'text',
    "'-12'",
    ["'hello'", "'12abc'", "'99999999999'", "'1.5'", "'1e3'", "'007'", "'+5'", "' 12'", "'12\n'", "'١٢'", "''"],
  ],
  ['integer', 'string', "'2147483647'", ["'2147483648'", "'1.5'", "'0x1F'"]],
  ['biginteger', 'text', "'9223372036854775807'", ["'9223372036854775808'", "''", "'1.5'", "'-0'"]],
  ['float', 'text', "'0.25'", ["'1.5x'", "'inf'", "'NaN'", "'0x1F'", "'.5'", "'12 '", "'1e400'", "'12\n'"]],
  ['decimal', 'text', "'1.5'", ["'one'", "'infinity'", "'1e3'", "'5.'", "'12\n'", "'007'"]],
  ['boolean', 'text', "'true'", ["'maybe'", "'yes'", "'TRUE'", "'1'", "''"]],
  ['date', 'text', "'2024-02-29'", ["'2024-02-30'", "'today'", "'20240229'", "'2024-2-9'", "'2024-02-29T10:00'", "''"]],
  [
    'time',
    'text',
    "'10:20:30.456'",
    ["'25:00:00.000'", "'now'", "'10:20:30.000 PM'", "'10:20:30.000+05'", "'10:20:30.4567'", "'102030'"],
  ],
  [
    'datetime',
    'text',
    "'2000-02-29T10:20:30.456Z'",
    ["'1900-02-29T10:20:30.456Z'", "'2024-02-29T10:20:30.456+02:00'", "'2024-02-29T24:00:00.000Z'", "'2024-02-29'"],
  ],
  ['integer', 'biginteger', '2147483647', ['2147483648']],
  ['integer', 'decimal', '7', ['1.5', '2147483648']],
  ['biginteger', 'decimal', '7', ['1.5', '9223372036854775808']],
  ['integer', 'float', '7', ['0.25', '2147483648']],
  ['boolean', 'integer', '1', ['2']],
  ['date', 'datetime', "'2024-02-29T00:00:00.000Z'", ["'2024-02-29T10:00:00.000Z'"]],
];

const schema = (type: string): string =>
  `contentTypes:\n  article:\n    attributes:\n      title: { type: string }\n      value: { type: ${type} }`;

describe.each(await testedEngines())('values on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'kept_values');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(CONVERSIONS)(
    'E09: of %s that became %s are not changed when that is undone',
    async (narrow, wide, kept, others) => {
      const { database } = opened;
      const history: MigrationPlan[] = [];
      for (const type of [narrow, wide]) history.push(nextPlan(modelsOf(schema(type)), history, []));
      const directory = await writePlans(folder, history);
      expect(await migrateUp(database, directory)).toHaveLength(2);
      const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
      const id = (name: string): string => database.dialect.id(name).text;
      await database.script(
        `INSERT INTO ${id('articles')} (${id('created_at')}, ${id('updated_at')}) VALUES (${moment}, ${moment})`,
      );
      const put = async (value: string): Promise<void> => {
        const text = dialect === 'mysql' && wide === 'datetime' ? value.replace(/T(\d\d:.*)Z/u, ' $1') : value;
        const own = dialect === 'sqlite' && wide === 'decimal' ? `'${text}'` : text;
        await database.script(`UPDATE ${id('articles')} SET ${id('value')} = ${own}`);
      };
      const read = async (): Promise<unknown> =>
        (await database.get(raw(`SELECT ${id('value')} FROM ${id('articles')}`)))?.['value'];
      for (const other of others) {
        await put(other);
        const before = await read();
        const failure = await migrate(database, { directory, dialect }, 'down').then(() => 'undone', String);
        expect(failure, other).toMatch(/0002_change_article_value_\w+ failed/u);
        expect(await read(), other).toStrictEqual(before);
        const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'];
        expect(failure).toContain(`article.value has non-${narrow} values`);
        expect(await database.all(raw(query ?? ''))).toHaveLength(1);
      }
      await put(kept);
      const before = await read();
      expect((await migrate(database, { directory, dialect }, 'down')).changed).toHaveLength(1);
      expect(await migrateUp(database, directory)).toHaveLength(1);
      expect(await read()).toStrictEqual(before);
    },
  );

  const times = (): string => {
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    return `${moment}, ${moment}`;
  };
  const id = (name: string): string => opened.database.dialect.id(name).text;
  const names = (...list: readonly string[]): string => list.map(id).join(', ');

  it('E07, N07: what a type with drafts and locales comes to require is asked for, or given to what is published', async () => {
    const { database } = opened;
    const typed = (attributes: string, type = 'draftAndPublish: true'): string =>
      `locales: [en, fr]\ncontentTypes:\n  article:\n    ${type}\n    attributes:\n      title: { type: string }\n      ${attributes}`;
    const first = nextPlan(modelsOf(typed('rank: { type: integer }')), [], []);
    const refused = (attributes: string, type?: string) => {
      const { storage, notes } = modelsOf(typed(attributes, type));
      const { value, diagnostics } = planMigration({ history: [first], target: storage, notes });
      return [value, ...diagnostics.map(({ code, hint }) => `${code} ${hint}`)];
    };
    for (const [attributes, code] of [
      ['rank: { type: integer, required: true }', 'migrations/requires'],
      ['rank: { type: integer }\n      level: { type: integer, required: true }', 'migrations/lacks-value'],
    ] as const) {
      expect(refused(attributes)).toStrictEqual([undefined, expect.stringContaining(code)]);
      expect(refused(attributes)[1]).toContain('"published_at" IS NOT NULL');
    }

    const second = nextPlan(
      modelsOf(
        typed(
          'rank: { type: integer, required: true, default: 7 }\n      level: { type: integer, required: true, default: 3 }',
        ),
      ),
      [first],
      [],
    );
    expect(
      nextPlanOrNull(
        typed(
          'rank: { type: integer, required: true, default: 7 }\n      level: { type: integer, required: true, default: 3 }',
        ),
        [first, second],
      ),
    ).toBeNull();
    const directory = await writePlans(folder, [first]);
    await migrateUp(database, directory);
    const published = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await database.script(
      `INSERT INTO ${id('articles')} (${names('title', 'published_at', 'created_at', 'updated_at')}) VALUES ('a', ${published}, ${times()}), ('b', NULL, ${times()})`,
    );
    await migrateUp(database, await writePlans(folder, [first, second]));
    const rows = await database.all(
      raw(`SELECT ${names('rank', 'level')} FROM ${id('articles')} ORDER BY ${id('title')}`),
    );
    expect(rows.map((row) => [row['rank'], row['level']])).toStrictEqual([
      [7, 3],
      [null, 3],
    ]);
    // No longer required, and required again: what was written meanwhile is asked for.
    const third = nextPlan(
      modelsOf(typed('rank: { type: integer, default: 7 }\n      level: { type: integer }')),
      [first, second],
      [],
    );
    const { storage, notes } = modelsOf(
      typed('rank: { type: integer, default: 7 }\n      level: { type: integer, required: true }'),
    );
    const again = planMigration({ history: [first, second, third], target: storage, notes });
    expect(again.diagnostics.map(({ code }) => code)).toStrictEqual(['migrations/requires']);
  });

  it('E10: an enumeration loses a value only when no entry has it, or when it is said what that becomes', async () => {
    const { database } = opened;
    const typed = (status: string): string =>
      `contentTypes:\n  article:\n    attributes:\n      title: { type: string }\n      status: { ${status} }`;
    const history: MigrationPlan[] = [nextPlan(modelsOf(typed('type: string')), [], [])];
    const migrated = async (): Promise<string> =>
      migrateUp(database, await writePlans(folder, history)).then((done) => done.join(), String);
    await migrated();
    await database.script(
      `INSERT INTO ${id('articles')} (${names('title', 'status', 'created_at', 'updated_at')}) VALUES ('a', 'idea', ${times()}), ('b', 'it''s', ${times()}), ('c', NULL, ${times()})`,
    );
    const statuses = async (): Promise<readonly unknown[]> =>
      (await database.all(raw(`SELECT ${id('status')} FROM ${id('articles')} ORDER BY ${id('title')}`))).map(
        (row) => row['status'],
      );

    // From text: the build asks, and the migration stops while there is another value.
    const toEnum = modelsOf(typed('type: enumeration, enum: [ready, idea]'));
    const { diagnostics } = planMigration({ history, target: toEnum.storage, notes: toEnum.notes });
    expect(diagnostics.map(({ code }) => code)).toStrictEqual(['migrations/narrows']);
    expect(diagnostics[0]?.hint).toMatch(
      /SELECT "status", count\(\*\) FROM "articles" WHERE "status" NOT IN \('idea', 'ready'\).*enumFrom/u,
    );
    history.push(nextPlan(toEnum, history, ['article.status']));
    const failure = await migrated();
    expect(failure).toMatch(/article\.status has values that are not in its enum\. Correct these rows/u);
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
    expect((await database.all(raw(query))).map((row) => row['status'])).toStrictEqual(["it's"]);
    await database.script(`UPDATE ${id('articles')} SET ${id('status')} = 'ready' WHERE ${id('title')} = 'b'`);
    expect(await migrated()).toMatch(/^0002_/u);

    // A value that goes, with what it becomes: nothing is asked, the line means nothing when it was used.
    const mapped = 'type: enumeration, enum: [ready, plan], enumFrom: { idea: plan }';
    history.push(nextPlan(modelsOf(typed(mapped)), history, []));
    expect(nextPlanOrNull(typed(mapped), history)).toBeNull();
    expect(await migrated()).toMatch(/^0003_/u);
    expect(await statuses()).toStrictEqual(['plan', 'ready', null]);
    await migrate(database, { directory: join(folder, 'migrations'), dialect }, 'down');
    expect(await statuses()).toStrictEqual(['idea', 'ready', null]);
    await migrated();

    // Values that are added are remembered, so that they are asked for when they go.
    history.push(nextPlan(modelsOf(typed('type: enumeration, enum: [ready, plan, new]')), history, []));
    const fewer = modelsOf(typed('type: enumeration, enum: [ready, plan]'));
    expect(planMigration({ history, target: fewer.storage, notes: fewer.notes }).diagnostics[0]?.message).toContain(
      "no longer has the value 'new'",
    );
  });

  /** A column with a list of items, a zone, and items inside of items. */
  const withItems = (attribute: string): string => `databases: [sqlite, postgres, mysql]
components:
  shared.part: { attributes: { ${attribute} } }
  shared.whole: { attributes: { part: { type: component, component: shared.part } } }
contentTypes:
  article:
    attributes:
      title: { type: string }
      parts: { type: component, component: shared.part, repeatable: true }
      whole: { type: component, component: shared.whole }
      zone: { type: dynamiczone, components: [shared.part, shared.whole] }`;
  const insertItems = async (member: string, [first, second, third, fourth]: readonly unknown[]): Promise<void> => {
    const parts = [{ id: 1, [member]: first }, { id: 2, [member]: null }, { id: 3 }];
    const whole = { id: 4, part: { id: 5, [member]: second } };
    const zone = [
      { id: 6, __component: 'shared.part', [member]: third },
      { id: 7, __component: 'shared.whole', part: { id: 8, [member]: fourth } },
    ];
    const values = [parts, whole, zone].map((value) => `'${JSON.stringify(value).replaceAll("'", "''")}'`).join(', ');
    const columns = names('title', 'parts', 'whole', 'zone', 'created_at', 'updated_at');
    await opened.database.script(`DELETE FROM ${id('articles')}`);
    await opened.database.script(`INSERT INTO ${id('articles')} (${columns}) VALUES ('a', ${values}, ${times()})`);
  };
  const readItems = async (): Promise<unknown> => {
    const row = await opened.database.get(raw(`SELECT ${names('parts', 'whole', 'zone')} FROM ${id('articles')}`));
    const parsed = (value: unknown): any => (typeof value === 'string' ? JSON.parse(value) : value);
    return [parsed(row?.['parts']), parsed(row?.['whole']), parsed(row?.['zone'])];
  };
  const itemsWith = (member: string, [first, second, third, fourth]: readonly unknown[]): unknown => [
    [{ id: 1, [member]: first }, { id: 2, [member]: null }, { id: 3 }],
    { id: 4, part: { id: 5, [member]: second } },
    [
      { id: 6, __component: 'shared.part', [member]: third },
      { id: 7, __component: 'shared.whole', part: { id: 8, [member]: fourth } },
    ],
  ];

  it('E13: a date inside a component becomes a moment and back, and no time is lost by that', async () => {
    const { database } = opened;
    const history: MigrationPlan[] = [nextPlan(modelsOf(withItems('day: { type: date }')), [], [])];
    await migrateUp(database, await writePlans(folder, history));
    const days = ['2024-02-29', '2023-01-01', '2022-12-31', '0999-06-01'];
    await insertItems('day', days);
    history.push(nextPlan(modelsOf(withItems('moment: { type: datetime, renamedFrom: day }')), history, []));
    const directory = await writePlans(folder, history);
    const up = async (): Promise<readonly string[]> => migrateUp(database, directory);
    const down = async (): Promise<string> =>
      migrate(database, { directory, dialect }, 'down').then(({ changed }) => changed.join(), String);
    expect(await up()).toHaveLength(1);
    const moments = days.map((day) => `${day}T00:00:00.000Z`);
    expect(await readItems()).toStrictEqual(itemsWith('moment', moments));
    expect(await down()).toMatch(/^0002_/u);
    expect(await readItems()).toStrictEqual(itemsWith('day', days));
    await up();
    for (const place of days.keys()) {
      const changed = moments.with(place, '2024-02-29T10:20:30.000Z');
      await insertItems('moment', changed);
      const failure = await down();
      expect(failure).toMatch(/components have non-date values\. Correct these rows/u);
      const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
      expect((await database.all(raw(query))).map((row) => row['value'])).toStrictEqual([changed[place]]);
      expect(await readItems()).toStrictEqual(itemsWith('moment', changed));
    }
  });

  it('E09: a number inside a component becomes a text and back, and what is no number stops that', async () => {
    const { database } = opened;
    const history: MigrationPlan[] = [
      nextPlan(modelsOf(withItems('count: { type: integer }, size: { type: float }')), [], []),
    ];
    const wide = withItems('label: { type: string, renamedFrom: count }, size: { type: text }');
    history.push(nextPlan(modelsOf(wide), history, []));
    const directory = await writePlans(folder, history);
    await migrateUp(database, directory);
    const down = async (): Promise<string> =>
      migrate(database, { directory, dialect }, 'down').then(({ changed }) => changed.join(), String);
    for (const [member, type, others] of [
      ['label', 'integer', ['hello', '1.5', 'true', '[1]', '', '2147483648']],
      ['size', 'float', ['hello', 'null', '1e400', 'NaN']],
    ] as const) {
      for (const [place, other] of others.entries()) {
        const values = ['1', '-2', '3', '40'].with(place % 4, other);
        await insertItems(member, values);
        const failure = await down();
        expect(failure, other).toMatch(RegExp(`components have non-${type} values. Correct these rows`, 'u'));
        const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
        expect((await database.all(raw(query))).map((row) => row['value'])).toStrictEqual([other]);
        expect(await readItems()).toStrictEqual(itemsWith(member, values));
      }
    }
    await insertItems('label', ['1', '-2', '2147483647', '0']);
    expect(await down()).toMatch(/^0002_/u);
    expect(await readItems()).toStrictEqual(itemsWith('count', [1, -2, 2_147_483_647, 0]));
    await migrateUp(database, directory);
    expect(await readItems()).toStrictEqual(itemsWith('label', ['1', '-2', '2147483647', '0']));
    await insertItems('size', ['1', '-0.5', '1e21', '0.30000000000000004']);
    expect(await down()).toMatch(/^0002_/u);
    expect(await readItems()).toStrictEqual(itemsWith('size', [1, -0.5, 1e21, 0.1 + 0.2]));
  });

  it.each([
    ['biginteger', 'string', '12', ['hello', '9223372036854775808']],
    ['decimal', 'text', '1.5', ['one']],
    ['date', 'string', '2024-02-29', ['2024-02-30', '2024-02-29T00:00:00.000Z']],
    ['time', 'string', '10:20:30.456', ['25:00:00.000']],
    ['datetime', 'string', '2024-02-29T10:20:30.456Z', ['2024-02-29']],
    ['biginteger', 'decimal', '12', ['1.5']],
    ['integer', 'float', 7, [0.5, 2_147_483_648]],
    ['integer', 'biginteger', '12', ['2147483648']],
    ['integer', 'decimal', '12', ['1.5']],
  ] as const)(
    '%s inside a component that became %s is not undone while that would not hold a value',
    async (...given) => {
      const [narrow, wide, kept, others] = given;
      const { database } = opened;
      const history: MigrationPlan[] = [];
      for (const type of [narrow, wide]) {
        history.push(nextPlan(modelsOf(withItems(`it: { type: ${type} }`)), history, []));
      }
      const directory = await writePlans(folder, history);
      await migrateUp(database, directory);
      const down = async (): Promise<string> =>
        migrate(database, { directory, dialect }, 'down').then(({ changed }) => changed.join(), String);
      for (const [index, other] of others.entries()) {
        for (const place of [index, index + 2]) {
          const values = Array.from({ length: 4 }, () => kept).map((one, at) => (at === place ? other : one));
          await insertItems('it', values);
          const failure = await down();
          expect(failure, String(other)).toContain(`components have non-${narrow} values. Correct these rows`);
          const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
          expect((await database.all(raw(query))).map((row) => row['value'])).toStrictEqual([String(other)]);
          expect(await readItems()).toStrictEqual(itemsWith('it', values));
        }
      }
      await insertItems('it', [kept, kept, kept, kept]);
      expect(await down()).toMatch(/^0002_/u);
      await migrateUp(database, directory);
      expect(await readItems()).toStrictEqual(itemsWith('it', [kept, kept, kept, kept]));
    },
  );

  it('a component that became a list is one again only where no list has more, or with consent', async () => {
    const { database } = opened;
    const typed = (rest: string): string =>
      `components:\n  shared.part: { attributes: { text: { type: string } } }\ncontentTypes:\n  article:\n    attributes:\n      title: { type: string }\n      part: { type: component, component: shared.part${rest} }`;
    const history: MigrationPlan[] = [nextPlan(modelsOf(typed('')), [], [])];
    history.push(nextPlan(modelsOf(typed(', repeatable: true')), history, []));
    const directory = await writePlans(folder, history);
    await migrateUp(database, directory);
    const write = async (text: string): Promise<void> => {
      await database.script(`DELETE FROM ${id('articles')}`);
      const columns = names('title', 'part', 'created_at', 'updated_at');
      await database.script(`INSERT INTO ${id('articles')} (${columns}) VALUES ('a', '${text}', ${times()})`);
    };
    const read = async (): Promise<unknown> => {
      const value = (await database.get(raw(`SELECT ${names('part')} FROM ${id('articles')}`)))?.['part'];
      return typeof value === 'string' ? JSON.parse(value) : value;
    };
    await write('[{"id":1,"text":"a"},{"id":2,"text":"b"}]');
    const keeping = { directory, dialect, keepsContent: true };
    const failure = await migrate(database, keeping, 'down').then(() => 'undone', String);
    expect(failure).toContain('all components but the first of part in 1 row of articles');
    expect(await read()).toStrictEqual([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ]);
    await write('[{"id":1,"text":"a"}]');
    await migrate(database, keeping, 'down');
    expect(await read()).toStrictEqual({ id: 1, text: 'a' });
  });

  it('E10: an enumeration inside a component loses a value only when no item has it, or when it is said what that becomes', async () => {
    const { database } = opened;
    const history: MigrationPlan[] = [nextPlan(modelsOf(withItems('status: { type: string }')), [], [])];
    const migrated = async (): Promise<string> =>
      migrateUp(database, await writePlans(folder, history)).then((done) => done.join(), String);
    await migrated();

    // From text: the build asks with a query for each engine, and the migration stops while there is another value.
    const toEnum = modelsOf(withItems('status: { type: enumeration, enum: [ready, idea] }'));
    const { diagnostics } = planMigration({ history, target: toEnum.storage, notes: toEnum.notes });
    expect(diagnostics.map(({ code, message }) => [code, message])).toStrictEqual([
      ['migrations/narrows', expect.stringContaining("'shared.part.status' becomes an enumeration")],
    ]);
    const engine = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL and MariaDB' }[dialect];
    const count = diagnostics[0]?.hint?.split('\n').find((line) => line.startsWith(`${engine}: `)) ?? '';
    history.push(nextPlan(toEnum, history, ['shared.part.status']));
    for (const place of [0, 1, 2, 3]) {
      const statuses = ['idea', 'ready', 'ready', 'idea'].with(place, "it's");
      await insertItems('status', statuses);
      const found = await database.all(
        raw(count.slice(engine.length + 2).replace(/GROUP BY value.*/u, 'GROUP BY value')),
      );
      expect(found.map((row) => row['value'])).toStrictEqual(["it's"]);
      const failure = await migrated();
      expect(failure).toMatch(/shared\.part\.status has values that are not in its enum\. Correct these rows/u);
      const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
      expect((await database.all(raw(query))).map((row) => row['value'])).toStrictEqual(["it's"]);
    }
    await insertItems('status', ['idea', 'ready', 'ready', 'idea']);
    expect(await migrated()).toMatch(/^0002_/u);

    // A value that goes is asked for; with what it becomes nothing is, and it is undone.
    const fewer = modelsOf(withItems('status: { type: enumeration, enum: [ready, plan] }'));
    expect(planMigration({ history, target: fewer.storage, notes: fewer.notes }).diagnostics[0]?.message).toContain(
      "'shared.part.status' no longer has the value 'idea'",
    );
    const mapped = withItems(
      'state: { type: enumeration, enum: [ready, plan], enumFrom: { idea: plan }, renamedFrom: status }',
    );
    history.push(nextPlan(modelsOf(mapped), history, []));
    expect(nextPlanOrNull(mapped, history)).toBeNull();
    expect(await migrated()).toMatch(/^0003_/u);
    expect(await readItems()).toStrictEqual(itemsWith('state', ['plan', 'ready', 'ready', 'plan']));
    await migrate(database, { directory: join(folder, 'migrations'), dialect }, 'down');
    expect(await readItems()).toStrictEqual(itemsWith('status', ['idea', 'ready', 'ready', 'idea']));
    await migrated();

    // Items that go with consent need not be mended first.
    const gone = modelsOf(
      withItems('state: { type: enumeration, enum: [ready] }').replaceAll(/\n {6}(?:parts|whole|zone): .*/gu, ''),
    );
    history.push(nextPlan(gone, history, ['article.parts', 'article.whole', 'article.zone']));
    expect(await migrated()).toMatch(/^0004_/u);
  });

  it('E03: drops what has the new name with consent, and renames in the same migration', async () => {
    const { database } = opened;
    const typed = (own: string, inner: string): string => `components:
  shared.part: { attributes: { ${inner} } }
contentTypes:
  article:
    attributes:
      title: { type: string }
      part: { type: component, component: shared.part }
      ${own}`;
    const first = nextPlan(
      modelsOf(
        typed(
          'x: { type: string }\n      y: { type: string, unique: true }',
          'x: { type: string }, y: { type: string }',
        ),
      ),
      [],
      [],
    );
    const renamed = 'y: { type: string, renamedFrom: x }';
    const { storage, notes } = modelsOf(typed(renamed, renamed));
    const consents = ['article.y', 'shared.part.y'];
    for (const allowed of [[], ['article.x', 'shared.part.x']]) {
      const { value, diagnostics } = planMigration({ history: [first], target: storage, notes, allowed });
      expect(value).toBeUndefined();
      expect(diagnostics.map(({ hint }) => hint)).toStrictEqual(
        consents.map((thing) => expect.stringContaining(`--allow-destructive ${thing}. To keep '${thing}' and delete`)),
      );
    }
    // The consent is for what goes: none for what takes its name and would lose values besides.
    const other = modelsOf(typed('y: { type: boolean, renamedFrom: x }', 'y: { type: boolean, renamedFrom: x }'));
    const both = planMigration({ history: [first], target: other.storage, notes: other.notes, allowed: consents });
    expect(both.value).toBeUndefined();
    expect(both.diagnostics.map(({ code }) => code)).toStrictEqual([
      'migrations/changes-type',
      'migrations/changes-type',
    ]);

    const planned = planMigration({ history: [first], target: storage, notes, allowed: consents });
    expect(planned.diagnostics).toStrictEqual([]);
    const second = nextPlan({ ...modelsOf(typed(renamed, renamed)) }, [first], consents);
    expect(JSON.stringify(second)).not.toContain('replaced');
    expect(planMigration({ history: [first, second], target: storage, notes }).value).toBeNull();
    await migrateUp(database, await writePlans(folder, [first]));
    await database.script(
      `INSERT INTO ${id('articles')} (${names('title', 'x', 'y', 'part', 'created_at', 'updated_at')}) VALUES ('a', 'kept', 'gone', '{"id":1,"x":"kept inside","y":"gone"}', ${times()})`,
    );
    const read = async (): Promise<unknown> => {
      const row = await database.get(raw(`SELECT * FROM ${id('articles')}`));
      const part = row?.['part'];
      return [row?.['x'], row?.['y'], typeof part === 'string' ? JSON.parse(part) : part];
    };
    const directory = await writePlans(folder, [first, second]);
    expect(await migrateUp(database, directory)).toHaveLength(1);
    expect(await read()).toStrictEqual([undefined, 'kept', { id: 1, y: 'kept inside' }]);
    await migrate(database, { directory, dialect }, 'down');
    expect(await read()).toStrictEqual(['kept', null, { id: 1, x: 'kept inside' }]);
    await migrateUp(database, directory);
    expect(await read()).toStrictEqual([undefined, 'kept', { id: 1, y: 'kept inside' }]);
  });
});

function nextPlanOrNull(text: string, history: readonly MigrationPlan[]) {
  const { storage, notes } = modelsOf(text);
  return planMigration({ history, target: storage, notes }).value;
}
