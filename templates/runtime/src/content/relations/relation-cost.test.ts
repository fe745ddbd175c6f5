import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openRelations,
  resetRelations,
  storedLists,
  types,
  writeEntryBy,
} from '../../../test-support/relation-database.ts';
import type { Database } from '../../database/database.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';

const SIZE = 100_000;
const MIDDLE = 5000;
/** Size of the lists that are written as a whole, or many times. */
const SHORT = 10_000;

let database: Database;
beforeAll(async () => {
  ({ database } = await openRelations());
  await resetRelations(database, 1, SIZE + 20_000, 0);
});
afterAll(() => database.close());

const { hub } = types.types;
if (!hub) throw new Error('no hub');

/** Counts statements, and the rows that they read and write. */
function counting() {
  const count = { statements: 0, read: 0, written: 0, texts: [] as string[] };
  const note = ({ text }: Sql): void => {
    count.statements += 1;
    count.texts.push(text);
  };
  const around = (tx: Transaction): Transaction => ({
    ...tx,
    async all(statement) {
      note(statement);
      const rows = await tx.all(statement);
      count.read += rows.length;
      return rows;
    },
    async get(statement) {
      note(statement);
      return tx.get(statement);
    },
    async run(statement) {
      note(statement);
      const result = await tx.run(statement);
      count.written += result.changes;
      return result;
    },
  });
  return { count, around };
}

const LISTS = [
  [
    'manyMany',
    'DELETE FROM many_many',
    'INSERT INTO many_many (a, b, a_pos, b_pos) SELECT 1, id, id * 65536, 65536 FROM leaves',
  ],
  ['manyWay', 'DELETE FROM many_way', 'INSERT INTO many_way (a, b, a_pos) SELECT 1, id, id * 65536 FROM leaves'],
  [
    'morphMany',
    'DELETE FROM morph_many',
    'INSERT INTO morph_many (own, leaf_id, pos) SELECT 1, id, id * 65536 FROM leaves',
  ],
  [
    'oneMany',
    'UPDATE leaves SET hub_of_many = NULL',
    'UPDATE leaves SET hub_of_many = 1, hub_of_many_pos = id * 65536',
  ],
] as const;

async function members(name: string): Promise<string[]> {
  return (await storedLists(database, `hub.${name}`))[0]?.[1] ?? [];
}

describe.each(LISTS)('a list: %s', (name, clear, fill) => {
  const typed = <T extends object>(element: T) => (name === 'morphMany' ? { ...element, type: 'leaf' } : element);
  /** Number of statements that increment versions of the other side. */
  const versions = name === 'manyMany' ? 3 : name === 'oneMany' ? 2 : 0;
  const entry = (id: number, position?: object) => typed({ id, ...(position && { position }) });

  async function fillTo(size: number): Promise<void> {
    await database.run(raw(clear));
    await database.run(sql`${raw(fill)} WHERE id <= ${size}`);
  }

  it('of 100,000 is changed by a few statements that touch a few rows, in a few milliseconds', async () => {
    await fillTo(SIZE);
    const { count, around } = counting();
    const started = performance.now();
    await writeEntryBy(around, { database, type: hub, owner: 1 }, { [name]: { connect: [entry(SIZE + 1)] } });
    const change = {
      connect: [
        entry(SIZE + 2, { after: typed({ id: MIDDLE }) }),
        entry(2, { before: typed({ id: MIDDLE }) }),
        entry(SIZE + 3, { start: true }),
      ],
      disconnect: [entry(3), entry(MIDDLE + 1)],
    };
    await writeEntryBy(around, { database, type: hub, owner: 1 }, { [name]: change });
    expect(performance.now() - started).toBeLessThan(1000);
    // Appending to a list of links reads nothing of the list.
    expect(count.statements).toBe((name.startsWith('many') ? 7 : 8) + versions);
    expect(count.read).toBeLessThan(20);
    expect(count.written).toBe(6 + (name === 'manyMany' ? 5 : 0));
    const list = await members(name);
    expect(list).toHaveLength(SIZE + 1);
    expect(list.slice(0, 3)).toStrictEqual([`leaf:${SIZE + 3}`, 'leaf:1', 'leaf:4']);
    expect(list.at(-1)).toBe(`leaf:${SIZE + 1}`);
    const middle = list.indexOf(`leaf:${MIDDLE}`);
    const nearby = [`leaf:2`, `leaf:${MIDDLE}`, `leaf:${SIZE + 2}`, `leaf:${MIDDLE + 2}`];
    expect(list.slice(middle - 1, middle + 3)).toStrictEqual(nearby);
  });

  it('takes 10,000 entries at once, each placed after a later one, with as many statements', async () => {
    await fillTo(SHORT);
    const { count, around } = counting();
    const connect = Array.from({ length: 10_000 }, (_, index) => {
      const anchor = index === 9999 ? MIDDLE : SIZE + index + 2;
      return entry(SIZE + index + 1, { after: typed({ id: anchor }) });
    });
    const started = performance.now();
    await writeEntryBy(around, { database, type: hub, owner: 1 }, { [name]: { connect } });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(count.statements).toBeLessThanOrEqual(4);
    expect(count.written).toBe(name === 'manyMany' ? 20_000 : 10_000);
    const list = await members(name);
    const middle = list.indexOf(`leaf:${MIDDLE}`);
    expect([middle, list[middle + 1], list[middle + 10_000]]).toStrictEqual([
      MIDDLE - 1,
      `leaf:${SIZE + 10_000}`,
      `leaf:${SIZE + 1}`,
    ]);
  });

  it('is replaced with a few statements, without writing rows that stay', async () => {
    await fillTo(SHORT);
    const { count, around } = counting();
    const ids = Array.from({ length: 5000 }, (_, index) => entry(index + 1));
    await writeEntryBy(around, { database, type: hub, owner: 1 }, { [name]: [...ids, entry(SIZE + 9)] });
    expect(count.statements).toBeLessThanOrEqual(name === 'manyMany' ? 6 : 5);
    expect(count.written).toBe((SHORT - 5000 + 1) * (name === 'manyMany' ? 2 : 1));
    expect((await members(name)).slice(4998)).toStrictEqual(['leaf:4999', 'leaf:5000', `leaf:${SIZE + 9}`]);
  });

  it('takes 2,000 entries at one place, one after the other, by moving a few neighbors', async () => {
    await fillTo(SHORT);
    const { count, around } = counting();
    for (let index = 0; index < 2000; index += 1) {
      const connect = [entry(SIZE + index + 1, { after: typed({ id: MIDDLE }) })];
      await writeEntryBy(around, { database, type: hub, owner: 1 }, { [name]: { connect } });
    }
    expect(count.statements / 2000).toBeLessThan(6);
    expect(count.written / 2000).toBeLessThan(12);
    const list = await members(name);
    expect(list).toHaveLength(SHORT + 2000);
    expect(list.slice(MIDDLE, MIDDLE + 2)).toStrictEqual([`leaf:${SIZE + 2000}`, `leaf:${SIZE + 1999}`]);
    expect(list[MIDDLE + 2000]).toBe(`leaf:${MIDDLE + 1}`);
  });
});
