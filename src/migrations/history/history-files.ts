/** The folder `migrations/`, given as texts by path. */
import { isMigrationFile, type MigrationFiles } from '#contract/migration-sum.ts';

/** The folder of all migrations within a project, and the file that lists them. */
export const MIGRATIONS_FOLDER = 'migrations';
export const SUM_FILE = `${MIGRATIONS_FOLDER}/migrations.sum`;

const PATH = /^migrations\/(?<name>\d{4,}_[a-z0-9_]+)\/(?<path>.+)$/u;

/** Each migration's files, in the order in which the migrations are applied: by number, then by name. */
export function migrationFiles(files: ReadonlyMap<string, string>): readonly MigrationFiles[] {
  const found = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const groups = PATH.exec(path)?.groups;
    const [name, inside] = [groups?.['name'], groups?.['path']];
    if (name === undefined || inside === undefined || !isMigrationFile(inside)) continue;
    found.set(name, (found.get(name) ?? new Map<string, string>()).set(inside, text));
  }
  return [...found].map(([name, own]) => ({ name, files: own })).sort((a, b) => compareNames(a.name, b.name));
}

/** The order of migrations: by number, then by name. */
function compareNames(a: string, b: string): number {
  const byNumber = Number.parseInt(a, 10) - Number.parseInt(b, 10);
  if (byNumber !== 0) return byNumber;
  return a < b ? -1 : 1;
}
