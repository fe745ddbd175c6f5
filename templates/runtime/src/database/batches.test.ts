/** Statements that are sent before earlier ones are answered: each has its own answer, or none is done. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProxy } from '../../../../test/support/proxy.ts';
import { openEngine, testedEngines, type RuntimeDatabase } from '../../../../test/support/runtime-database.ts';
import { UniqueViolation, type Database, type Executor } from './database.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { connectMysql } from './mysql-connection.ts';
import { openDatabase } from './open-database.ts';
import { last, send } from './send.ts';
import { createServerDatabase, type ServerDriver } from './server-database.ts';
import { raw, sql } from './sql.ts';

const TABLES = `
CREATE TABLE notes (id {id}, name {string}, returning_of {integer});
CREATE UNIQUE INDEX notes_name ON notes (name);
CREATE TABLE counters (id {id}, v {integer} NOT NULL);
INSERT INTO counters (v) VALUES (0), (0);
`;

const servers = (await testedEngines()).filter((engine) => engine !== 'sqlite');

describe.each(servers)('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await openEngine(engine, 'batches', TABLES, { poolSize: 3 });
    ({ database } = opened);
  });
  afterAll(() => opened.drop());

  const add = (id: number, by = 1) => sql`UPDATE counters SET v = v + ${by} WHERE id = ${id}`;
  const locked = (id: number) => sql`SELECT t.id FROM counters AS t WHERE t.id = ${id} FOR UPDATE`;
  const note = (name: string) => sql`INSERT INTO notes (name) VALUES (${name})`;
  const counters = async (on: Executor = database) =>
    (await on.all(raw('SELECT v FROM counters ORDER BY id'))).map(({ v }) => v);
  const reset = () => database.run(raw('UPDATE counters SET v = 0'));

  it('each statement has its own answer, whatever is sent with it', async () => {
    await reset();
    await database.transaction(async (tx) => {
      await send(tx, add(1));
      expect(await tx.run(raw('UPDATE counters SET v = v + 1 -- all of them'))).toStrictEqual({ changes: 2 });
      await send(tx, add(2));
      expect(await tx.run(add(99))).toStrictEqual({ changes: 0 });
      const both = [tx.run(add(1)), tx.all(raw("SELECT id FROM notes WHERE name = 'returning ; END'"))];
      expect(await Promise.all(both)).toStrictEqual([{ changes: 1 }, []]);
      expect(await counters(tx)).toStrictEqual([3, 2]);
      await send(tx, raw("INSERT INTO notes (name, returning_of) VALUES ('it''s ; not the end', 7)"));
      expect(await tx.get(raw('SELECT name, returning_of AS r FROM notes'))).toStrictEqual({
        name: "it's ; not the end",
        r: 7,
      });
    });
    expect(await counters()).toStrictEqual([3, 2]);
  });

  it('names the key that refused a row, whichever of the statements it was', async () => {
    await database.run(note('taken'));
    const refused = database.transaction(async (tx) => {
      await send(tx, add(1));
      await send(tx, note('taken'));
      await send(tx, add(2));
    });
    const reason = await refused.catch((error: unknown) => error);
    expect(reason).toBeInstanceOf(UniqueViolation);
    expect(reason).toMatchObject({ table: 'notes', columns: ['name'] });
  });

  it('does nothing of what is sent after one that fails, whenever that is', async () => {
    await reset();
    await database.run(
      raw("INSERT INTO notes (name) SELECT 'there' WHERE NOT EXISTS (SELECT 1 FROM notes WHERE name = 'there')"),
    );
    for (const pause of [undefined, 0, 1, 20]) {
      const work = database.transaction(async (tx) => {
        await send(tx, note('there'));
        if (pause !== undefined) await sleep(pause);
        await send(tx, add(1)).catch(() => undefined);
        if (pause !== undefined) await sleep(pause);
        await send(tx, add(2)).catch(() => undefined);
      });
      await expect(work).rejects.toBeInstanceOf(UniqueViolation);
    }
    expect(await counters()).toStrictEqual([0, 0]);
  });

  it('does what is sent once, however often a deadlock undoes it', async () => {
    await reset();
    const swap = (from: number, to: number) =>
      database.transaction(async (tx) => {
        await send(tx, add(from));
        await sleep(5);
        await send(tx, add(to));
        await send(tx, add(from, 100));
      });
    for (let round = 0; round < 2; round += 1) await Promise.all([swap(1, 2), swap(2, 1)]);
    expect(await counters()).toStrictEqual([204, 204]);
  });

  it('is the same where each statement waits for the one before, as on MySQL', async ({ skip }) => {
    if (engine !== 'mysql') skip('the other drivers always send ahead');
    await reset();
    const connect = () =>
      connectMysql(new Map(), { url: opened.url, setUp: [], statementTimeout: 1000, connectTimeout: 5000 });
    const driver: ServerDriver = {
      dialect: { ...database.dialect, batches: undefined },
      connect,
      connectUnlimited: connect,
      beginSnapshot: [],
      lockMigrations: () => Promise.resolve(() => Promise.resolve()),
    };
    const plain = createServerDatabase(driver, DEFAULT_DATABASE_SETTINGS, await connect());
    try {
      const seen = await plain.transaction(async (tx) => {
        await send(tx, add(1));
        expect(await tx.run(add(2))).toStrictEqual({ changes: 1 });
        return last(tx, raw('SELECT SUM(v) AS v FROM counters'));
      });
      expect(Number(seen?.['v'])).toBe(2);
      await plain.run(note('plain'));
      const refused = plain.transaction(async (tx) => {
        await send(tx, add(1));
        await send(tx, note('plain'));
      });
      await expect(refused).rejects.toMatchObject({ table: 'notes', columns: ['name'] });
      expect(await counters()).toStrictEqual([1, 1]);
    } finally {
      await plain.close();
    }
  });

  it('is one round trip where a whole transaction is sent', async () => {
    const proxy = await openProxy(opened.url);
    const proxied = await openDatabase(proxy.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize: 1 });
    const work = () =>
      proxied.transaction(async (tx) => {
        tx.presume?.([locked(1)], 1);
        await send(tx, add(1));
        return last(tx, raw('SELECT v FROM counters WHERE id = 1'));
      });
    try {
      // What is run for the second time is prepared.
      for (let round = 0; round < 2; round += 1) await work();
      await reset();
      const before = proxy.roundTrips();
      expect(await work()).toStrictEqual({ v: 1 });
      expect(proxy.roundTrips() - before).toBe(1);
    } finally {
      await proxied.close();
      await proxy.close();
    }
  });

  describe('what is presumed', () => {
    it('is so: then all is done at once', async () => {
      await reset();
      let runs = 0;
      await database.transaction(async (tx) => {
        runs += 1;
        tx.presume?.([locked(1), locked(2)], 2);
        await send(tx, add(1));
      });
      expect(runs).toBe(1);
      expect(await counters()).toStrictEqual([1, 0]);
    });

    it('is not so: then nothing was done, and the work is done again without', async () => {
      await reset();
      const presuming: boolean[] = [];
      const answer = await database.transaction(async (tx) => {
        presuming.push(tx.presume !== undefined);
        tx.presume?.([locked(1), locked(99)], 2);
        await send(tx, add(2));
        return (await tx.all(locked(99))).length;
      });
      expect(answer).toBe(0);
      expect(presuming).toStrictEqual([true, false]);
      expect(await counters()).toStrictEqual([0, 1]);
    });

    it('does not count where the work fails for another reason: it is done again before that is told', async () => {
      await reset();
      const presuming: boolean[] = [];
      const refused = database.transaction(async (tx) => {
        presuming.push(tx.presume !== undefined);
        tx.presume?.([locked(99)], 1);
        await send(tx, add(2));
        throw new Error(tx.presume ? 'half of what is wrong' : 'all that is wrong');
      });
      await expect(refused).rejects.toThrow('all that is wrong');
      expect(presuming).toStrictEqual([true, false]);
      expect(await counters()).toStrictEqual([0, 0]);
    });

    it('waits for others that have its rows, and what follows sees what they have written', async () => {
      await reset();
      const second = 'UPDATE counters SET v = v + (SELECT n FROM (SELECT v AS n FROM counters WHERE id = 1) AS one)';
      const holding = new EventEmitter();
      const first = database.transaction(async (tx) => {
        await tx.run(add(1, 5));
        holding.emit('locked');
        await sleep(100);
        await tx.run(add(1, 5));
      });
      await once(holding, 'locked');
      await database.transaction(async (tx) => {
        tx.presume?.([locked(1)], 1);
        await send(tx, raw(`${second} WHERE id = 2`));
      });
      await first;
      expect(await counters()).toStrictEqual([10, 10]);
    });

    it('keeps its rows from others', async () => {
      await reset();
      const order: string[] = [];
      const holding = new EventEmitter();
      const first = database.transaction(async (tx) => {
        tx.presume?.([locked(1)], 1);
        await tx.all(raw('SELECT 1 AS one'));
        holding.emit('locked');
        await sleep(100);
        order.push('first');
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
