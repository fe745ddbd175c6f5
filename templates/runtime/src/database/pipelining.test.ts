/** Statements of transactions that are sent before earlier ones are answered: each has its own answer, or none is done. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, testedEngines, type RuntimeDatabase } from '../../../../test/support/runtime-database.ts';
import { UniqueViolation, type Database, type Executor } from './database.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { connectMysql } from './mysql-connection.ts';
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
    opened = await openEngine(engine, 'pipelining', TABLES, { poolSize: 2 });
    ({ database } = opened);
  });
  afterAll(() => opened.drop());

  const add = (id: number, by = 1) => sql`UPDATE counters SET v = v + ${by} WHERE id = ${id}`;
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
      lockMigrations: () => Promise.resolve(true),
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

  it('is one round trip where a whole transaction is sent', async ({ skip }) => {
    if (database.dialect.pipelining !== 'batches') skip('only what is sent as batches can be counted');
    const one = await openEngine(engine, 'one_batch', TABLES, { poolSize: 1 });
    try {
      const executed = async () =>
        Number((await one.database.get(raw("SHOW SESSION STATUS LIKE 'Com_stmt_execute'")))?.['Value']);
      const before = await executed();
      const seen = await one.database.transaction(async (tx) => {
        await send(tx, add(1));
        return last(tx, raw('SELECT v FROM counters WHERE id = 1'));
      });
      expect(seen).toStrictEqual({ v: 1 });
      // The batch, and the question.
      expect((await executed()) - before).toBe(2);
    } finally {
      await one.drop();
    }
  });
});
