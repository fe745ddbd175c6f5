import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, testedEngines } from '../../test-support/runtime-database.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { join, raw, sql, type Sql, type SqlValue } from './sql.ts';

/** The column types of migrations: `string` is short text. */
type Stored = ColumnType | 'string';

const TYPES: readonly Stored[] = [
  'string',
  'text',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
];

const TABLES = `
CREATE TABLE vals (id {id}, ${TYPES.map((type) => `c_${type} {${type}}`).join(', ')});
CREATE TABLE taken (id {id});
CREATE TABLE numbered (id {id}, name {string}, place {key});
`;

const LONG = 'ä😀'.repeat(200_000);
const WIDE = { z: 1, a: [1.5, null, 'x', { b: false }], __proto__x: { '😀': 'it\'s \\ "q"' }, aa: '' };

const CASES: readonly (readonly [Stored, unknown, unknown])[] = [
  ['string', `it's "quoted" \\ / \u2028 \u007f \u0001\n\t 😀 ' -- ; \${x} ?`, undefined],
  ['string', '', undefined],
  ['string', ' spaces at both ends ', undefined],
  ['text', LONG, undefined],
  ['string', 'a?b$1', undefined],
  ['boolean', true, undefined],
  ['boolean', false, undefined],
  ['integer', 2_147_483_647, undefined],
  ['integer', -2_147_483_648, undefined],
  ['biginteger', '-9223372036854775808', undefined],
  ['biginteger', '9223372036854775807', undefined],
  ['biginteger', '12', undefined],
  ['decimal', '3.1', 3.1],
  ['decimal', '100', 100],
  ['decimal', '0', 0],
  ['decimal', '-0.000000000000000000000000000001', -1e-30],
  ['float', 0.1 + 0.2, undefined],
  ['float', 5e-324, undefined],
  ['float', 1.7976931348623157e308, undefined],
  ['float', 7, undefined],
  ['float', 123_456_789_012_345_680, undefined],
  ['json', WIDE, undefined],
  ['json', 'text', undefined],
  ['json', 0, undefined],
  ['json', [], undefined],
  ['json', [{ type: 'paragraph' }], undefined],
  ['date', '2024-02-29', undefined],
  ['date', '0001-01-01', undefined],
  ['date', '9999-12-31', undefined],
  ['time', '12:00:00.000', undefined],
  ['time', '23:59:59.999', undefined],
  ['datetime', '2024-02-29T12:00:00.000Z', undefined],
  ['datetime', '0001-01-01T00:00:00.000Z', undefined],
  ['datetime', '9999-12-31T23:59:59.999Z', undefined],
  // Daylight saving time begins around this moment in some time zones.
  ['datetime', '2024-03-31T01:30:00.500Z', undefined],
];

describe.each(await testedEngines())('the dialect of %s', (engine) => {
  let database: Database;
  let dialect: Dialect;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ database, drop } = await openEngine(engine, 'dialects', TABLES));
    ({ dialect } = database);
  });
  afterAll(() => drop());

  async function text(value: Sql, from: Sql = raw('')): Promise<string> {
    const row = await database.get(sql`SELECT ${dialect.jsonText(value)} AS j ${from}`);
    return String(row?.['j']);
  }

  async function stored(as: Stored, value: unknown): Promise<string> {
    const column = dialect.id(`c_${as}`);
    const type = as === 'string' ? 'text' : as;
    await database.run(sql`DELETE FROM vals`);
    await database.run(sql`INSERT INTO vals (${column}) VALUES (${dialect.bind(type, value)})`);
    return text(dialect.jsonObject([['v', dialect.jsonScalar(type, column)]]), raw('FROM vals'));
  }

  it.each(CASES)('gives back a %s as it is answered, case %#', async (type, value, shown = value) => {
    const answer = await stored(type, value);
    expect(JSON.parse(answer)).toStrictEqual({ v: shown });
    if (type === 'json') expect(answer).toBe(`{"v":${JSON.stringify(value)}}`);
  });

  it('keeps all digits of decimals, without trailing zeros', async () => {
    const digits = '12345678901234567890123456789012345.12345678901234567890123456789';
    expect(await stored('decimal', digits)).toBe(`{"v":${digits}}`);
  });

  it.each(TYPES)('answers an empty %s with null', async (type) => {
    expect(await stored(type, null)).toBe('{"v":null}');
  });

  it.each([0, 1, 49, 50, 51, 480, 481, 1500])('makes an object of %i pairs, in order', async (count) => {
    const pairs = Array.from({ length: count }, (_, index) => {
      const nested = dialect.jsonObject([['deep', dialect.jsonScalar('text', dialect.text(`it's ${index}`))]]);
      const values = [dialect.jsonScalar('text', dialect.text('}')), raw('NULL'), dialect.jsonEmptyArray, nested];
      return [`key_${index}`, values[index % 4] ?? raw('NULL')] as const;
    });
    const expected = pairs.map(([key], index) => [key, ['}', null, [], { deep: `it's ${index}` }][index % 4]]);
    const answer = JSON.parse(await text(dialect.jsonObject([['o', dialect.jsonObject(pairs)]]))) as { o: object };
    expect(Object.entries(answer.o)).toStrictEqual(expected);
  });

  const numbers = (): Sql =>
    dialect.jsonRows('[{"n":1,"p":"b"},{"n":2,"p":"a"},{"n":3,"p":"b"}]', { n: 'integer', p: 'text' });

  it('orders the rows of an array, and returns [] for no rows', async () => {
    const list = dialect.jsonArrayAggregate(
      dialect.jsonObject([['n', dialect.jsonScalar('integer', raw('r.n'))]]),
      raw('r.p, r.n DESC'),
    );
    expect(await text(list, sql`FROM ${numbers()} AS r`)).toBe('[{"n":2},{"n":3},{"n":1}]');
    expect(await text(list, sql`FROM ${numbers()} AS r WHERE r.n > 5`)).toBe('[]');
    expect(await text(dialect.jsonObject([['l', dialect.jsonEmptyArray]]))).toBe('{"l":[]}');
  });

  it('builds large results completely, or reports that they are too large', async () => {
    await database.run(sql`DELETE FROM vals`);
    const insert = (): Promise<unknown> => database.run(sql`INSERT INTO vals (c_text) VALUES (${LONG})`);
    for (const _ of [1, 2, 3]) await insert();
    const object = dialect.jsonObject([['t', dialect.jsonScalar('text', raw('c_text'))]]);
    const list = dialect.jsonObject([['l', dialect.jsonArrayAggregate(object, raw('id'))]]);
    const answer = JSON.parse(await text(list, raw('FROM vals'))) as { l: { t: string }[] };
    expect(answer.l.map(({ t }) => t === LONG)).toStrictEqual([true, true, true]);
    for (let count = 3; count < 20; count += 1) await insert();
    const larger = await text(list, raw('FROM vals')).then(
      (json) => (JSON.parse(json) as { l: unknown[] }).l.length,
      (error: Error) => error.message,
    );
    expect(larger).toStrictEqual(engine === 'mysql' ? expect.stringContaining('too large') : 20);
    await database.run(sql`DELETE FROM vals`);
  });

  it('reads rows of any length from one parameter, each column as its type', async () => {
    const given = Array.from({ length: 5000 }, (_, index) => ({ id: index, name: index === 1 ? null : `n${index} ` }));
    const rows = dialect.jsonRows(JSON.stringify(given), { id: 'integer', name: 'text' });
    expect(rows.params).toHaveLength(1);
    expect(await database.all(sql`SELECT r.id, r.name FROM ${rows} AS r ORDER BY r.id`)).toStrictEqual(given);
    const cast = dialect.jsonRows('[{"id":"12","name":7}]', { id: 'integer', name: 'text' });
    expect(await database.all(sql`SELECT * FROM ${cast} AS r`)).toStrictEqual([{ id: 12, name: '7' }]);
    const none = dialect.jsonRows('[]', { id: 'integer' });
    expect(await database.all(sql`SELECT * FROM ${none} AS r`)).toStrictEqual([]);
  });

  it('finds, inserts and changes rows by any number of ids', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      const insert = sql`INSERT INTO numbered (name, place) VALUES (${name}, ${1})`;
      await database.run(insert);
      ids.push(Number((await database.get(raw('SELECT MAX(id) AS id FROM numbered')))?.['id']));
    }
    const [a = 0, b = 0, c = 0] = ids;
    expect(a < b && b < c).toBe(true);
    const found = async (wanted: readonly number[]): Promise<SqlValue[]> => {
      const rows = await database.all(
        sql`SELECT n.name FROM numbered AS n WHERE ${dialect.isOneOf(raw('n.id'), wanted)} ORDER BY n.id`,
      );
      return rows.map((row) => row['name'] ?? null);
    };
    expect(await found([])).toStrictEqual([]);
    expect(await found([c, a, a])).toStrictEqual(['a', 'c']);
    expect(await found([b, ...Array.from({ length: 3000 }, (_, index) => c + 1 + index)])).toStrictEqual(['b']);
    const moves = dialect.jsonRows(`[{"id":${a},"p":9007199254740991},{"id":${c},"p":7}]`, {
      id: 'integer',
      p: 'integer',
    });
    await database.run(dialect.updateFrom('numbered', moves, { place: raw('r.p') }, raw('t.id = r.id')));
    const own = sql`(SELECT * FROM numbered WHERE id = ${a})`;
    await database.run(dialect.updateFrom('numbered', own, { name: raw('r.name') }, sql`t.id = ${b}`));
    expect(await database.all(raw('SELECT name, place FROM numbered ORDER BY id'))).toStrictEqual([
      { name: 'a', place: Number.MAX_SAFE_INTEGER },
      { name: 'a', place: 1 },
      { name: 'c', place: 7 },
    ]);
  });

  it('deletes and changes as many rows by as many ids, without comparing each with each', async () => {
    const count = 16_000;
    const numbers = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
    const rows = dialect.jsonRows(JSON.stringify(numbers), { id: 'integer' });
    await database.run(raw('DELETE FROM numbered'));
    await database.run(sql`INSERT INTO numbered (name, place) SELECT 'many', r.id FROM ${rows} AS r`);
    const odd = numbers.flatMap(({ id }) => (id % 2 === 1 ? [id] : []));
    // Column names of the outer table must not be taken for those of the given ids.
    const isOdd = dialect.isOneOf(raw('place'), odd);
    const started = performance.now();
    expect((await database.run(sql`UPDATE numbered SET name = 'odd' WHERE ${isOdd}`)).changes).toBe(count / 2);
    expect((await database.run(sql`DELETE FROM numbered WHERE NOT ${isOdd}`)).changes).toBe(count / 2);
    // A few tens of milliseconds; MariaDB used to take half a minute.
    expect(performance.now() - started).toBeLessThan(5000);
    const left = await database.all(raw('SELECT id, name FROM numbered'));
    expect(left.map(({ name }) => name)).toStrictEqual(odd.map(() => 'odd'));
    const ids = left.map(({ id }) => Number(id));
    expect((await database.run(sql`DELETE FROM numbered WHERE ${dialect.isOneOf(raw('id'), ids)}`)).changes).toBe(
      odd.length,
    );
  });

  it('allocates ids that nobody else gets, in ascending order, and leaves no row', async () => {
    const counts = [1, 3, 5, 2, 100, 1, 1, 7];
    const taken = await Promise.all(
      counts.map((count) => database.transaction((tx) => dialect.takeIds(tx, 'taken', count))),
    );
    expect(taken.map((ids) => ids.length)).toStrictEqual(counts);
    for (const ids of taken) expect([...ids].sort((x, y) => x - y)).toStrictEqual(ids);
    expect(new Set(taken.flat()).size).toBe(taken.flat().length);
    expect(await database.all(raw('SELECT id FROM taken'))).toStrictEqual([]);
  });

  it.runIf(engine === 'mysql')('leaves ids alone that other nodes of a cluster generate meanwhile', async () => {
    const { ids, between } = await database.transaction(async (tx) => {
      await tx.run(raw('SET auto_increment_increment = 3'));
      let other = 0;
      /** Inserts another node's row before the rows are deleted again. */
      const all: typeof tx.all = async (statement) => {
        const rows = await tx.all(statement);
        other = Number(rows[0]?.['id']) + 1;
        await tx.run(sql`INSERT INTO taken (id) VALUES (${other})`);
        return rows;
      };
      const taken = await dialect.takeIds({ ...tx, all }, 'taken', 4);
      await tx.run(raw('SET auto_increment_increment = 1'));
      return { ids: taken, between: other };
    });
    expect(ids.map((id) => id - (ids[0] ?? 0))).toStrictEqual([0, 3, 6, 9]);
    expect(await database.all(raw('SELECT id FROM taken'))).toStrictEqual([{ id: between }]);
    await database.run(raw('DELETE FROM taken'));
  });

  it('makes transactions with the same key wait for each other', async () => {
    const steps: string[] = [];
    const work = (name: string) =>
      database.transaction(async (tx) => {
        await dialect.lockKeys(tx, ['b', 'a', 'a']);
        steps.push(`${name} in`);
        await tx.get(raw('SELECT 1 AS one'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        steps.push(`${name} out`);
      });
    await Promise.all(['x', 'y', 'z'].map(work));
    expect(steps.map((step) => step.split(' ')[1])).toStrictEqual(['in', 'out', 'in', 'out', 'in', 'out']);
    await work('again');
  });

  it('quotes names and texts', async () => {
    const name = `a"b'c\`d`;
    const list = join([dialect.text(`${name}\\`), dialect.id(name)], ' AS ');
    expect(await database.get(sql`SELECT ${list}`)).toStrictEqual({ [name]: `${name}\\` });
    // A `?` in a quoted text is not a parameter.
    const mark = sql`SELECT ${dialect.text('?')} AS ${dialect.id('a?')}, ${dialect.jsonText(raw("'?''?'"))} AS b`;
    expect(await database.get(mark)).toStrictEqual({ 'a?': '?', b: "?'?" });
  });
});
