/** Indexes of attributes of components: queries by them find the same entries, by the index, on every engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { filesOfPlans } from '../../test/support/drift.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { runSql } from '../../test/support/run-sql.ts';
import { nextPlan, readBack, writePlans } from '../../test/support/written-migrations.ts';
import { asked, librarySettings } from '../../templates/runtime/test-support/query-library.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import type { ContentTypes } from '../../templates/runtime/src/contract/content-type.ts';
import { serverCaller } from '../../templates/runtime/src/contract/policy/server-caller.ts';
import { raw, sql, type Sql } from '../../templates/runtime/src/database/sql.ts';
import { describeDrift } from '../../templates/runtime/src/migrator/drift/describe-drift.ts';
import { driftFrom } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import { migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { createReader } from '../../templates/runtime/src/query/reader.ts';
import { databaseFile } from '../emit/database/database-file.ts';
import { planMigration } from './plan/plan-migration.ts';
import { printSql } from './sql/print-sql.ts';

const SEO = {
  metaTitle: { type: 'string' },
  contact: { type: 'email' },
  rank: { type: 'integer' },
  views: { type: 'biginteger' },
  ratio: { type: 'float' },
  price: { type: 'decimal' },
  shown: { type: 'boolean' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime' },
  kind: { type: 'enumeration', enum: ['a', 'b', 'c'] },
  card: { type: 'component', component: 'shared.card' },
};
const NAMES = [
  ...['metaTitle', 'contact', 'rank', 'views', 'ratio', 'price', 'shown', 'day', 'clock', 'moment', 'kind'],
  'card.altText',
];

/** Those that long lists are walked by: others of their kind are no other. */
const WALKED = new Set(['contact', 'views', 'price', 'moment']);

function schemaWith(indexes: readonly (readonly string[])[], seo: object = SEO): object {
  return {
    name: 'members',
    databases: ['sqlite', 'postgres', 'mysql'],
    contentTypes: {
      article: {
        ...(indexes.length > 0 ? { indexes } : {}),
        attributes: {
          title: { type: 'string' },
          seo: { type: 'component', component: 'shared.seo' },
          author: { type: 'relation', relation: 'manyToOne', target: 'author' },
        },
      },
      author: { attributes: { name: { type: 'string' }, seo: { type: 'component', component: 'shared.seo' } } },
    },
    components: {
      'shared.seo': { attributes: seo },
      'shared.card': { attributes: { altText: { type: 'string', maxLength: 80 } } },
    },
  };
}

const INDEXES = NAMES.map((name) => [`${name === 'rank' ? '-' : ''}seo.${name}`]);
const CONSENT = ['metaTitle', 'contact', 'card.altText'].map((name) => `article.seo.${name}`);
const BEFORE = modelsOf(schemaWith([]));
const AFTER = modelsOf(schemaWith(INDEXES));
const created = nextPlan(BEFORE, [], []);
const indexed = nextPlan(AFTER, [created], CONSENT);

const ROWS = 3000;
const TITLES = ['', 'a', 'A', 'ä', 'é́', '😀', '100%', `it's "so"`, 'a\\b', 'null', ' '];

function item(number: number): object | null {
  if (number % 17 === 0) return null;
  const maybe = <T>(value: T): T | null | undefined =>
    number % 13 === 0 ? null : number % 11 === 0 ? undefined : value;
  const digits = String(number % 1500).padStart(4, '0');
  return {
    id: number,
    metaTitle: maybe(number % 5 === 0 ? TITLES[number % TITLES.length] : `Title ${number % 1500}`),
    contact: maybe(`a${number % 1500}@example.org`),
    rank: maybe((number % 1500) - 750),
    ratio: maybe((number % 1500) / 7),
    price: maybe(`${(number % 1500) - 3}.50`.replace(/0$/u, '')),
    shown: maybe(number % 300 === 0),
    day: maybe(`2${digits.slice(1)}-02-03`),
    clock: maybe(`0${number % 10}:00:${10 + (number % 50)}.00${number % 7}`),
    moment: maybe(`2${digits.slice(1)}-02-03T04:05:06.789Z`),
    kind: maybe(number % 900 === 1 ? 'a' : number % 2 === 0 ? 'b' : 'c'),
    card: number % 19 === 0 ? null : { id: ROWS + number, altText: maybe(`alt ${number % 1500}`) },
  };
}

/** JSON as the server writes it: big integers as numbers. */
function jsonOf(number: number): string | null {
  const value = item(number);
  if (value === null) return null;
  const views =
    number % 13 === 0 || number % 11 === 0 ? 'null' : `9007199254740${String(number % 1500).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/\}$/u, `,"views":${views}}`);
}

function typesOf({ model, layout }: Models): ContentTypes {
  return databaseFile(model, layout).input as unknown as ContentTypes;
}

/** What is compared with which value, and how many operators find it by the index. */
const QUERIES: Readonly<Record<string, readonly [equal: string, more: string]>> = {
  metaTitle: ['Title 79', 'Title 1499'],
  contact: ['a79@example.org', 'a999@example.org'],
  rank: ['-700', '740'],
  views: ['90071992547400079', '90071992547401495'],
  ratio: ['11', '214'],
  price: ['76.5', '1490.5'],
  shown: ['true', 'true'],
  day: ['2079-02-03', '2990-02-03'],
  clock: ['07:00:17.003', '09:00:59'],
  moment: ['2079-02-03T04:05:06.789Z', '2990-02-03T04:05:06.789Z'],
  kind: ['a', 'c'],
  'card.altText': ['alt 79', 'alt 998'],
};

describe.each(await testedEngines())('indexes inside of components on %s', (dialect) => {
  let opened: RuntimeDatabase;
  const statements: Sql[] = [];
  const run = (text: string): Promise<void> =>
    runSql({ dialect, script: (script) => opened.database.script(script) }, text);
  beforeAll(async () => {
    opened = await openEngine(dialect, 'members');
    await run(printSql(created, dialect).up);
    const { dialect: own } = opened.database;
    const now = own.text(dialect === 'mysql' ? '2024-01-02 03:04:05.000' : '2024-01-02T03:04:05.000Z');
    for (let start = 1; start <= ROWS; start += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const json = jsonOf(start + at);
        const seo = json === null ? 'NULL' : own.text(json).text;
        return `(${start + at}, ${seo}, ${now.text}, ${now.text})`;
      });
      await opened.database.run(
        raw(`INSERT INTO articles (id, seo, created_at, updated_at) VALUES ${rows.join(', ')}`),
      );
    }
  }, 120_000);
  afterAll(() => opened?.drop());

  function readerOf(models: Models) {
    const { database } = opened;
    const types = typesOf(models);
    const note = (statement: Sql): Sql => {
      statements.push(statement);
      return statement;
    };
    const watched = {
      ...database,
      all: (statement: Sql) => database.all(note(statement)),
      get: (statement: Sql) => database.get(note(statement)),
    };
    const reader = createReader({ database: watched, types, api: librarySettings });
    const type = types.types['article'];
    if (!type) throw new Error('there are no articles');
    return async (query: string): Promise<any> => {
      statements.length = 0;
      const answer = await reader.list(type, asked(query, serverCaller(types)));
      return JSON.parse(String(answer.body));
    };
  }

  async function planOf(): Promise<string> {
    const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plans = statements.map(({ text, params }) => opened.database.all({ text: `${explain} ${text}`, params }));
    return JSON.stringify(await Promise.all(plans), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  }

  const drift = async (plans: readonly MigrationPlan[]): Promise<readonly string[]> => {
    const { drifted, undeclared } = await driftFrom(opened.database, filesOfPlans(plans, dialect));
    return [...drifted, ...undeclared].map((thing) => describeDrift(thing, dialect));
  };

  it('are made of entries that exist, and are no drift', async () => {
    await run(printSql(indexed, dialect).up);
    if (dialect !== 'mysql') await opened.database.run(raw('ANALYZE articles'));
    else await opened.database.all(raw('ANALYZE TABLE articles'));
    expect(await drift([created, indexed])).toEqual([]);
  });

  it.each(NAMES)('find the same entries in the same order by seo.%s', async (name) => {
    const before = readerOf(BEFORE);
    const after = readerOf(AFTER);
    const path = name
      .split('.')
      .map((part) => `[${part}]`)
      .join('');
    const [equal = '', more = ''] = QUERIES[name] ?? [];
    const by = `filters[seo]${path}`;
    const queries = [
      `${by}[$eq]=${equal}`,
      `${by}[$in][0]=${equal}&${by}[$in][1]=${more}`,
      `${by}[$gt]=${more}`,
      `${by}[$between][0]=${equal}&${by}[$between][1]=${more}`,
      `${by}[$null]=true`,
      `${by}[$notNull]=true&pagination[page]=3`,
      `filters[$not][seo]${path}=${equal}`,
      `${by}[$ne]=${equal}&sort=seo.${name}`,
      `sort=seo.${name}:desc,title`,
      `sort=seo.${name}&pagination[page]=20`,
      `sort=seo.${name}:desc&filters[author][seo]${path}=${equal}`,
      `sort=author.seo.${name}`,
    ];
    for (const query of queries) {
      const all = `${query}&fields=id`;
      expect(await after(all), query).toEqual(await before(all));
    }
    expect((await after(`${by}=${equal}`)).data.length, 'finds something').toBeGreaterThan(0);
    for (const direction of WALKED.has(name) ? ['asc', 'desc'] : []) {
      const ids = async (ask: (query: string) => Promise<any>): Promise<number[]> => {
        const found: number[] = [];
        for (let next: string | null = ''; next !== null;) {
          const page: any = await ask(
            `fields=id&sort=seo.${name}:${direction}&pagination[pageSize]=100&pagination[after]=${next}`,
          );
          found.push(...page.data.map((entry: any) => entry.id));
          ({ next } = page.meta.pagination);
        }
        return found;
      };
      const found = await ids(after);
      expect(found).toEqual(await ids(before));
      expect(found).toHaveLength(ROWS);
    }
  });

  it.each(NAMES)('serve conditions and orders by seo.%s', async (name) => {
    const ask = readerOf(AFTER);
    const index = typesOf(AFTER).types['article']?.memberIndexes?.[`seo.${name}`] ?? 'none';
    const path = name
      .split('.')
      .map((part) => `[${part}]`)
      .join('');
    const [equal = '', more = ''] = QUERIES[name] ?? [];
    const noCount = 'pagination[withCount]=false&pagination[pageSize]=5';
    const served = [
      // SQLite keeps decimals in the order of their values, and compares whether they are equal by their text.
      ...(dialect === 'sqlite' && name === 'price' ? [] : [`filters[seo]${path}=${equal}`]),
      ...(name === 'shown' ? [] : [`filters[seo]${path}[$gt]=${more}&sort=seo.${name}`]),
      `sort=seo.${name}`,
      // With two values, PostgreSQL sorts the entries that have the larger one by their ids, which are all of these few.
      ...(name === 'shown' ? [] : [`sort=seo.${name}:desc`]),
      `sort=seo.${name}&pagination[after]=`,
    ];
    for (const query of served) {
      await ask(query.includes('after') ? query : `${query}&${noCount}`);
      expect(await planOf(), query).toContain(index);
    }
  });

  it('are found to be missing where somebody has dropped one', async () => {
    const index = 'articles__seo__meta_title_sort';
    const concurrently = dialect === 'postgres' ? 'CONCURRENTLY ' : '';
    const { dialect: own } = opened.database;
    const on = dialect === 'mysql' ? sql` ON articles` : sql``;
    await opened.database.run(sql`DROP INDEX ${own.id(index)}${on}`);
    const column = dialect === 'mysql' ? index : 'seo';
    expect(await drift([created, indexed])).toEqual([
      expect.stringContaining(`missing: index ${index} of articles: (${column}, id)`),
    ]);
    expect((await readerOf(AFTER)('filters[seo][metaTitle]=Title 79&fields=id')).data).toHaveLength(2);
    const statements = printSql(indexed, dialect).up.split(';\n');
    const made = statements.find((text) => text.includes(`INDEX ${concurrently}${own.id(index).text}`)) ?? '';
    await opened.database.run(raw(made.slice(made.indexOf('CREATE'))));
    expect(await drift([created, indexed])).toEqual([]);
  });

  it('go with what they are of, come with its new name, and are undone', async () => {
    const { metaTitle, ...rest } = SEO;
    const renamed = modelsOf(
      schemaWith([['seo.headline'], ['seo.rank'], ['seo.card.altText']], {
        ...rest,
        headline: { ...metaTitle, renamedFrom: 'metaTitle' },
        rank: { type: 'string' },
      }),
    );
    const plan = nextPlan(renamed, [created, indexed], []);
    expect(readBack([created, indexed], [plan])).toEqual([plan]);
    await run(printSql(plan, dialect).up);
    expect(await drift([created, indexed, plan])).toEqual([]);
    const ask = readerOf(renamed);
    expect((await ask('filters[seo][headline]=Title 79&fields=id')).data).toHaveLength(2);
    expect((await ask('filters[seo][rank]=-700&fields=id')).data.length).toBeGreaterThan(0);
    expect(await planOf()).toContain('articles__seo__rank_sort');
    await run(printSql(plan, dialect).down);
    expect(await drift([created, indexed])).toEqual([]);
    await run(printSql(indexed, dialect).down);
    expect(await drift([created])).toEqual([]);
    expect((await readerOf(BEFORE)('filters[seo][metaTitle]=Title 79&fields=id')).data).toHaveLength(2);
  });
});

it('an index of texts that may be too long needs consent, with a query for each engine', () => {
  const { storage, notes } = AFTER;
  const { value, diagnostics } = planMigration({ history: [created], target: storage, notes });
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ message }) => message)).toEqual(
    CONSENT.map((thing) => expect.stringContaining(`'${thing}'`)),
  );
  expect(diagnostics[0]?.hint).toMatch(
    /:\nSQLite: SELECT count[^\n]*> 255\nPostgreSQL: [^\n]*\nMySQL and MariaDB: [^\n]*char_length/u,
  );
});

it('an index of a text needs consent, also if another text of the component is indexed', () => {
  const first = nextPlan(modelsOf(schemaWith([['seo.contact']])), [created], CONSENT);
  const { storage, notes } = modelsOf(schemaWith([['seo.contact'], ['seo.metaTitle']]));
  const { value, diagnostics } = planMigration({ history: [created, first], target: storage, notes });
  expect(value).toBeUndefined();
  expect(diagnostics[0]?.hint).toContain('--allow-destructive article.seo.metaTitle');
});

describe.each(await testedEngines())('an index of a text on %s', (dialect) => {
  it('that is too long changes nothing, and says where the text is', async () => {
    const { database, drop } = await openEngine(dialect, 'long_members');
    try {
      const now = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
      const history = [created, nextPlan(AFTER, [created], CONSENT)];
      const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
      await migrateUp(database, await writePlans(join(folder, 'first'), [created]));
      const long = JSON.stringify({ id: 1, card: { id: 2, altText: 'x'.repeat(256) } });
      await database.script(`INSERT INTO articles (seo, created_at, updated_at) VALUES ('${long}', ${now}, ${now})`);
      const directory = await writePlans(join(folder, 'second'), history);
      const refused = await migrateUp(database, directory).then(() => 'applied', String);
      expect(refused).toContain('article.seo.card.altText has values that are too long');
      const query = /To list them: (?<query>SELECT .*);/u.exec(refused)?.groups?.['query'];
      expect(await database.all(raw(query ?? ''))).toHaveLength(1);
      const { drifted, undeclared } = await driftFrom(database, filesOfPlans([created], dialect));
      expect([...drifted, ...undeclared].map((thing) => describeDrift(thing, dialect))).toEqual([]);
      await database.run(raw(`UPDATE articles SET seo = NULL`));
      expect(await migrateUp(database, directory)).toHaveLength(1);
      await rm(folder, { recursive: true, force: true });
    } finally {
      await drop();
    }
  });
});
