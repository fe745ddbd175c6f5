/** Write plans: each statement has its own result, and either all of them are kept or none. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProxy } from '../../test-support/proxy.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { type Database, UniqueViolation } from './database.ts';
import type { Executor } from './executor.ts';
import { type Planner, statement, type Statement, type Step, type Transaction, type WritePlan } from './write-plan.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { connectMysql } from './mysql-connection.ts';
import type { Guard } from './guard.ts';
import { NewId } from './new-id.ts';
import { openDatabase } from './open-database.ts';
import { createServerDatabase, type ServerDriver } from './server-database.ts';
import { raw, sql, type Sql } from './sql.ts';

const TABLES = `
CREATE TABLE notes (id {id}, name {string}, of_note {key});
CREATE UNIQUE INDEX notes_name ON notes (name);
CREATE TABLE counters (id {id}, v {integer} NOT NULL);
INSERT INTO counters (v) VALUES (0), (0);
`;

const add = (id: number, by = 1) => sql`UPDATE counters SET v = v + ${by} WHERE id = ${id}`;
const note = (name: string) => sql`INSERT INTO notes (name) VALUES (${name})`;
const nothing = (): undefined => undefined;

function planOf(...steps: readonly Step[]): WritePlan<undefined> {
  return { subjects: [], steps, answer: nothing };
}

const planner =
  (...steps: readonly Step[]): Planner<undefined> =>
  () =>
    Promise.resolve(planOf(...steps));

const changing = (change: Sql): Statement => ({ sql: change, returns: 'changes' });

async function counters(on: Executor): Promise<unknown[]> {
  return (await on.all(raw('SELECT v FROM counters ORDER BY id'))).map(({ v }) => v);
}

async function names(on: Executor): Promise<unknown[]> {
  return (await on.all(raw('SELECT name FROM notes ORDER BY id'))).map(({ name }) => name);
}

const engines = await testedEngines();

describe.each(engines)('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await openEngine(engine, 'write_plans', TABLES, { poolSize: 3 });
    ({ database } = opened);
  });
  afterAll(() => opened.drop());
  beforeEach(async () => {
    await database.run(raw('UPDATE counters SET v = 0'));
    await database.run(raw('DELETE FROM notes'));
  });

  it('returns from each statement what was requested', async () => {
    const all = changing(raw('UPDATE counters SET v = v + 1 -- all of them'));
    const none = changing(add(99));
    const odd = raw("INSERT INTO notes (name, of_note) VALUES ('it''s RETURNING ; a ? not the END', 7)");
    const answer = await database.write(() =>
      Promise.resolve({
        subjects: [],
        steps: [statement(add(1)), all, none, statement(odd)],
        read: raw('SELECT name, (SELECT SUM(v) FROM counters) AS total FROM notes'),
        answer: ({ of, rows }) => [of(all).changes, of(none).changes, rows[0]?.['name'], Number(rows[0]?.['total'])],
      }),
    );
    expect(answer).toStrictEqual([2, 0, "it's RETURNING ; a ? not the END", 3]);
    expect(await counters(database)).toStrictEqual([2, 1]);
  });

  it('keeps nothing if one fails, and names the key that refused its row', async () => {
    await database.run(note('taken'));
    const refused = database.write(planner(statement(add(1)), statement(note('taken')), statement(add(2))));
    const reason = await refused.catch((error: unknown) => error);
    expect(reason).toBeInstanceOf(UniqueViolation);
    expect(reason).toMatchObject({ table: 'notes', columns: ['name'] });
    const later: Step = () => Promise.reject(new Error('not so'));
    await expect(database.write(planner(statement(add(1)), later))).rejects.toThrow('not so');
    expect(await counters(database)).toStrictEqual([0, 0]);
  });

  it.each(['changes', 'nothing'] as const)(
    'keeps nothing if a statement finds no row, wherever it is in the plan (%s)',
    async (returns) => {
      const noRowError = (): Error => new Error('gone');
      const lost: Statement = { sql: add(99), returns, noRowError };
      for (const steps of [
        [lost],
        [lost, statement(add(1))],
        [statement(add(1)), lost],
        [statement(add(1)), lost, lost],
      ]) {
        await expect(database.write(planner(...steps))).rejects.toThrow('gone');
      }
      const outer = database.transaction(async (tx) => {
        await tx.run(add(2));
        await tx.write(planner(statement(add(1)), lost)).catch(nothing);
      });
      await expect(outer).rejects.toThrow('gone');
      expect(await counters(database)).toStrictEqual([0, 0]);
      const found: Statement = { sql: add(1), returns, noRowError };
      await database.write(planner(found, statement(add(2))));
      expect(await counters(database)).toStrictEqual([1, 1]);
    },
  );

  it('uses the ids of new rows in later statements, also of several rows of one table', async () => {
    const insert = (name: string, of: NewId | null, generatedId: NewId): Statement => ({
      sql: sql`INSERT INTO notes (name, of_note) VALUES (${name}, ${of})`,
      returns: 'nothing',
      generatedId,
    });
    const [a, b, c] = [new NewId('notes'), new NewId('notes'), new NewId('notes')];
    const parentOf = (id: NewId): Sql => sql`UPDATE notes SET of_note = ${id} WHERE name = 'a' AND name <> '?'`;
    const known: number[] = [];
    const later: Step = async (tx) => {
      known.push(a.value, b.value);
      expect(await tx.get(sql`SELECT name FROM notes WHERE id = ${b}`)).toStrictEqual({ name: 'b' });
      return [insert('c', b, c), statement(parentOf(c))];
    };
    await database.write(() =>
      Promise.resolve({
        ...planOf(insert('a', null, a), insert('b', a, b), statement(parentOf(b)), later),
        read: sql`SELECT name FROM notes WHERE id = ${c}`,
        answer({ rows }) {
          expect(rows).toStrictEqual([{ name: 'c' }]);
          return undefined;
        },
      }),
    );
    const rows = await database.all(raw('SELECT id, name, of_note FROM notes ORDER BY id'));
    const [x = 0, y = 0, z = 0] = rows.map(({ id }) => Number(id));
    expect(rows.map((row) => [row['name'], row['of_note']])).toStrictEqual([
      ['a', z],
      ['b', x],
      ['c', y],
    ]);
    expect(known).toStrictEqual([x, y]);
  });

  it('is part of an open transaction', async () => {
    await database.transaction(async (tx) => {
      await tx.run(add(1));
      const seen = await tx.write(async (inner) => {
        expect(await counters(inner)).toStrictEqual([1, 0]);
        return {
          ...planOf(statement(add(2))),
          read: raw('SELECT v FROM counters WHERE id = 2'),
          answer: ({ rows }) => rows,
        };
      });
      expect(seen).toStrictEqual([{ v: 1 }]);
      expect(await counters(database)).toStrictEqual([0, 0]);
    });
    expect(await counters(database)).toStrictEqual([1, 1]);
    const undone = database.transaction(async (tx) => {
      await tx.write(planner(statement(add(2))));
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await counters(database)).toStrictEqual([1, 1]);
  });

  it('plans in the transaction, which refuses what comes after its end', async () => {
    let late: Transaction | undefined;
    await database.write(async (tx) => {
      late = tx;
      expect(await counters(tx)).toStrictEqual([0, 0]);
      return planOf(statement(add(1)));
    });
    await expect(late?.run(add(1))).rejects.toThrow('has ended');
    await expect(database.write(() => Promise.reject(new Error('nothing to plan')))).rejects.toThrow('nothing to plan');
    expect(await counters(database)).toStrictEqual([1, 0]);
  });
});

describe.each(engines.filter((engine) => engine !== 'sqlite'))('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await openEngine(engine, 'write_guards', TABLES, { poolSize: 3 });
    ({ database } = opened);
  });
  afterAll(() => opened.drop());
  beforeEach(() => database.run(raw('UPDATE counters SET v = 0')));

  const locked = (...ids: readonly number[]) =>
    sql`SELECT t.id FROM counters AS t WHERE ${database.dialect.isOneOf(raw('t.id'), ids)} ORDER BY t.id FOR UPDATE`;
  const guardOf = (...ids: readonly number[]): Guard => ({
    rows: [{ table: 'counters', ids: new Set(ids), locks: true, select: () => locked(...ids) }],
    isKeyed: false,
  });

  it('takes effect once, however often a deadlock rolls it back', async () => {
    const swap = (from: number, to: number) => {
      const pause: Step = () => sleep(5).then(() => [statement(add(to)), statement(add(from, 100))]);
      return database.write(planner(statement(add(from)), pause));
    };
    for (let round = 0; round < 2; round += 1) await Promise.all([swap(1, 2), swap(2, 1)]);
    expect(await counters(database)).toStrictEqual([204, 204]);
  });

  it('is one round trip, including its guards and its result', async () => {
    const proxy = await openProxy(opened.url);
    const proxied = await openDatabase(proxy.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize: 1 });
    const write = () =>
      proxied.write((tx) => {
        expect(tx.assume(guardOf(1))).toBe(true);
        const read = raw('SELECT v FROM counters WHERE id = 1');
        return Promise.resolve({ ...planOf(statement(add(1))), read, answer: ({ rows }) => rows });
      });
    const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
      // Statements are prepared on their second run.
      for (let round = 0; round < 2; round += 1) await work();
      const before = proxy.roundTrips();
      await work();
      return proxy.roundTrips() - before;
    };
    try {
      expect(await tripsOf(write)).toBe(1);
      expect(await tripsOf(() => proxied.write(planner(statement(add(1)))))).toBe(1);
      expect(await tripsOf(() => proxied.write((tx) => tx.all(locked(1)).then(() => planOf(statement(add(1))))))).toBe(
        2,
      );
    } finally {
      await proxied.close();
      await proxy.close();
    }
  });

  it('is the same if each statement waits for the one before, as on MySQL', async ({ skip }) => {
    if (engine !== 'mysql') skip('the other drivers always send batches');
    const connect = () =>
      connectMysql(new Map(), { url: opened.url, setUp: [], statementTimeout: 1000, connectTimeout: 5000 });
    const driver: ServerDriver = {
      dialect: { ...database.dialect, batches: undefined, insertReturns: false },
      connect,
      connectUnlimited: connect,
      connectToMigrate: connect,
      rowEstimates: raw('SELECT NULL AS name, 0 AS estimate'),
      beginSnapshot: [],
      lockMigrations: () => Promise.resolve(() => Promise.resolve()),
    };
    const plain = createServerDatabase(driver, DEFAULT_DATABASE_SETTINGS, await connect());
    try {
      const generatedId = new NewId('notes');
      const insert: Statement = { sql: note('plain'), returns: 'nothing', generatedId };
      const update = sql`UPDATE notes SET of_note = ${generatedId} WHERE id = ${generatedId}`;
      const answer = await plain.write((tx) => {
        expect(tx.assume(guardOf(99))).toBe(false);
        const read = raw('SELECT of_note FROM notes');
        return Promise.resolve({ ...planOf(insert, statement(update)), read, answer: ({ rows }) => rows });
      });
      expect(answer).toStrictEqual([{ of_note: generatedId.value }]);
      const refused = plain.write(planner(statement(add(1)), statement(note('plain'))));
      await expect(refused).rejects.toMatchObject({ table: 'notes', columns: ['name'] });
      await expect(plain.write(planner(statement(note('plain'))))).rejects.toBeInstanceOf(UniqueViolation);
      expect([await counters(plain), await names(plain)]).toStrictEqual([[0, 0], ['plain']]);
    } finally {
      await plain.close();
    }
  });

  describe('a guard', () => {
    it('holds: then everything is done at once', async () => {
      let plans = 0;
      await database.write((tx) => {
        plans += 1;
        tx.assume(guardOf(1, 2));
        return Promise.resolve(planOf(statement(add(1))));
      });
      expect(plans).toBe(1);
      expect(await counters(database)).toStrictEqual([1, 0]);
    });

    it('is refused in a write within a transaction, which would be rolled back with it', async () => {
      const assumed: boolean[] = [];
      await database.transaction(async (tx) => {
        await tx.run(add(1));
        await tx.write((inner) => {
          assumed.push(inner.assume(guardOf(99)));
          return Promise.resolve(planOf(statement(add(2))));
        });
      });
      await database.write((tx) => {
        const within = () =>
          tx
            .write((inner) => {
              assumed.push(inner.assume(guardOf(99)));
              return Promise.resolve(planOf(statement(add(2))));
            })
            .then(() => []);
        return Promise.resolve(planOf(statement(add(1)), within));
      });
      expect(assumed).toStrictEqual([false, false]);
      expect(await counters(database)).toStrictEqual([2, 2]);
    });

    it('fails: then nothing was done, and it is planned again without', async () => {
      const assumed: boolean[] = [];
      await database.write(async (tx) => {
        assumed.push(tx.assume(guardOf(1, 99)));
        if (!assumed.at(-1)) expect(await tx.all(locked(99))).toStrictEqual([]);
        return planOf(statement(add(2)));
      });
      expect(assumed).toStrictEqual([true, false]);
      expect(await counters(database)).toStrictEqual([0, 1]);
    });

    it.each([2, 99])(
      'is checked by the statement that changes its rows, wherever that is in the plan: 1 and %i',
      async (other) => {
        const assumed: boolean[] = [];
        const isOneOf = database.dialect.isOneOf(raw('id'), [1, other]);
        const changedRows = { table: 'counters', ids: new Set([1, other]) };
        const all: Statement = { ...statement(sql`UPDATE counters SET v = v + 1 WHERE ${isOneOf}`), changedRows };
        const last = changing(add(1, 10));
        const changes = await database.write((tx) => {
          assumed.push(tx.assume(guardOf(1, other)));
          const plan = planOf(statement(add(2, 100)), all, last);
          return Promise.resolve({ ...plan, answer: ({ of }) => of(last).changes });
        });
        expect(changes).toBe(1);
        expect(assumed).toStrictEqual(other === 99 ? [true, false] : [true]);
        expect(await counters(database)).toStrictEqual(other === 99 ? [11, 100] : [11, 101]);
      },
    );

    it('is dropped if the planner fails: it plans again before the error is reported', async () => {
      const refused = database.write((tx) => {
        const isAssumed = tx.assume(guardOf(99));
        throw new Error(isAssumed ? 'half of what is wrong' : 'all that is wrong');
      });
      await expect(refused).rejects.toThrow('all that is wrong');
    });

    it('is not made in an open transaction, whose work would be lost', async () => {
      await database.transaction(async (tx) => {
        await tx.write((inner) => {
          expect(inner.assume(guardOf(99))).toBe(false);
          return Promise.resolve(planOf(statement(add(1))));
        });
      });
      expect(await counters(database)).toStrictEqual([1, 0]);
    });

    it('waits for others that hold its rows, and later statements see what they have written', async () => {
      const second = 'UPDATE counters SET v = v + (SELECT n FROM (SELECT v AS n FROM counters WHERE id = 1) AS one)';
      const holding = new EventEmitter();
      const first = database.transaction(async (tx) => {
        await tx.run(add(1, 5));
        holding.emit('locked');
        await sleep(100);
        await tx.run(add(1, 5));
      });
      await once(holding, 'locked');
      await database.write((tx) => {
        tx.assume(guardOf(1));
        return Promise.resolve(planOf(statement(raw(`${second} WHERE id = 2`))));
      });
      await first;
      expect(await counters(database)).toStrictEqual([10, 10]);
    });

    it('keeps its rows from others', async () => {
      const order: string[] = [];
      const holding = new EventEmitter();
      const first = database.write(async (tx) => {
        tx.assume(guardOf(1));
        await tx.all(raw('SELECT 1 AS one'));
        holding.emit('locked');
        await sleep(100);
        order.push('first');
        return planOf();
      });
      await once(holding, 'locked');
      await database.run(add(2));
      order.push('another row');
      await database.run(add(1));
      order.push('second');
      await first;
      expect(order).toStrictEqual(['another row', 'first', 'second']);
    });
  });
});
