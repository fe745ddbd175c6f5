/** Removes a migration that was applied to no database. Pure. */
import { isConflictMarker } from '#contract/migration-sum.ts';
import type { Result } from '../diagnostics/diagnostic.ts';
import { findFork } from './history/fork.ts';
import { migrationFiles, MIGRATIONS_FOLDER, SUM_FILE } from './history/history-files.ts';
import { readHistory } from './history/read-history.ts';
import { refused, type Rewrite } from './rewrite-result.ts';
import { listedNames } from './history/sum.ts';
import { unsealedMigrations } from './history/unsealed.ts';

/** The migrations after a given one: in its own branch, or in every branch if it comes before the fork. */
function laterOnes(files: ReadonlyMap<string, string>, name: string): readonly string[] {
  const fork = findFork(files);
  const lines = fork
    ? fork.branches.map((branch) => [...fork.common, ...branch])
    : [[...listedNames(files.get(SUM_FILE) ?? '')]];
  return lines.flatMap((line) => (line.includes(name) ? line.slice(line.indexOf(name) + 1) : []));
}

/** The remaining lines of the sum, without merge markers if the history no longer forks. */
function sumWithout(files: ReadonlyMap<string, string>, text: string, name: string): string {
  const lines = text.split(/\r?\n/u).filter((line) => line !== '' && !line.startsWith(`${name} `));
  const print = (left: readonly string[]): string => left.map((line) => `${line}\n`).join('');
  const fork = findFork(new Map([...files, [SUM_FILE, print(lines)]]));
  if (fork && fork.branches.length > 1) return print(lines);
  return print([...new Set(lines.filter((line) => !isConflictMarker(line)))]);
}

/** The files without a migration. */
function without(files: ReadonlyMap<string, string>, name: string): ReadonlyMap<string, string> {
  const folder = `${MIGRATIONS_FOLDER}/${name}/`;
  const left = new Map([...files].filter(([path]) => !path.startsWith(folder)));
  const sum = files.get(SUM_FILE);
  return sum === undefined ? left : left.set(SUM_FILE, sumWithout(left, sum, name));
}

/** The last migration; undefined if the history forks. */
function lastOne(files: ReadonlyMap<string, string>): string | undefined {
  return findFork(files) ? undefined : migrationFiles(files).at(-1)?.name;
}

interface KnownNames {
  /** The names in the manifest. */
  readonly recorded: ReadonlySet<string>;
  /** What the database of the project has applied; undefined if that is not known. */
  readonly applied: ReadonlySet<string> | undefined;
}

/**
 * Removes the migration called `given` from the history, by default the last one. One that is only listed in the manifest is removed
 * from it. Refused if other migrations come after it, or if the database of the project has applied it.
 */
export function drop(
  files: ReadonlyMap<string, string>,
  given: string | undefined,
  { recorded, applied }: KnownNames,
): Result<Rewrite> {
  const name = given ?? lastOne(files);
  if (name === undefined) {
    const hint =
      'Specify a name: npx content-gen migrations drop NAME. To list the migrations: npx content-gen migrations status';
    return refused('unknown', 'no migration specified, and no single migration is the last one', hint);
  }
  const isFound = migrationFiles(files).some((migration) => migration.name === name);
  if (!isFound && !listedNames(files.get(SUM_FILE) ?? '').has(name) && !recorded.has(name)) {
    const hint =
      'The name of a migration is the name of its folder. To list the migrations: npx content-gen migrations status';
    return refused('unknown', `migration ${name} does not exist`, hint);
  }
  const last = laterOnes(files, name).at(-1);
  if (last !== undefined) {
    const hint = `Drop the later migrations first: npx content-gen migrations drop ${last}`;
    return refused('not-last', `${name} can't be dropped, because ${last} comes after it`, hint);
  }
  if (applied?.has(name)) {
    const hint =
      'Undo it first: stop the server, which would apply it again, and run npm run server -- migrate down. Then drop it. A database without content can be deleted instead.';
    return refused('applied', `${name} can't be dropped, because the database of this project has applied it`, hint);
  }
  const isUnsealed = unsealedMigrations(files).some((migration) => migration.name === name);
  const left = without(files, name);
  const { diagnostics } = readHistory(left);
  // Diverged branches don't prevent this.
  if (diagnostics.some(({ code }) => code !== 'migrations/branches-diverged')) return { value: undefined, diagnostics };
  const warning =
    'Servers of this project refuse databases to which it was applied. Before deploying, undo it there (npm run server -- migrate down).';
  const next = 'Build again, to plan what the schema still needs.';
  return {
    value: {
      files: left,
      dropped: name,
      done: isUnsealed ? [`Dropped ${name}.`] : [`Dropped ${name}. ${warning}`, next],
    },
    diagnostics: [],
  };
}
