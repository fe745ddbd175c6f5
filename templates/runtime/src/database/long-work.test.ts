/** Long-running work on every engine: a snapshot that is read, and a transaction that writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import type { Database } from './database.ts';
import type { Executor } from './executor.ts';
import { raw, sql } from './sql.ts';

const TABLES = `
CREATE TABLE notes (id {id}, name {string});
INSERT INTO notes (name) VALUES ('a'), ('b');
`;

describe.each(await testedEngines())('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await openEngine(engine, 'long_work', TABLES);
    ({ database } = opened);
  });
  afterAll(() => opened.drop());

  const names = async (executor: Executor) =>
    (await executor.all(raw('SELECT name FROM notes ORDER BY id'))).map(({ name }) => name);
  const add = (executor: Executor, name: string) => executor.run(sql`INSERT INTO notes (name) VALUES (${name})`);

  it('a snapshot keeps seeing the state that it began with, and cannot write', async () => {
    const before = await names(database);
    await database.snapshot(async (reader) => {
      await add(database, 'later');
      expect(await names(reader)).toEqual(before);
      expect(await names(database)).toEqual([...before, 'later']);
      await expect(database.snapshot((one) => add(one, 'never'))).rejects.toThrow(/read.?only/iu);
    });
    expect(await names(database)).toEqual([...before, 'later']);
  });

  it('a long transaction is committed completely or not at all, and visible only then', async () => {
    const before = await names(database);
    const failing = database.longTransaction(async (tx) => {
      await add(tx, 'x');
      expect(await names(database)).toEqual(before);
      throw new Error('not this time');
    });
    await expect(failing).rejects.toThrow('not this time');
    expect(await names(database)).toEqual(before);
    await database.longTransaction((tx) => add(tx, 'y'));
    expect(await names(database)).toEqual([...before, 'y']);
  });

  it('the ids of a table continue where they are set to', async () => {
    const { dialect } = database;
    expect(await dialect.lastId(database, 'notes')).toBeGreaterThanOrEqual((await names(database)).length);
    await database.longTransaction((tx) => dialect.setLastId(tx, 'notes', 5000));
    expect(await dialect.lastId(database, 'notes')).toBe(5000);
    await database.run(sql`INSERT INTO notes (name) VALUES ('z')`);
    const last = await database.get(sql`SELECT MAX(id) AS id FROM notes`);
    expect([Number(last?.['id']), await dialect.lastId(database, 'notes')]).toEqual([5001, 5001]);
  });
});
