import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from './sqlite.ts';
import { join, raw, sql } from './sql.ts';
import { sqliteDialect as dialect } from './sqlite-dialect.ts';
import type { ScalarType } from '../content-type.ts';
import type { Database } from './database.ts';
import type { Sql, SqlValue } from './sql.ts';

let database: Database;

beforeAll(async () => {
  database = await openSqlite({ path: ':memory:' });
  await database.script(`
    CREATE TABLE "values" ("id" integer PRIMARY KEY, "i" integer, "r" real, "t" text);
  `);
});

afterAll(() => database.close());

async function json(value: Sql, from: Sql = raw('')): Promise<unknown> {
  const row = await database.get(sql`SELECT ${dialect.jsonText(value)} AS j ${from}`);
  return JSON.parse(String(row?.['j']));
}

const columnOf = (type: ScalarType): string => {
  if (type === 'float') {
    return 'r';
  }
  return type === 'integer' || type === 'biginteger' || type === 'boolean' ? 'i' : 't';
};

describe('values', () => {
  const cases: readonly (readonly [ScalarType, unknown, unknown])[] = [
    ['string', `it's "quoted" \\ \u2028 😀`, `it's "quoted" \\ \u2028 😀`],
    ['boolean', true, true],
    ['boolean', false, false],
    ['integer', 2 ** 52, 2 ** 52],
    ['biginteger', '-9223372036854775808', '-9223372036854775808'],
    ['biginteger', '12', '12'],
    ['decimal', '3.10', 3.1],
    ['float', 0.1 + 0.2, 0.1 + 0.2],
    ['float', 5e-324, 5e-324],
    ['float', 7, 7],
    ['json', { a: [1, null, 'x'], __proto__x: { b: false } }, { a: [1, null, 'x'], __proto__x: { b: false } }],
    ['json', 'text', 'text'],
    ['blocks', [{ type: 'paragraph' }], [{ type: 'paragraph' }]],
    ['date', '2024-02-29', '2024-02-29'],
    ['time', '12:00:00.000', '12:00:00.000'],
    ['datetime', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.000Z'],
  ];

  it.each(cases)('%s %j comes back as it is answered', async (type, value, shown) => {
    const column = columnOf(type);
    await database.run(sql`DELETE FROM "values"`);
    await database.run(sql`INSERT INTO "values" (${dialect.id(column)}) VALUES (${dialect.bind(type, value)})`);
    const object = dialect.jsonObject([['v', dialect.jsonScalar(type, dialect.id(column))]]);
    expect(await json(object, raw('FROM "values"'))).toStrictEqual({ v: shown });
  });

  it.each(['string', 'boolean', 'biginteger', 'decimal', 'float', 'json', 'datetime'] as const)(
    'an empty %s is null',
    async (type) => {
      await database.run(sql`DELETE FROM "values"`);
      await database.run(sql`INSERT INTO "values" ("i") VALUES (${dialect.bind(type, null)})`);
      const shown = dialect.jsonScalar(type, dialect.id(columnOf(type)));
      expect(await json(dialect.jsonObject([['v', shown]]), raw('FROM "values"'))).toStrictEqual({ v: null });
    },
  );
});

describe('objects and arrays', () => {
  it.each([0, 1, 150, 480, 481, 1500])(
    'makes an object of %i pairs, in order, with nulls and nested JSON',
    async (n) => {
      const values: SqlValue[] = ['}', null, 3, ''];
      const pairs = Array.from({ length: n }, (_, index) => {
        const nested = dialect.jsonObject([['deep', sql`${index}`]]);
        return [`key_${index}`, index % 5 === 4 ? nested : sql`${values[index % 5] ?? null}`] as const;
      });
      const expected = pairs.map(([key], index) => [
        key,
        index % 5 === 4 ? { deep: index } : (values[index % 5] ?? null),
      ]);
      const object = (await json(dialect.jsonObject([['o', dialect.jsonObject(pairs)]]))) as { o: object };
      expect(Object.entries(object.o)).toStrictEqual(expected);
    },
  );

  it('orders the rows of an array, and gives [] for none', async () => {
    const rows = dialect.jsonRows('[{"n":1,"p":"b"},{"n":2,"p":"a"},{"n":3,"p":"b"}]', { n: 'integer', p: 'text' });
    const list = dialect.jsonArrayAggregate(dialect.jsonObject([['n', dialect.id('n')]]), raw('"p", "n" DESC'));
    expect(await json(list, sql`FROM ${rows}`)).toStrictEqual([{ n: 2 }, { n: 3 }, { n: 1 }]);
    expect(await json(list, sql`FROM ${rows} WHERE "n" > 5`)).toStrictEqual([]);
    expect(await json(dialect.jsonObject([['l', dialect.jsonEmptyArray]]))).toStrictEqual({ l: [] });
  });

  it('reads rows of any length from one parameter, each column as its type', async () => {
    const given = Array.from({ length: 5000 }, (_, index) => ({ id: index, name: index === 1 ? null : `n${index}` }));
    const rows = dialect.jsonRows(JSON.stringify(given), { id: 'integer', name: 'text' });
    expect(rows.params).toHaveLength(1);
    expect(await database.all(sql`SELECT "id", "name" FROM ${rows} AS r`)).toStrictEqual(given);
    const cast = dialect.jsonRows('[{"id":"12","name":7}]', { id: 'integer', name: 'text' });
    expect(await database.all(sql`SELECT * FROM ${cast}`)).toStrictEqual([{ id: 12, name: '7' }]);
  });

  it('quotes names and texts', async () => {
    const name = `a"b'c`;
    const list = join([dialect.id(name), dialect.text(name)], ' AS ');
    expect(list.text).toBe(`"a""b'c" AS 'a"b''c'`);
    expect(await database.get(sql`SELECT ${dialect.text(name)} AS ${dialect.id(name)}`)).toStrictEqual({
      [name]: name,
    });
  });
});
