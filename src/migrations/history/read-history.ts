/** Reads the migrations that were written by earlier builds. */
import { isConflictMarker, type MigrationFiles, type SumLine } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Diagnostic, Result, SourceLocation } from '../../diagnostics/diagnostic.ts';
import { foldHistory } from './fold.ts';
import { findFork, type Fork } from './fork.ts';
import { SUM_FILE as SUM } from './history-files.ts';
import { isDiagnostic, problem, RESTORE } from './history-problem.ts';
import { mergedMigrations } from './merge-markers.ts';
import { decodePlans, type RecordedPlan } from '#contract/migrations/former-plans.ts';
import { readPlan } from './read-plan.ts';
import { parseSum, sumOf } from './sum.ts';
import { sealedMigrations } from './unsealed.ts';

function sumLines(text: string | undefined, isEmpty: boolean): readonly SumLine[] | Diagnostic {
  if (text === undefined) {
    return isEmpty ? [] : problem('missing-sum', SUM, 'migrations.sum is missing, but there are migrations', RESTORE);
  }
  const lines = parseSum(text);
  if (!('line' in lines)) return lines;
  if (isConflictMarker(lines.text)) {
    const hint =
      'Remove the markers. If two lines have the same name, keep the one of the branch whose folder you have kept: `git checkout --ours -- migrations` (or `--theirs`) does both.';
    return problem('branches-diverged', SUM, 'the file contains merge conflict markers', hint, lines.line);
  }
  return problem('broken-sum', SUM, 'expected the name of a migration and its hash', RESTORE, lines.line);
}

/** The error about merged branches: the first migration of each, and the command that puts one after the other. */
function forkProblem({ common, branches }: Fork): Diagnostic {
  const last = common.at(-1);
  const firsts = branches.flatMap((branch) => branch[0] ?? []);
  const moved = branches.at(-1)?.[0] ?? '';
  const where = last === undefined ? 'at the beginning' : `after ${last}`;
  const place = (name: string): SourceLocation => ({
    file: `migrations/${name}/plan.json`,
    line: 1,
    column: 1,
    length: 1,
  });
  return {
    code: 'migrations/branches-diverged',
    severity: 'error',
    kind: 'refused',
    message: `two branches have each added a migration ${where}: ${firsts.join(' and ')}`,
    location: { file: SUM, line: common.length + 1, column: 1, length: 1 },
    related: firsts.map((name) => ({ message: `${name} is here`, location: place(name) })),
    hint: `If ${moved} was not applied to any database yet, run \`npx content-gen migrations rebase ${moved}\`, which moves it after the others unless they change the same things. To move another migration, specify its name instead.`,
  };
}

/** An error about the first difference between the sum and the files. */
function checkSum(expected: readonly SumLine[], migrations: readonly MigrationFiles[]): Diagnostic | undefined {
  const actual = sumOf(migrations);
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const [listed, there] = [expected[index], actual[index]];
    const name = listed?.name ?? there?.name ?? '';
    if (!there || (listed && listed.name !== there.name && !actual.some((line) => line.name === listed.name))) {
      return problem('missing', SUM, `the migration ${name} is missing`, RESTORE, index + 1);
    }
    if (!listed || listed.name !== there.name) {
      const hint = `If a merge removed its line, run: npx content-gen migrations rebase ${there.name}. If it was not applied to any database and is not needed, run: npx content-gen migrations drop ${there.name}`;
      return problem('unlisted', SUM, `the migration ${there.name} is not in migrations.sum`, hint, index + 1);
    }
    if (listed.hash !== there.hash) {
      const message = `the migration ${name} was changed after it was written`;
      const hint = `${RESTORE} If you edited it on purpose, and it was not applied to any database yet, run: npx content-gen migrations seal`;
      return problem('changed', `migrations/${name}/plan.json`, message, hint);
    }
  }
  return undefined;
}

/** The decoded plans, or an error if their changes can't be applied one after the other. */
function decode(recorded: readonly RecordedPlan[]): readonly MigrationPlan[] | Diagnostic {
  const plans = decodePlans(recorded);
  try {
    foldHistory(plans);
    return plans;
  } catch (error) {
    return problem('broken-plan', SUM, error instanceof Error ? error.message : String(error), RESTORE);
  }
}

/**
 * Reads the plans of all sealed migrations, in order. `files` has the texts under `migrations/` by their path in the project; an empty
 * map is an empty history. Reports an error for each missing or broken plan, and for the first migration that doesn't match
 * `migrations.sum`.
 */
export function readHistory(files: ReadonlyMap<string, string>): Result<readonly MigrationPlan[]> {
  const merged = mergedMigrations(files);
  if (merged.length > 0) return { value: undefined, diagnostics: merged };
  const fork = findFork(files);
  if (fork && fork.branches.length > 1) return { value: undefined, diagnostics: [forkProblem(fork)] };
  const migrations = sealedMigrations(files);
  const lines = sumLines(files.get(SUM), migrations.length === 0);
  const sumProblem = isDiagnostic(lines) ? lines : checkSum(lines, migrations);
  const parsed = migrations.map(readPlan);
  const recorded = parsed.filter((plan): plan is RecordedPlan => !isDiagnostic(plan));
  const problems = [...(sumProblem ? [sumProblem] : []), ...parsed.filter(isDiagnostic)];
  if (problems.length > 0) return { value: undefined, diagnostics: problems };
  const plans = decode(recorded);
  return isDiagnostic(plans) ? { value: undefined, diagnostics: [plans] } : { value: plans, diagnostics: [] };
}
