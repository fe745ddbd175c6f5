/** Migrations that are too large for one transaction of PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { countingLocks } from '../../test/support/locks.ts';
// @ts-expect-error: it has no types.
import { manyTypes } from '../../test/support/many-types.js';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate } from '../../templates/runtime/src/migrator/migrate.ts';
import { MAX_LOCKS, transactionsOf } from './plan/postgres-transactions.ts';
import { printSql } from './sql/print-sql.ts';
import { splitForeignKeys } from './plan/step.ts';

const COMMIT = /^-- content-gen: commit\b/gmu;

function manyModels(count: number): Models {
  return modelsOf(manyTypes(count) as string);
}

describe('a migration of many types', () => {
  it('E02: is several transactions on PostgreSQL alone, and says how many locks they take', () => {
    const plan = nextPlan(manyModels(120), [], []);
    const { up, down } = printSql(plan, 'postgres');
    const parts = (up.match(COMMIT)?.length ?? 0) + 1;
    expect(parts).toBeGreaterThan(2);
    expect(down.match(COMMIT)?.length).toBeGreaterThan(2);
    const [, count, locks] = /^-- Runs as (\d+) transactions of at most (\d+) locks each/mu.exec(up) ?? [];
    expect(Number(count)).toBe(parts);
    expect(Number(locks)).toBeLessThanOrEqual(MAX_LOCKS);
    expect(up).toContain('max_locks_per_transaction');
    for (const dialect of ['sqlite', 'mysql'] as const) expect(printSql(plan, dialect).up).not.toMatch(COMMIT);
    const steps = splitForeignKeys(plan.changes);
    expect(transactionsOf(steps).flatMap((one) => one.steps)).toStrictEqual(steps);
  });

  it('E02: is one transaction where it is of the usual size', () => {
    const { up } = printSql(nextPlan(manyModels(20), [], []), 'postgres');
    expect(up).not.toMatch(COMMIT);
  });
});

describe.skipIf(!(await testedEngines()).includes('postgres'))('PostgreSQL', () => {
  let folder: string;
  let tested: TestDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    tested = await createDatabase('postgres', 'many_types');
  });
  afterEach(async () => {
    await tested.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('E02: holds few locks at a time while many types are created and dropped', async () => {
    const directory = await writePlans(folder, [nextPlan(manyModels(80), [], [])]);
    const database = await openDatabase(tested.url);
    try {
      const held: number[] = [];
      const counted = countingLocks(database, (locks) => held.push(locks));
      for (const direction of ['up', 'down', 'up'] as const) {
        const { changed } = await migrate(counted, { directory, dialect: 'postgres' }, direction);
        expect(changed).toHaveLength(1);
      }
      expect(held.length).toBeGreaterThan(9);
      expect(Math.max(...held)).toBeGreaterThan(MAX_LOCKS / 2);
      expect(Math.max(...held)).toBeLessThanOrEqual(MAX_LOCKS);
    } finally {
      await database.close();
    }
  }, 240_000);
});
