/** Processes that share a budget: together they never spend more, and lose little of it. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/costs/src/generated/app.ts';
import { openProject, type TestProject } from '../../../test-support/test-project.ts';
import type { HttpError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { databaseAttemptCounter } from '../../http/limits/database-attempt-counter.ts';
import { createLedger } from './ledger.ts';

const BUDGET = 1000;

let project: TestProject;
let databases: readonly Database[];

beforeAll(async () => {
  project = await openProject(definition);
  await (await project.start()).close();
  databases = [await project.open(), await project.open(), await project.open()];
});
afterAll(async () => {
  await Promise.all((databases ?? []).map((database) => database.close()));
  await project?.remove();
});

test('at the same time, over several minutes', async () => {
  let now = 1_700_000_000_000;
  let accounts = 0;
  const ledgers = databases.map((database) =>
    createLedger(
      databaseAttemptCounter(database, () => now),
      () => now,
    ),
  );
  const spending = fc.array(fc.record({ by: fc.nat(2), cost: fc.integer({ min: 1, max: 120 }) }), {
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(spending, async (all) => {
      const account = { name: `account ${(accounts += 1)}`, budget: BUDGET };
      for (let minute = 0; minute < 2; minute += 1) {
        const spent = await Promise.all(
          all.map(async ({ by, cost }) => {
            try {
              await ledgers[by]!.spend(account, cost);
              return cost;
            } catch (error) {
              expect((error as HttpError).status).toBe(429);
              return 0;
            }
          }),
        );
        const total = spent.reduce((sum, one) => sum + one, 0);
        const asked = all.reduce((sum, { cost }) => sum + cost, 0);
        expect(total).toBeLessThanOrEqual(BUDGET);
        // What is lost: the rest of a slice in each process, or the last request that did not fit.
        expect(total).toBeGreaterThanOrEqual(Math.min(asked, BUDGET - 3 * (BUDGET / 20 + 120)));
        now += 60_001;
      }
    }),
    { numRuns: 25 },
  );
});

test('a caller whose budget is spent costs the database nothing more', async () => {
  let writes = 0;
  const counter = {
    add: (_name: string, _seconds: number, by = 1) =>
      Promise.resolve({ attempts: (writes += 1) * 0 + by * writes, endsIn: 60_000 }),
    reset: () => Promise.resolve(),
  };
  const ledger = createLedger(counter);
  const account = { name: 'somebody', budget: 100 };
  for (let request = 0; request < 500; request += 1) await ledger.spend(account, 1).catch(() => undefined);
  expect(writes).toBeLessThanOrEqual(21);
});
