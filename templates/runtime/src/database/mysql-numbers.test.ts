/** How numbers are bound on MariaDB and MySQL: as integers only where that makes a difference. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { raw, sql } from './sql.ts';

const isTested = (await testedEngines()).includes('mysql');

describe.runIf(isTested)('numbers', () => {
  let opened: RuntimeDatabase;
  beforeAll(async () => {
    opened = await openEngine('mysql', 'numbers');
    const { database } = opened;
    await database.run(
      raw(
        'CREATE TABLE rated (id bigint PRIMARY KEY AUTO_INCREMENT, rank_ int, place bigint, KEY by_rank (rank_, id))',
      ),
    );
    await database.run(
      raw(`INSERT INTO rated (rank_, place) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        SELECT i % 7, i FROM n`),
    );
  });
  afterAll(() => opened?.drop());

  const planOf = async (statement: ReturnType<typeof sql>) =>
    (await opened.database.all(sql`EXPLAIN ${statement}`)).map((row) => `${row['key']} ${row['Extra']}`).join();

  it('count rows', async () => {
    const rows = await opened.database.all(sql`SELECT id FROM rated WHERE rank_ = ${3} LIMIT ${2} OFFSET ${1}`);
    expect(rows).toEqual([{ id: 10 }, { id: 17 }]);
  });

  it.each(['rank_, id', 'rank_ DESC, id DESC'])('keep the order of an index: %s', async (order) => {
    const plan = await planOf(sql`SELECT id FROM rated WHERE rank_ = ${3} ORDER BY ${raw(order)} LIMIT 5`);
    expect(plan).toContain('by_rank');
    expect(plan).not.toContain('filesort');
  });

  it('find rows by the index', async () => {
    expect(await planOf(sql`SELECT id FROM rated WHERE rank_ = ${3} AND id > ${100}`)).toContain('by_rank');
    expect(await planOf(sql`SELECT place FROM rated WHERE id IN (${5}, ${6})`)).toContain('PRIMARY');
  });

  it('are stored exactly', async () => {
    for (const place of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0, 2n ** 62n + 1n]) {
      await opened.database.run(sql`UPDATE rated SET place = ${place} WHERE id = ${1}`);
      expect(
        await opened.database.all(sql`SELECT CAST(place AS CHAR) AS text FROM rated WHERE place = ${place}`),
      ).toEqual([{ text: String(place) }]);
    }
  });
});
