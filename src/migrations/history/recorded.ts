/** Finds migrations that are listed in the manifest but missing. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { migrationFiles, SUM_FILE } from './history-files.ts';
import { problem } from './history-problem.ts';
import { listedNames } from './sum.ts';

const PATH = /^migrations\/(?<name>\d{4,}_[a-z0-9_]+)\//u;

/** The names of the migrations with files among the manifest's paths, sorted. */
export function recordedMigrations(paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].flatMap((path) => PATH.exec(path)?.groups?.['name'] ?? []).sort());
}

/**
 * An error if migrations are missing together with their lines in the sum: the history would start over, and no longer match any
 * database. `recorded` are the names in the manifest.
 */
export function lostMigrations(
  files: ReadonlyMap<string, string>,
  recorded: ReadonlySet<string>,
): readonly Diagnostic[] {
  const found = new Set(migrationFiles(files).map(({ name }) => name));
  const listed = listedNames(files.get(SUM_FILE) ?? '');
  const lost = [...recorded].filter((name) => !found.has(name) && !listed.has(name));
  const [first, ...others] = lost;
  if (first === undefined) return [];
  const names = others.length === 0 ? first : `${first} and ${others.length} more`;
  const message =
    found.size === 0
      ? `the folder migrations/ is missing, which contained ${names}`
      : `${names} ${others.length === 0 ? 'is' : 'are'} missing from migrations/`;
  const hint = `content-gen.manifest.json lists them, and databases to which they were applied require them. Restore them from version control: git restore --source=HEAD -- migrations. To remove a migration that was not applied to any database: npx content-gen migrations drop ${lost.at(-1) ?? ''}`;
  return [problem('lost', SUM_FILE, message, hint)];
}
