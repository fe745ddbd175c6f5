/** Key locks as rows, as on a Galera cluster: here on one server, where one transaction waits for the other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { connectMysql } from './mysql-connection.ts';
import { createKeyRows, lockKeyRows } from './mysql-key-rows.ts';
import { raw } from './sql.ts';

const isTested = (await testedEngines()).includes('mysql');

describe.runIf(isTested)('keys as rows', () => {
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    opened = await openEngine('mysql', 'key_rows');
    const options = { url: opened.url, setUp: [], statementTimeout: 0, connectTimeout: 5000 };
    const connections = await Promise.all([1, 2, 3].map(() => connectMysql(new Map(), options)));
    // Servers that start at once create one table.
    await Promise.all(connections.map(createKeyRows));
    await Promise.all(connections.map((connection) => connection.close()));
  });
  afterEach(() => opened.drop());

  const turns = async (): Promise<readonly number[]> =>
    (await opened.database.all(raw('SELECT turns FROM _key_locks ORDER BY slot'))).map((row) => Number(row['turns']));

  it('are held until the end of the transaction, in one order', async () => {
    const steps: string[] = [];
    const work = (name: string, keys: readonly string[]): Promise<void> =>
      opened.database.transaction(async (tx) => {
        await lockKeyRows(tx, keys);
        steps.push(`${name} in`);
        await tx.get(raw('SELECT SLEEP(0.05)'));
        steps.push(`${name} out`);
      });
    await Promise.all([work('x', ['a', 'b']), work('y', ['b', 'a']), work('z', ['b', 'c', 'b'])]);
    expect(steps.map((step) => step.split(' ')[1])).toStrictEqual(['in', 'out', 'in', 'out', 'in', 'out']);
  });

  it('are changed each time, as a cluster replicates only changed rows', async () => {
    const lock = (): Promise<void> => opened.database.transaction((tx) => lockKeyRows(tx, ['a', 'b', 'c']));
    await lock();
    const before = await turns();
    expect(before).toHaveLength(3);
    await lock();
    const after = await turns();
    expect(after.every((turn, index) => turn > (before[index] ?? 0))).toBe(true);
    await opened.database.transaction((tx) => lockKeyRows(tx, []));
    expect(await turns()).toStrictEqual(after);
  });
});
