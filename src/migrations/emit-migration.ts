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
  const printed = databases.map((dialect) => ({ dialect, ...printSql(plan, dialect, maxLocks) }));
  const added = printed.flatMap(({ dialect, scripts }) => (scripts ? [[dialect, scripts] as const] : []));
  const scripts = { ...plan.scripts, ...Object.fromEntries(added) };
  const whole = Object.keys(scripts).length > 0 ? { ...plan, scripts } : plan;
  return [
    ['plan.json', printCompactJson(whole)],
    ...printed.flatMap(({ dialect, up, down }) => [
      [`${dialect}/up.sql`, up] as const,
      [`${dialect}/down.sql`, down] as const,
    ]),
  ];
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
    const texts = new Map(isComplete ? [] : textsOf(plan, lacks, input.maxLocks));
    const files = new Map([...texts, ...written]);
    // In former formats, plans don't say how scripts run.
    const completed = plan.scripts && written.has('plan.json') ? texts.get('plan.json') : undefined;
    if (completed !== undefined) files.set('plan.json', completed);
    return { name: plan.name, files, isCompleted: completed !== undefined };
  });
  const written = migrations.flatMap(({ name, files, isCompleted }) =>
    [...files].map(([path, text]): GeneratedFile => {
      const file = textFile(`${FOLDER}/${name}/${path}`, 'history', text);
      return isCompleted && path === 'plan.json' ? { ...file, isCompleted } : file;
    }),
  );
  return [...written, textFile(SUM_FILE, 'managed', printSum(sumOf(migrations)))];
}
