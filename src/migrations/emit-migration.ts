/** Writes migrations as files. */
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { printCompactJson } from '../files/print-compact-json.ts';
import type { Dialect } from '../model/content-model.ts';
import { type GeneratedFile, textFile } from '../files/generated-file.ts';
import { MIGRATIONS_FOLDER as FOLDER, migrationFiles, SUM_FILE } from './history/history-files.ts';
import { printSql } from './sql/print-sql.ts';
import { printSum, sumOf } from './history/sum.ts';

/** The files of a migration: pairs of the path in its folder and the text. */
export function textsOf(
  plan: MigrationPlan,
  databases: readonly Dialect[],
  maxLocks?: number,
): readonly (readonly [string, string])[] {
  const scripts = databases.flatMap((dialect) => {
    const { up, down } = printSql(plan, dialect, maxLocks);
    return [[`${dialect}/up.sql`, up] as const, [`${dialect}/down.sql`, down] as const];
  });
  return [['plan.json', printCompactJson(plan)], ...scripts];
}

/** The files of one migration: its plan, and SQL for each database. They never change once written. */
export function emitMigration(plan: MigrationPlan, databases: readonly Dialect[]): readonly GeneratedFile[] {
  return textsOf(plan, databases).map(([path, text]) => textFile(`${FOLDER}/${plan.name}/${path}`, 'history', text));
}

/**
 * All files under `migrations/`: the existing ones unchanged, those of new plans, SQL of older plans for a database that was
 * added to the schema, and `migrations.sum`.
 */
export function emitMigrations(input: {
  /** The text of each existing file under `migrations/` by its path in the project. */
  readonly files: ReadonlyMap<string, string>;
  readonly history: readonly MigrationPlan[];
  /** New migrations of this build: none, one, or the two parts of one. */
  readonly added: readonly MigrationPlan[];
  readonly databases: readonly Dialect[];
  /** The maximum number of locks per PostgreSQL transaction. */
  readonly maxLocks?: number | undefined;
}): readonly GeneratedFile[] {
  const existing = new Map(migrationFiles(input.files).map(({ name, files }) => [name, files] as const));
  const plans = [...input.history, ...input.added];
  const migrations = plans.map((plan) => {
    const written = existing.get(plan.name) ?? new Map<string, string>();
    const lacks = input.databases.filter(
      (dialect) => !written.has(`${dialect}/up.sql`) || !written.has(`${dialect}/down.sql`),
    );
    const isComplete = written.has('plan.json') && lacks.length === 0;
    const files = new Map([...(isComplete ? [] : textsOf(plan, lacks, input.maxLocks)), ...written]);
    return { name: plan.name, files };
  });
  const written = migrations.flatMap(({ name, files }) =>
    [...files].map(([path, text]) => textFile(`${FOLDER}/${name}/${path}`, 'history', text)),
  );
  return [...written, textFile(SUM_FILE, 'managed', printSum(sumOf(migrations)))];
}
