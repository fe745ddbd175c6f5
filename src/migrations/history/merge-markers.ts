/** Finds migration files with merge conflicts. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { migrationFiles } from './history-files.ts';
import { problem } from './history-problem.ts';

const [OURS, THEIRS] = [/^<{7}(?: |$)/mu, /^>{7}(?: |$)/mu];

/** One error if files of migrations contain merge markers. Markers in `migrations.sum` are not checked here. */
export function mergedMigrations(files: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const merged = migrationFiles(files).flatMap(({ name, files: own }) =>
    [...own].filter(([, text]) => OURS.test(text) && THEIRS.test(text)).map(([path, text]) => ({ name, path, text })),
  );
  const [first] = merged;
  if (!first) return [];
  const names = [...new Set(merged.map(({ name }) => name))].join(' and ');
  const line = first.text.split(/\r?\n/u).findIndex((one) => OURS.test(one)) + 1;
  return [
    problem(
      'branches-merged',
      `migrations/${first.name}/${first.path}`,
      `merge conflict in ${names}: two branches have each added a migration with this name`,
      'Keep the one that has been applied to a database. With git, `git checkout --ours -- migrations` keeps that of the current branch, and `--theirs` the other. Then build, which plans a migration for what the schema still needs.',
      line,
    ),
  ];
}
