/**
 * Reads `plan.json`. The commands that change the history validate a plan before its hash gets into `migrations.sum`; builds only
 * compare the hash.
 */
import type { MigrationFiles } from '#contract/migration-sum.ts';
import { decodePlans, type RecordedPlan } from '#contract/migrations/former-plans.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { z } from 'zod';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { migrationFiles } from './history-files.ts';
import { isDiagnostic, problem, RESTORE } from './history-problem.ts';
import { mergedMigrations } from './merge-markers.ts';

const FORMATS: ReadonlySet<unknown> = new Set([1, 2, 3]);

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
  if (!FORMATS.has(plan?.format) || !Array.isArray(plan?.changes)) {
    return broken(migration, 'the file is not a migration plan');
  }
  if (plan.name !== migration.name) {
    return broken(migration, `the plan in the folder ${migration.name} has another name: ${String(plan.name)}`);
  }
  return plan as RecordedPlan;
}

/** The first problem with its path, such as `changes.3.table`, and the number of other problems. */
function firstIssue([first, ...others]: readonly z.core.$ZodIssue[]): string {
  const place = first?.path.join('.') ?? '';
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'})`;
  return `${place === '' ? '' : `${place}: `}${first?.message ?? ''}${more}`;
}

/** The decoded plans; undefined if one of a former format can't be read. */
function decoded(plans: readonly RecordedPlan[]): readonly MigrationPlan[] | undefined {
  try {
    return decodePlans(plans);
  } catch {
    return undefined;
  }
}

/** Errors for invalid plans. */
export async function findBrokenPlans(files: ReadonlyMap<string, string>): Promise<readonly Diagnostic[]> {
  const merged = mergedMigrations(files);
  if (merged.length > 0) return merged;
  const migrations = migrationFiles(files);
  const read = migrations.map(readPlan);
  const unreadable = read.filter(isDiagnostic);
  if (unreadable.length > 0) return unreadable;
  const recorded = read.filter((plan): plan is RecordedPlan => !isDiagnostic(plan));
  const plans = decoded(recorded);
  if (!plans) {
    const first = recorded.findIndex((_, index) => !decoded(recorded.slice(0, index + 1)));
    return migrations.slice(first, first + 1).map((one) => broken(one, 'the file is not a valid migration plan'));
  }
  // Loaded lazily: builds don't need it.
  const { planFormat } = await import('./plan-format.ts');
  return migrations.flatMap((migration, index) => {
    const { error } = planFormat.safeParse(plans[index]);
    return error ? [broken(migration, `the file is not a valid migration plan: ${firstIssue(error.issues)}`)] : [];
  });
}
