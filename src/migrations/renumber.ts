/** Gives migrations new numbers. */
import { ENGINES } from '#contract/engines.ts';
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { readScript } from '#contract/migrations/read-script.ts';
import type { Script } from '#contract/migrations/script.ts';
import { printCompactJson } from '../files/print-compact-json.ts';
import type { Dialect } from '../model/content-model.ts';
import { textsOf } from './emit-migration.ts';
import { isDiagnostic } from './history/history-problem.ts';
import { numbered } from './history/names.ts';
import { readPlan } from './history/read-plan.ts';
import { printSql } from './sql/print-sql.ts';

/** The databases that all migrations have SQL for. */
export function dialectsOf(migrations: readonly MigrationFiles[]): readonly Dialect[] {
  const last = migrations.at(-1);
  return ENGINES.filter((dialect) => last?.files.has(`${dialect}/up.sql`));
}

/** A migration under another number. Edited SQL is kept. */
export function renumbered({ files, name }: MigrationFiles, plan: MigrationPlan, number: number): MigrationFiles {
  const moved = { ...plan, name: numbered(number, name.replace(/^\d+_/u, '')) };
  const dialects = dialectsOf([{ name, files }]);
  const texts = new Map(textsOf(moved, dialects));
  for (const dialect of dialects) {
    const before = printSql(plan, dialect);
    for (const direction of ['up', 'down'] as const) {
      const path = `${dialect}/${direction}.sql`;
      const text = files.get(path);
      if (text !== undefined && text !== before[direction]) texts.set(path, text);
    }
  }
  return withScripts({ name: moved.name, files: texts });
}

/** A migration whose plan says how its SQL runs, as the SQL itself does. Plans of former formats stay as they are. */
export function withScripts(migration: MigrationFiles): MigrationFiles {
  const { name, files } = migration;
  const plan = readPlan(migration);
  if (isDiagnostic(plan) || plan.format !== 3) return migration;
  const scriptOf = (dialect: Dialect, direction: 'up' | 'down'): Script =>
    readScript(files.get(`${dialect}/${direction}.sql`) ?? '', dialect);
  const scripts = Object.fromEntries(
    dialectsOf([migration]).map((dialect) => [
      dialect,
      { up: scriptOf(dialect, 'up'), down: scriptOf(dialect, 'down') },
    ]),
  );
  return { name, files: new Map([...files, ['plan.json', printCompactJson({ ...plan, scripts } as MigrationPlan)]]) };
}
