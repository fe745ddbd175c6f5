/** The drift that the runtime detects between a database and its migrations. */
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { printSql } from '../../src/migrations/sql/print-sql.ts';
import type { MigrationFiles } from '../../templates/runtime/src/contract/migration-sum.ts';
import { describeDrift } from '../../templates/runtime/src/migrator/drift/describe-drift.ts';
import { driftFrom } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';

/** All drift, one line per difference; empty if the database matches these migrations. */
export async function driftAfter(
  database: TestDatabase,
  migrations: readonly MigrationFiles[],
): Promise<readonly string[]> {
  const { dialect } = database;
  const { drifted, undeclared, unknown } = await driftFrom(await database.reader(), migrations);
  const lines = [...drifted, ...undeclared].map((thing) => describeDrift(thing, dialect));
  return [...lines, ...(unknown === undefined ? [] : [unknown])];
}

/** The migration files of these plans for one engine. */
export function filesOfPlans(
  plans: readonly MigrationPlan[],
  dialect: TestDatabase['dialect'],
): readonly MigrationFiles[] {
  return plans.map((plan) => ({
    name: plan.name,
    files: new Map([
      ['plan.json', JSON.stringify(plan)],
      [`${dialect}/up.sql`, printSql(plan, dialect).up],
    ]),
  }));
}
