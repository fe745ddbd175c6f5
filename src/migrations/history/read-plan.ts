/**
 * Reads `plan.json`. The commands that change the history validate a plan before its hash gets into `migrations.sum`; builds only
 * compare the hash.
 */
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { z } from 'zod';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { migrationFiles } from './history-files.ts';
import { isDiagnostic, problem, RESTORE } from './history-problem.ts';
import { mergedMigrations } from './merge-markers.ts';
import type { RecordedPlan } from './plan-codec.ts';

function broken({ name }: MigrationFiles, message: string): Diagnostic {
  return problem('broken-plan', `migrations/${name}/plan.json`, message, RESTORE);
}

/** The JSON of a plan, or an error. */
function readJson(migration: MigrationFiles): { readonly json: unknown } | Diagnostic {
  const text = migration.files.get('plan.json');
  if (text === undefined) {
    const message = `the migration ${migration.name} has no plan.json`;
    return problem('missing-plan', `migrations/${migration.name}/plan.json`, message, RESTORE);
  }
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return broken(migration, `the file is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** The plan of a migration, or an error. Only its top-level members are checked. */
export function readPlan(migration: MigrationFiles): RecordedPlan | Diagnostic {
  const read = readJson(migration);
  if (!('json' in read)) return read;
  const plan = read.json as Partial<RecordedPlan> | null;
  if ((plan?.format !== 1 && plan?.format !== 2) || !Array.isArray(plan.changes)) {
    return broken(migration, 'the file is not a migration plan');
  }
  if (plan.name !== migration.name) {
    return broken(migration, `the plan in the folder ${migration.name} has another name: ${String(plan.name)}`);
  }
  return plan as RecordedPlan;
}

/** Errors for invalid plans, each validated by itself. */
export async function findBrokenPlans(files: ReadonlyMap<string, string>): Promise<readonly Diagnostic[]> {
  const merged = mergedMigrations(files);
  if (merged.length > 0) return merged;
  const faults = await Promise.all(migrationFiles(files).map(findFault));
  return faults.filter((fault) => fault !== undefined);
}

/** The first problem with its path, such as `changes.3.table`, and the number of other problems. */
function firstIssue([first, ...others]: readonly z.core.$ZodIssue[]): string {
  const place = first?.path.join('.') ?? '';
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'})`;
  return `${place === '' ? '' : `${place}: `}${first?.message ?? ''}${more}`;
}

/** An error if a plan doesn't match the schema. */
async function findFault(migration: MigrationFiles): Promise<Diagnostic | undefined> {
  const plan = readPlan(migration);
  if (isDiagnostic(plan)) return plan;
  // Loaded lazily: builds don't need it.
  const { planFormat } = await import('./plan-format.ts');
  const { error } = planFormat.safeParse(plan);
  return error && broken(migration, `the file is not a valid migration plan: ${firstIssue(error.issues)}`);
}
