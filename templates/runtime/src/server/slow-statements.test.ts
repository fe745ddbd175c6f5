import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openEngine, testedEngines } from '../../test-support/runtime-database.ts';
import type { Logger } from '../http/log.ts';
import { sql } from '../database/sql.ts';
import { createSlowStatements } from './slow-statements.ts';

interface Line {
  readonly milliseconds: number;
  readonly statement: string;
  readonly plan?: readonly string[];
}

/** Statements that take longer than the limit, with a plan that shows the index. */
const SLOW = {
  sqlite: sql`SELECT (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500000) SELECT MAX(i) FROM n) AS x FROM books WHERE id = ${1}`,
  postgres: sql`SELECT pg_sleep(0.2) AS x FROM books WHERE id = ${1}`,
  mysql: sql`SELECT SLEEP(0.2) AS x FROM books WHERE id = ${1}`,
};

describe.each(await testedEngines())('slow statements on %s', (dialect) => {
  test('are logged with their plan, without values; others are not', async () => {
    const lines: Line[] = [];
    const logger = { warn: (line: Line) => void lines.push(line) } as unknown as Logger;
    const watch = createSlowStatements(50, logger);
    const script =
      "CREATE TABLE books (id {id}, title {string}) [table]; INSERT INTO books (title) VALUES ('one');".replace(
        ' [table]',
        '',
      );
    const { database, drop } = await openEngine(dialect, 'slow', script, { watch });
    try {
      watch.explainBy(database);
      await database.all(sql`SELECT title FROM books`);
      await database.all(SLOW[dialect]);
      await database.transaction((tx) => tx.all(SLOW[dialect]));
      await expect.poll(() => lines.length).toBeGreaterThanOrEqual(2);
      await sleep(50);
      expect(lines.map(({ statement }) => statement.includes('books WHERE id = ?'))).toEqual([true, true]);
      expect(lines[0]?.milliseconds).toBeGreaterThanOrEqual(50);
      expect(lines[0]?.plan?.join('\n')).toMatch(/books/u);
      // The same statement is explained at most once a minute.
      expect(lines[1]?.plan).toBeUndefined();
    } finally {
      await drop();
    }
  });
});
