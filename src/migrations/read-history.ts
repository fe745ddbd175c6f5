/** Reads the migrations that were written by earlier builds. */
import { z } from 'zod';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import type { MigrationPlan } from './change.ts';
import { foldHistory } from './fold.ts';
import { migrationFiles } from './history-files.ts';
import { planFormat } from './plan-format.ts';
import { parseSum, sumOf, type MigrationFiles, type SumLine } from './sum.ts';

const SUM = 'migrations/migrations.sum';
const RESTORE = 'Restore it from version control: a migration is never changed once it was written.';

function problem(code: string, file: string, message: string, hint: string, line = 1): Diagnostic {
  return {
    code: `migrations/${code}`,
    severity: 'error',
    kind: 'refused',
    message,
    location: { file, line, column: 1, length: 1 },
    hint,
  };
}

function parsePlan({ name, files }: MigrationFiles): MigrationPlan | Diagnostic {
  const path = `migrations/${name}/plan.json`;
  const text = files.get('plan.json');
  if (text === undefined) return problem('missing-plan', path, `the migration ${name} has no plan.json`, RESTORE);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return problem('broken-plan', path, `this is not JSON: ${error instanceof Error ? error.message : ''}`, RESTORE);
  }
  const parsed = planFormat.safeParse(json);
  if (!parsed.success) {
    return problem('broken-plan', path, `this is no migration plan: ${z.prettifyError(parsed.error)}`, RESTORE);
  }
  if (parsed.data.name === name) return parsed.data;
  return problem('broken-plan', path, `this is the plan of ${parsed.data.name}, in the folder of ${name}`, RESTORE);
}

function sumLines(text: string | undefined, isEmpty: boolean): readonly SumLine[] | Diagnostic {
  if (text === undefined) {
    return isEmpty ? [] : problem('missing-sum', SUM, 'there are migrations, but migrations.sum is gone', RESTORE);
  }
  const lines = parseSum(text);
  if (!('line' in lines)) return lines;
  const isConflict = /^(?:<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/u.test(lines.text);
  return isConflict
    ? problem(
        'branches-diverged',
        SUM,
        'two branches have each added a migration',
        'Keep the file and the migrations of the branch that was there first, delete the folders of the other, and build again.',
        lines.line,
      )
    : problem('broken-sum', SUM, 'this line is not the name of a migration and its hash', RESTORE, lines.line);
}

/** The first difference between what the sum says and what is there. */
function checkSum(expected: readonly SumLine[], migrations: readonly MigrationFiles[]): Diagnostic | undefined {
  const actual = sumOf(migrations);
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const [listed, there] = [expected[index], actual[index]];
    const name = listed?.name ?? there?.name ?? '';
    if (!there || (listed && listed.name !== there.name && !actual.some((line) => line.name === listed.name))) {
      return problem('missing', SUM, `the migration ${name} is gone`, RESTORE, index + 1);
    }
    if (!listed || listed.name !== there.name) {
      const hint =
        'Delete its folder if it was not written by a build, else restore migrations.sum from version control.';
      return problem('unlisted', SUM, `the migration ${there.name} is not in migrations.sum`, hint, index + 1);
    }
    if (listed.hash !== there.hash) {
      const message = `the migration ${name} is not as it was written`;
      return problem('changed', `migrations/${name}/plan.json`, message, RESTORE);
    }
  }
  return undefined;
}

function isDiagnostic(value: object): value is Diagnostic {
  return 'severity' in value;
}

/** Checks that the plans follow from each other, which `fold` relies on. */
function checkFold(plans: readonly MigrationPlan[]): Diagnostic | undefined {
  try {
    foldHistory(plans);
    return undefined;
  } catch (error) {
    return problem('broken-plan', SUM, error instanceof Error ? error.message : String(error), RESTORE);
  }
}

/**
 * The plans of all migrations, in order. `files` holds the texts under `migrations/` by their path in the project; none
 * means an empty history. An error for each plan that is missing or broken, and for the first migration that is not what
 * `migrations.sum` says.
 */
export function readHistory(files: ReadonlyMap<string, string>): Result<readonly MigrationPlan[]> {
  const migrations = migrationFiles(files);
  const lines = sumLines(files.get(SUM), migrations.length === 0);
  const sumProblem = isDiagnostic(lines) ? lines : checkSum(lines, migrations);
  const parsed = migrations.map(parsePlan);
  const plans = parsed.filter((plan): plan is MigrationPlan => !isDiagnostic(plan));
  const problems = [...(sumProblem ? [sumProblem] : []), ...parsed.filter(isDiagnostic)];
  const foldProblem = problems.length === 0 ? checkFold(plans) : undefined;
  if (foldProblem) problems.push(foldProblem);
  return problems.length > 0 ? { value: undefined, diagnostics: problems } : { value: plans, diagnostics: [] };
}
