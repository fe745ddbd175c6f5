/** Queries must find the same rows in the same order on every engine; SQLite is the reference. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../../test-support/runtime-database.ts';
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Comparison, TextMatch } from '../../contract/operators.ts';
import { constant } from '../bindings.ts';
import { caseVariants } from './case-variants.ts';
import { engineOf } from './engine-of.ts';
import type { QueryEngine } from './engine.ts';

const TEXTS: readonly (string | null)[] = [
  null,
  '',
  ' ',
  'a',
  'A',
  'a ',
  'a\t',
  ' a',
  'ab',
  'AB',
  'á',
  'Á',
  'a\u0301',
  'ß',
  'ẞ',
  'ss',
  'SS',
  'ſ',
  'straße',
  'STRASSE',
  'STRAẞE',
  'i',
  'I',
  'İ',
  'ı',
  'σ',
  'ς',
  'Σ',
  'ΟΔΥΣΣΕΥΣ',
  'οδυσσευς',
  'k',
  'K',
  'K',
  'å',
  'Å',
  'Å',
  'ǆ',
  'ǅ',
  'Ǆ',
  'ﬁ',
  'fi',
  '\uffee',
  '😀',
  '𐐀',
  '𐐨',
  '%',
  '_',
  '\\',
  '100%',
  'x_y',
  '[a]',
  '*?',
  '^a$',
  'a.b',
  'a-b',
  'line\nline',
  'line',
  'line\n',
  "it's",
  '"',
  'ä'.repeat(2000),
  `${'ä'.repeat(2000)}b`,
  '12',
  'null',
  'true',
];
const NUMBERS: readonly (string | null)[] = [
  null,
  '-9223372036854775808',
  '-12',
  '-1',
  '0',
  '1',
  '2',
  '10',
  '12',
  '100',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
];
const DECIMALS: readonly (string | null)[] = [
  null,
  '-10.5',
  '-0.1',
  '0',
  '0.1',
  '0.3',
  '1',
  '1.05',
  '1.5',
  '2',
  '10',
  '100.25',
];
const FLOATS: readonly (number | null)[] = [null, -1e300, -1.5, 0, 0.1, 0.1 + 0.2, 0.3, 1, 2, 10, 1e21, 1e300];
const DATES = [null, '0001-01-01', '1999-12-31', '2000-01-01', '2024-02-29', '9999-12-31'];
const TIMES = [null, '00:00:00.000', '00:00:00.001', '12:30:00.000', '23:59:59.999'];
const INSTANTS = [
  null,
  '0001-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '2024-03-31T01:30:00.000Z',
  '2024-03-31T01:30:00.001Z',
  '9999-12-31T23:59:59.999Z',
];

const KINDS: readonly (readonly [ColumnType, string, readonly unknown[]])[] = [
  ['text', 'text', TEXTS],
  ['biginteger', 'biginteger', NUMBERS],
  ['integer', 'integer', [null, -2_147_483_648, -5, 0, 7, 10, 2_147_483_647]],
  ['decimal', 'decimal', DECIMALS],
  ['float', 'float', FLOATS],
  ['boolean', 'boolean', [null, true, false]],
  ['date', 'date', DATES],
  ['time', 'time', TIMES],
  ['datetime', 'datetime', INSTANTS],
];

const TABLES = [...KINDS.map(([type, column]) => [`many_${type}`, column]), ['close_decimals', 'decimal']]
  .map(([table, column]) => `CREATE TABLE ${table} (id {id}, v {${column}}, item {json});`)
  .join('\n');

interface Opened extends RuntimeDatabase {
  readonly query: QueryEngine;
}

/** A value as it is stored in component items: big integers and decimals are text. */
function itemOf(value: unknown): string {
  return JSON.stringify(value === null ? { other: 1 } : { other: 1, v: value });
}

const engines = await testedEngines();
const opened: Opened[] = [];

beforeAll(async () => {
  for (const engine of engines) {
    const one = await openEngine(engine, 'engines', TABLES);
    const { database } = one;
    const { bind, id } = database.dialect;
    await database.transaction(async (tx) => {
      for (const [type, , values] of KINDS) {
        for (const value of values) {
          const item = bind('json', JSON.parse(itemOf(value)));
          await tx.run(sql`INSERT INTO ${id(`many_${type}`)} (v, item) VALUES (${bind(type, value)}, ${item})`);
        }
      }
    });
    opened.push({ ...one, query: engineOf(database.dialect) });
  }
});
afterAll(() => Promise.all(opened.map(({ drop }) => drop())));

/** Decimals that differ only in digits that a floating-point number does not have. */
const CLOSE_DECIMALS: readonly string[] = [
  '-12345678901234567891',
  '-12345678901234567890.5',
  '-12345678901234567890',
  '-100.00000000000000000001',
  '-100',
  '-99.99999999999999999999',
  '-0.30000000000000000001',
  '-0.3',
  '0.29999999999999999999',
  '0.3',
  '0.30000000000000000001',
  '9.999999999999998',
  '9.99999999999999999999',
  '10',
  '99.99999999999999999999',
  '100',
  '100.00000000000000000001',
  '999999999999999',
  '999999999999999.00000000000001',
  '12345678901234567890',
  '12345678901234567890.12345678901234567890123456789',
  '12345678901234567891',
  '9999999999999999999999.9',
  '10000000000000000000000',
];

type Build = (engine: QueryEngine, column: Sql) => Sql;

/** The values that a condition matches, or all values in order: from columns, and from members of items. */
async function values(one: Opened, kind: (typeof KINDS)[number], build: { where?: Build; order?: Build }) {
  const [type, , all] = kind;
  const { database, query } = one;
  const answers: unknown[][] = [];
  for (const column of [raw('t.v'), query.itemValue(type, raw('t.item'), 'v')]) {
    const where = build.where ? sql` WHERE ${build.where(query, column)}` : sql``;
    const order = build.order ? sql`${build.order(query, query.sortable(type, column))}, t.id` : raw('t.id');
    const table = database.dialect.id(`many_${type}`);
    const rows = await database.all(sql`SELECT t.id FROM ${table} AS t${where} ORDER BY ${order}`);
    answers.push(rows.map((row) => all[Number(row['id']) - 1]));
  }
  return answers;
}

async function expectSame(what: string, kind: (typeof KINDS)[number], build: { where?: Build; order?: Build }) {
  const [first, ...others] = opened;
  if (!first) throw new Error('no engine');
  const [columns, items] = await values(first, kind, build);
  expect([what, items]).toStrictEqual([what, columns]);
  for (const other of others) {
    const name = `${other.database.dialect.name}: ${what}`;
    expect([name, ...(await values(other, kind, build))]).toStrictEqual([name, columns, columns]);
  }
  return columns ?? [];
}

const COMPARISONS: readonly Comparison[] = ['=', '<>', '<', '<=', '>', '>='];
const MATCHES: readonly TextMatch[] = ['equals', 'contains', 'startsWith', 'endsWith'];

describe.each(KINDS.map((kind) => [kind[0], kind] as const))('values of type %s', (type, kind) => {
  const present = kind[2].filter((value) => value !== null);

  it('compare and are listed alike', async () => {
    for (const value of present) {
      for (const comparison of COMPARISONS) {
        await expectSame(`${comparison} ${String(value)}`, kind, {
          where: (engine, column) => engine.compare(type, column, comparison, constant(value)),
        });
      }
    }
    const long = Array.from({ length: 1200 }, (_, index) => present[index % (present.length - 1)]);
    for (const list of [[], present.slice(0, 1), present.slice(1, 4), present, long]) {
      for (const not of ['', 'NOT ']) {
        await expectSame(`${not}in ${list.length}`, kind, {
          where: (engine, column) => sql`${raw(not)}(${engine.oneOf(type, column, list.map(constant))})`,
        });
      }
    }
  }, 240_000);

  it('sort alike, nulls at the end of nothing', async () => {
    for (const descending of [false, true]) {
      const order = await expectSame(`descending ${descending}`, kind, {
        order: (engine, column) => engine.orderBy(column, { descending, type }),
      });
      expect(order[descending ? order.length - 1 : 0]).toBeNull();
      await expectSame(`in an aggregate, descending ${descending}`, kind, {
        order: (engine, column) => engine.orderInAggregate(column, { descending, type }),
      });
    }
  });
});

it('decimals are compared and sorted exactly, whatever their number of digits', async () => {
  for (const { database, query } of opened) {
    const { bind, name } = database.dialect;
    const item = (decimal: string) => bind('json', JSON.parse(itemOf(decimal)));
    for (const decimal of CLOSE_DECIMALS) {
      await database.run(
        sql`INSERT INTO close_decimals (v, item) VALUES (${bind('decimal', decimal)}, ${item(decimal)})`,
      );
    }
    for (const [index, decimal] of CLOSE_DECIMALS.entries()) {
      const smaller = CLOSE_DECIMALS.slice(0, index);
      const larger = CLOSE_DECIMALS.slice(index + 1);
      for (const [comparison, expected] of [
        ['<', smaller],
        ['<=', [...smaller, decimal]],
        ['=', [decimal]],
        ['<>', [...smaller, ...larger]],
        ['>=', [decimal, ...larger]],
        ['>', larger],
      ] as const) {
        for (const column of [raw('t.v'), query.itemValue('decimal', raw('t.item'), 'v')]) {
          const condition = query.compare('decimal', column, comparison, constant(decimal));
          const rows = await database.all(sql`SELECT t.id FROM close_decimals AS t WHERE ${condition} ORDER BY t.id`);
          const found = rows.map((row) => CLOSE_DECIMALS[Number(row['id']) - 1]);
          expect([name, comparison, decimal, found]).toEqual([name, comparison, decimal, expected]);
          const sorted = query.compareSorted(
            'decimal',
            query.sortable('decimal', column),
            comparison,
            constant(decimal),
          );
          const after = await database.all(sql`SELECT t.id FROM close_decimals AS t WHERE ${sorted} ORDER BY t.id`);
          expect([name, comparison, decimal, after.length]).toEqual([name, comparison, decimal, expected.length]);
        }
      }
    }
    for (const descending of [false, true]) {
      const expected = descending ? CLOSE_DECIMALS.toReversed() : CLOSE_DECIMALS;
      for (const column of [raw('t.v'), query.itemValue('decimal', raw('t.item'), 'v')]) {
        const shown = query.lookedUp('decimal', query.sortable('decimal', column));
        for (const order of [
          query.orderBy(query.sortable('decimal', column), { descending, type: 'decimal' }),
          query.orderBy(shown.value, { descending, type: shown.type }),
        ]) {
          const rows = await database.all(sql`SELECT t.id FROM close_decimals AS t ORDER BY ${order}`);
          expect([name, rows.map((row) => CLOSE_DECIMALS[Number(row['id']) - 1])]).toEqual([name, expected]);
        }
      }
    }
  }
});

describe('texts', () => {
  const [texts] = KINDS;
  if (!texts) throw new Error('no texts');

  it.each([false, true])(
    'match alike, folded %s',
    async (fold) => {
      const needles = [...new Set(TEXTS.filter((text) => text !== null && text.length < 100))] as string[];
      const found = new Map<string, unknown[]>();
      for (const needle of needles) {
        for (const match of MATCHES) {
          const what = `${match} ${JSON.stringify(needle)}`;
          const where: Build = (engine, column) => engine.matches('text', column, match, fold, constant(needle));
          found.set(what, await expectSame(what, texts, { where }));
        }
      }
      expect(found.get('equals "σ"')).toStrictEqual(fold ? ['σ', 'ς', 'Σ'] : ['σ']);
      expect(found.get('equals "ß"')).toStrictEqual(fold ? ['ß', 'ẞ'] : ['ß']);
      expect(found.get('equals "a"')).toStrictEqual(fold ? ['a', 'A'] : ['a']);
      expect(found.get('contains "%"')).toStrictEqual(['%', '100%']);
      expect(found.get('endsWith "line"')).toStrictEqual(['line\nline', 'line']);
    },
    240_000,
  );

  it('match alike in every letter that has a case', async () => {
    const letters: string[] = [];
    for (let code = 0x41; code <= 0x1_e943; code += 1) {
      const letter = code >= 0xd800 && code < 0xe000 ? 'a' : String.fromCodePoint(code);
      if (caseVariants(letter).length > 1 && letter !== 'a') letters.push(letter);
    }
    const all = letters.join('');
    for (const { database, query } of opened) {
      const parts = Array.from({ length: Math.ceil(letters.length / 400) }, (_, index) =>
        letters.slice(index * 400, (index + 1) * 400),
      );
      for (const part of parts) {
        const other = part
          .map((letter) => caseVariants(letter).find((variant) => variant !== letter) ?? letter)
          .join('');
        await database.run(sql`DELETE FROM many_text WHERE v = ${'letters'}`);
        const column = database.dialect.name === 'postgres' ? sql`${all}::text` : sql`${all}`;
        const condition = query.matches('text', sql`(SELECT ${column})`, 'contains', true, constant(other));
        const row = await database.get(sql`SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END AS found`);
        expect([database.dialect.name, row]).toStrictEqual([database.dialect.name, { found: 1 }]);
      }
    }
  });

  it.each(['integer', 'biginteger', 'decimal', 'date', 'time', 'datetime'] as const)(
    'of a %s match alike',
    async (type) => {
      const kind = KINDS.find(([name]) => name === type);
      if (!kind) throw new Error(type);
      for (const needle of ['1', '1 ', '0', '-', '.', '2024', ':3', 'T', 'z', '.5', '00Z']) {
        for (const fold of [false, true]) {
          for (const match of MATCHES) {
            await expectSame(`${match} ${needle} ${fold}`, kind, {
              where: (engine, column) => engine.matches(type, column, match, fold, constant(needle)),
            });
          }
        }
      }
    },
    120_000,
  );
});
