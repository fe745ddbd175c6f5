/** Sorting by as many long texts as a query may name, on MariaDB and MySQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { MAX_SORT_KEYS } from '../contract/limits.ts';
import { raw, sql } from './sql.ts';

const isTested = (await testedEngines()).includes('mysql');

const columns = Array.from({ length: MAX_SORT_KEYS }, (_, index) => `text_${index}`);
const LAST = columns.at(-1);

describe.runIf(isTested)(`sorting by ${MAX_SORT_KEYS} texts`, () => {
  let opened: RuntimeDatabase;
  beforeAll(async () => {
    opened = await openEngine('mysql', 'sort_memory');
    const { database } = opened;
    await database.run(
      raw(`CREATE TABLE texts (id bigint PRIMARY KEY, ${columns.map((name) => `${name} longtext`).join(', ')})`),
    );
    // Only the last key tells the rows apart.
    await database.run(
      raw(`INSERT INTO texts WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        SELECT i, ${columns.map((name) => (name === LAST ? `LPAD(900 - i, 3, '0')` : `'same'`)).join(', ')} FROM n`),
    );
  });
  afterAll(() => opened?.drop());

  const sorted = (limit: number) => sql`SELECT id FROM texts ORDER BY ${raw(columns.join(', '))}, id LIMIT ${limit}`;
  const bufferOf = sql`SELECT @@sort_buffer_size AS size`;

  it.each([3, 25, 900])('lists the first %d rows', async (limit) => {
    const rows = await opened.database.all(sorted(limit));
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: limit }, (_, index) => 900 - index));
  });

  it('works in a transaction, and leaves the connection as it was', async () => {
    const seen = await opened.database.transaction(async (tx) => {
      const [before] = await tx.all(bufferOf);
      const [first] = await tx.all(sorted(25));
      return [first, before, ...(await tx.all(bufferOf))];
    });
    expect(seen).toEqual([{ id: 900 }, { size: 2_097_152 }, { size: 2_097_152 }]);
  });
});
