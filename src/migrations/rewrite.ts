/** Commands that change the history: adding a hand-written migration, and rebasing a branch. Pure. */
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Result, SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Conflict, conflictOf } from './plan/commute.ts';
import { textsOf } from './emit-migration.ts';
import { foldHistory } from './history/fold.ts';
import { findFork } from './history/fork.ts';
import { MIGRATIONS_FOLDER } from './history/history-files.ts';
import { isDiagnostic } from './history/history-problem.ts';
import { nextNumber, numbered } from './history/names.ts';
import { decodePlans, type RecordedPlan } from '#contract/migrations/former-plans.ts';
import { readHistory } from './history/read-history.ts';
import { readPlan } from './history/read-plan.ts';
import { dialectsOf, renumbered } from './renumber.ts';
import { refused, type Rewrite, written } from './rewrite-result.ts';
import { sealedMigrations, unsealedMigrations } from './history/unsealed.ts';

/**
 * Adds a migration without changes, whose SQL is written by hand. `title` and `unique` become parts of its name. `unique` must differ
 * each time: the migration has no content yet whose hash would distinguish it from one in another branch.
 */
export function addHandWritten(files: ReadonlyMap<string, string>, title: string, unique: string): Result<Rewrite> {
  const history = readHistory(files);
  if (!history.value) return { value: undefined, diagnostics: history.diagnostics };
  if (history.value.length === 0) {
    return refused(
      'no-history',
      'there are no migrations yet',
      'Build the schema first, which creates the first migration.',
    );
  }
  if (!/^[a-z0-9_]{1,60}$/u.test(title)) {
    return refused(
      'name',
      `'${title}' is not a valid name of a migration`,
      'Use at most 60 lower-case letters, digits and underscores.',
    );
  }
  const migrations = sealedMigrations(files);
  const unsealed = unsealedMigrations(files);
  // Servers recognize the parts of a migration by the suffixes of their names.
  const unlike = title.replace(/(?:__expand|__contract)?$/u, (part) => `_${unique}${part}`);
  const name = numbered(nextNumber([...migrations, ...unsealed].map((one) => one.name)), unlike);
  const plan: MigrationPlan = { format: 3, name, handWritten: true, changes: [] };
  const own = { name, files: new Map(textsOf(plan, dialectsOf(migrations))) };
  const paths = [...own.files.keys()].filter((path) => path.endsWith('.sql'));
  return written(
    migrations,
    [...unsealed, own],
    [`Added ${name}. Write its SQL (${paths.join(', ')}), then run: npx content-gen migrations seal`],
  );
}

interface Moved {
  readonly kept: readonly MigrationFiles[];
  readonly moved: readonly MigrationFiles[];
  /** The kept migrations that are not in the branch of the moved ones. */
  readonly unknown: readonly MigrationFiles[];
}

function split(files: ReadonlyMap<string, string>, name: string | undefined): Moved | undefined {
  const fork = findFork(files);
  if (!fork) return undefined;
  const named = name === undefined ? -1 : fork.branches.findIndex((branch) => branch.includes(name));
  if (name !== undefined && named === -1) return undefined;
  const branch = fork.branches.at(named) ?? [];
  const others = fork.branches.filter((one) => one !== branch).flat();
  const byName = new Map(sealedMigrations(files).map((migration) => [migration.name, migration]));
  const all = (names: readonly string[]): readonly MigrationFiles[] => names.flatMap((one) => byName.get(one) ?? []);
  // An edited or missing migration must be repaired first.
  if (fork.common.length + fork.branches.flat().length !== byName.size) return undefined;
  return { kept: all([...fork.common, ...others]), moved: all(branch), unknown: all(others) };
}

function locationOf({ name, sources = {} }: MigrationPlan, cause: string | undefined): SourceLocation {
  const source = cause !== undefined && Object.hasOwn(sources, cause) ? sources[cause] : undefined;
  const groups = /^(?<file>.+):(?<line>\d+)$/u.exec(source ?? '')?.groups;
  const file = groups?.['file'] ?? `${MIGRATIONS_FOLDER}/${name}/plan.json`;
  return { file, line: Number(groups?.['line'] ?? 1), column: 1, length: 1 };
}

function conflict(first: MigrationPlan, second: MigrationPlan, { what, causes }: Conflict): Result<Rewrite> {
  return refused(
    'conflict',
    `${first.name} and ${second.name} both change ${what}, so their order matters`,
    `Define the intended result in the schema. Then drop the migration that was not applied to any database, and build, which plans what is still needed: npx content-gen migrations drop ${second.name}`,
    {
      location: locationOf(second, causes[1]),
      related: [{ message: `${first.name} changes it here`, location: locationOf(first, causes[0]) }],
    },
  );
}

/**
 * Moves the migrations of one branch after those of the other: the branch with the migration `name`, by default the last one in
 * the sum. Refused if both change the same thing, so that the order would matter.
 */
export function rebase(files: ReadonlyMap<string, string>, name?: string): Result<Rewrite> {
  const branches = split(files, name);
  if (!branches) {
    const history = readHistory(files);
    if (!history.value) return { value: undefined, diagnostics: history.diagnostics };
    const message = name === undefined ? 'the migrations do not branch' : `${name} is not on a branch`;
    return refused(
      'no-fork',
      message,
      'There is nothing to rebase. To list the migrations: npx content-gen migrations status',
    );
  }
  const { kept, moved, unknown } = branches;
  const parsed = [...kept, ...moved].map(readPlan);
  const broken = parsed.filter(isDiagnostic);
  if (broken.length > 0) return { value: undefined, diagnostics: broken };
  const recorded = parsed.filter((plan): plan is RecordedPlan => !isDiagnostic(plan));
  const plans = new Map(decodePlans(recorded).map((plan) => [plan.name, plan]));
  const planOf = ({ name: own }: MigrationFiles): MigrationPlan =>
    plans.get(own) ?? { format: 3, name: own, changes: [] };
  const own = [...unknown, ...moved].map(planOf).find(({ handWritten }) => handWritten);
  if (own && name === undefined && unknown.length > 0) {
    return refused(
      'conflict',
      `${own.name} is handwritten, so content-gen can't tell whether it must come before or after the others`,
      `Review it, and specify the migration that must come last: npx content-gen migrations rebase ${moved[0]?.name ?? ''}`,
    );
  }
  for (const first of unknown.map(planOf)) {
    for (const second of moved.map(planOf)) {
      const found = conflictOf(first, second);
      if (found) return conflict(first, second, found);
    }
  }
  // The changes commute pairwise, so the whole must fold, too. It throws only because of a bug in `conflictOf`.
  foldHistory([...kept, ...moved].map(planOf));
  const start = nextNumber(kept.map((one) => one.name));
  const after = moved.map((migration, index) => renumbered(migration, planOf(migration), start + index));
  const done = moved.map((migration, index) => `Renamed ${migration.name} to ${after[index]?.name ?? ''}.`);
  return written([...kept, ...after], unsealedMigrations(files), [
    ...done,
    'Build again: the merged schema may need another migration.',
  ]);
}
