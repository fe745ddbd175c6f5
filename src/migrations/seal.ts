/** Seals SQL that was written or edited by hand, by updating its hashes in the sum. Pure. */
import { type MigrationFiles, type SumLine } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import type { Dialect } from '../model/content-model.ts';
import { findFork } from './history/fork.ts';
import { SUM_FILE } from './history/history-files.ts';
import { isDiagnostic } from './history/history-problem.ts';
import { nextNumber } from './history/names.ts';
import { decodePlans, type RecordedPlan } from '#contract/migrations/former-plans.ts';
import { readHistory } from './history/read-history.ts';
import { readPlan } from './history/read-plan.ts';
import { dialectsOf, renumbered, withScripts } from './renumber.ts';
import { type Rewrite, written } from './rewrite-result.ts';
import { hashAfter, parseSum } from './history/sum.ts';
import { refusedScripts, sealedMigrations, unsealedMigrations, unwrittenScripts } from './history/unsealed.ts';

/** The migrations whose files no longer match their hash in the sum. */
function editedOnes(migrations: readonly MigrationFiles[], lines: readonly SumLine[]): readonly MigrationFiles[] {
  return migrations.filter(({ files }, index) => hashAfter(lines[index - 1]?.hash ?? '', files) !== lines[index]?.hash);
}

function isHandWritten(migration: MigrationFiles): boolean {
  const plan = readPlan(migration);
  return !isDiagnostic(plan) && plan.handWritten === true;
}

/** Errors for empty or missing scripts of hand-written migrations, for the project's databases and those that have a file. */
function unwritten(ones: readonly MigrationFiles[], databases: readonly Dialect[]): readonly Diagnostic[] {
  return ones
    .filter(isHandWritten)
    .flatMap((one) => unwrittenScripts(one, [...new Set([...databases, ...dialectsOf([one])])]));
}

/** Unsealed migrations, renumbered to come after all others: they were applied to no database yet. */
function placedLast(
  sealed: readonly MigrationFiles[],
  unsealed: readonly MigrationFiles[],
  plans: ReadonlyMap<string, MigrationPlan>,
): readonly MigrationFiles[] {
  let next = nextNumber(sealed.map(({ name }) => name));
  return unsealed.map((migration) => {
    const number = Math.max(next, Number.parseInt(migration.name, 10));
    next = number + 1;
    const plan = plans.get(migration.name);
    return plan ? renumbered(migration, plan, number) : migration;
  });
}

function sealedLine(before: string, after: string): string {
  return before === after
    ? `Sealed ${after}.`
    : `Sealed ${before} and renamed it to ${after}, so that it comes after the others.`;
}

function editedLine({ name }: MigrationFiles): string {
  return `Sealed ${name} again. If its up.sql has changed, servers refuse the databases that have applied the former one, until it is accepted there: npm run server -- migrate accept ${name}`;
}

/**
 * Seals new and edited migrations: from then on they are applied, and must not change. Refused if a script for a database of the
 * project has no statement and isn't marked as `nothing to do`. Plans can't be edited, as they record the state.
 */
export function seal(files: ReadonlyMap<string, string>): Result<Rewrite> {
  const [sealed, unsealed] = [sealedMigrations(files), unsealedMigrations(files)];
  const read = [...sealed, ...unsealed].map(readPlan);
  const broken = read.filter(isDiagnostic);
  if (broken.length > 0) return { value: undefined, diagnostics: broken };
  const recorded = read.filter((plan): plan is RecordedPlan => !isDiagnostic(plan));
  const lines = parseSum(files.get(SUM_FILE) ?? '');
  const names = sealed.map(({ name }) => name).join();
  if (findFork(files) || 'line' in lines || lines.map(({ name }) => name).join() !== names) {
    return { value: undefined, diagnostics: readHistory(files).diagnostics };
  }
  const edited = editedOnes(sealed, lines);
  if (edited.length + unsealed.length === 0) {
    return { value: { files, done: ['Nothing to seal: no migration was added or edited.'] }, diagnostics: [] };
  }
  const databases = dialectsOf(sealed.filter((one) => !isHandWritten(one)));
  const lacking = [...unwritten([...edited, ...unsealed], databases), ...refusedScripts([...edited, ...unsealed])];
  if (lacking.length > 0) return { value: undefined, diagnostics: lacking };
  const plans = new Map(decodePlans(recorded).map((plan) => [plan.name, plan]));
  const added = placedLast(sealed, unsealed, plans).map(withScripts);
  const done = added.map(({ name }, index) => sealedLine(unsealed[index]?.name ?? '', name));
  return written(
    [...sealed.map((one) => (edited.includes(one) ? withScripts(one) : one)), ...added],
    [],
    [...edited.map(editedLine), ...done],
  );
}
