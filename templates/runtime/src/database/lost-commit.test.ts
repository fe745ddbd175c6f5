/** A COMMIT whose answer is lost may have been executed: it is reported as unknown, and never repeated. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test-support/engines.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { openProxy, type Proxy } from '../../test-support/proxy.ts';
import { UnknownOutcomeError } from '../contract/errors.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { raw } from './sql.ts';
import { statement } from './write-plan.ts';

const servers = (await testedEngines()).filter((engine) => engine !== 'sqlite');

if (servers.length === 0) test.skip('needs PostgreSQL or MariaDB', () => undefined);

describe.each(servers)('on %s', (engine) => {
  let made: TestDatabase;
  let proxy: Proxy;
  let database: Database;
  beforeAll(async () => {
    made = await createDatabase(engine, 'lost_commit');
    await made.script('CREATE TABLE notes (n integer)');
    proxy = await openProxy(made.url);
    database = await openDatabase(proxy.url);
  });
  afterAll(async () => {
    await database?.close();
    await proxy?.close();
    await made?.drop();
  });

  const INSERT = raw('INSERT INTO notes (n) VALUES (1)');
  const writes: readonly [string, () => Promise<unknown>][] = [
    ['a transaction', () => database.transaction((tx) => tx.run(INSERT))],
    [
      'a plan',
      () =>
        database.write(() =>
          Promise.resolve({ subjects: [], steps: [statement(INSERT), statement(INSERT)], answer: () => undefined }),
        ),
    ],
  ];

  test.each(writes)('%s is written once', async (_, write) => {
    const count = async () => Number((await made.rows('SELECT count(*) FROM notes'))[0]?.[0]);
    await made.script('DELETE FROM notes');
    await write();
    const once = await count();
    const lost = proxy.loseAnswerTo('COMMIT');
    await expect(write()).rejects.toBeInstanceOf(UnknownOutcomeError);
    await lost;
    expect(await count()).toBe(2 * once);
  });
});
