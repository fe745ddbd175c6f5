/**
 * Reads `plan.json` back. A plan whose hash is in `migrations.sum` is as a build has written it: its shape is looked at where it
 * gets its hash, by the commands that change the history. A build takes the sum's word for it.
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

/** The JSON of a plan, or what is wrong with it. */
function readJson(migration: MigrationFiles): { readonly json: unknown } | Diagnostic {
  const text = migration.files.get('plan.json');
  if (text === undefined) {
    const message = `the migration ${migration.name} has no plan.json`;
    return problem('missing-plan', `migrations/${migration.name}/plan.json`, message, RESTORE);
  }
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return broken(migration, `this is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** The plan of a migration, or what is wrong with it. Of its shape only the outermost members are looked at. */
export function readPlan(migration: MigrationFiles): RecordedPlan | Diagnostic {
  const read = readJson(migration);
  if (!('json' in read)) return read;
  const plan = read.json as Partial<RecordedPlan> | null;
  if ((plan?.format !== 1 && plan?.format !== 2) || !Array.isArray(plan.changes)) {
    return broken(migration, 'this is no migration plan');
  }
  if (plan.name !== migration.name) {
    return broken(migration, `this is the plan of ${String(plan.name)}, in the folder of ${migration.name}`);
  }
  return plan as RecordedPlan;
}

/** The plans that are none, as far as can be told from each alone. */
export async function findBrokenPlans(files: ReadonlyMap<string, string>): Promise<readonly Diagnostic[]> {
  const merged = mergedMigrations(files);
  if (merged.length > 0) return merged;
  const faults = await Promise.all(migrationFiles(files).map(findFault));
  return faults.filter((fault) => fault !== undefined);
}

/** The first thing that is wrong and its place, such as `changes.3.table`, and how many others there are. */
function firstIssue([first, ...others]: readonly z.core.$ZodIssue[]): string {
  const place = first?.path.join('.') ?? '';
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'})`;
  return `${place === '' ? '' : `${place}: `}${first?.message ?? ''}${more}`;
}

/** What is wrong with the shape of a plan. */
async function findFault(migration: MigrationFiles): Promise<Diagnostic | undefined> {
  const plan = readPlan(migration);
  if (isDiagnostic(plan)) return plan;
  // Loaded only where there is doubt.
  const { planFormat } = await import('./plan-format.ts');
  const { error } = planFormat.safeParse(plan);
  return error && broken(migration, `this is no migration plan: ${firstIssue(error.issues)}`);
}
