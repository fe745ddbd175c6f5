/** Migrations of consecutive models, as files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { printFile } from '../../src/files/generated-file.ts';
import { emitMigrations } from '../../src/migrations/emit-migration.ts';
import { migrationFiles } from '../../src/migrations/history/history-files.ts';
import { planFormat } from '../../src/migrations/history/plan-format.ts';
import { planMigration } from '../../src/migrations/plan/plan-migration.ts';
import { printSql } from '../../src/migrations/sql/print-sql.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import type { Models } from './evolving-model.ts';

/** The next migration after `history`. Throws if nothing has changed, or if the change needs further consent. */
export function nextPlan(models: Models, history: readonly MigrationPlan[], allowed: readonly string[]): MigrationPlan {
  const { value, diagnostics } = planMigration({ history, target: models.storage, notes: models.notes, allowed });
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join('\n') || 'nothing to do');
  return value;
}

/** Plans that follow `history`, as read back after writing them. */
export function readBack(history: readonly MigrationPlan[], plans: readonly MigrationPlan[]): readonly MigrationPlan[] {
  return [...history, ...plans]
    .map((plan): MigrationPlan => {
      const read = JSON.parse(JSON.stringify(plan));
      planFormat.parse(read);
      return read;
    })
    .slice(history.length);
}

/**
 * Writes all migrations into `folder`. Returns the folder for the migrator. `maxLocks`: the maximum number of locks of a
 * PostgreSQL transaction.
 */
export async function writePlans(folder: string, plans: readonly MigrationPlan[], maxLocks?: number): Promise<string> {
  let files: ReadonlyMap<string, string> = new Map();
  for (const plan of plans) {
    const history = plans.slice(0, migrationFiles(files).length);
    const emitted = emitMigrations({
      files,
      history,
      added: [plan],
      databases: ['sqlite', 'postgres', 'mysql'],
      maxLocks,
    });
    files = new Map(await Promise.all(emitted.map(async (file) => [file.path, await printFile(file)] as const)));
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return join(folder, 'migrations');
}

/** The catalogue of a new database after its first migration. The database is empty before and after. */
export async function catalogueOfNew(database: TestDatabase, plan: MigrationPlan | null): Promise<readonly string[]> {
  if (!plan) throw new Error('no plan for a new database');
  const { up, down } = printSql(plan, database.dialect);
  if (database.dialect === 'postgres') await database.script('BEGIN');
  await database.script(up);
  const lines = await database.catalogue();
  await database.script(database.dialect === 'postgres' ? 'ROLLBACK' : down);
  return lines;
}
