/** Gives migrations new numbers. */
import { ENGINES } from '#contract/engines.ts';
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Dialect } from '../model/content-model.ts';
import { textsOf } from './emit-migration.ts';
import { numbered } from './history/names.ts';
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
  return { name: moved.name, files: texts };
}
