/** The results of commands that change the history. */
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import { MIGRATIONS_FOLDER, SUM_FILE } from './history/history-files.ts';
import { readHistory } from './history/read-history.ts';
import { printSum, sumOf } from './history/sum.ts';

/** The new history, and one line per action for the terminal. */
export interface Rewrite {
  /** The files under `migrations/` that belong to the history, by their path in the project. */
  readonly files: ReadonlyMap<string, string>;
  readonly done: readonly string[];
  /** The migration that was dropped, if any. */
  readonly dropped?: string;
}

export function refused(code: string, message: string, hint: string, more: Partial<Diagnostic> = {}): Result<Rewrite> {
  const diagnostic: Diagnostic = {
    code: `migrations/${code}`,
    severity: 'error',
    kind: 'refused',
    message,
    hint,
    ...more,
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

/** A history of these migrations, all of them sealed except the `unsealed` ones. */
export function written(
  migrations: readonly MigrationFiles[],
  unsealed: readonly MigrationFiles[],
  done: readonly string[],
): Result<Rewrite> {
  const files = new Map<string, string>(
    [...migrations, ...unsealed].flatMap(({ name, files: own }) =>
      [...own].map(([path, text]) => [`${MIGRATIONS_FOLDER}/${name}/${path}`, text] as const),
    ),
  );
  files.set(SUM_FILE, printSum(sumOf(migrations)));
  const { diagnostics } = readHistory(files);
  return { value: diagnostics.length > 0 ? undefined : { files, done }, diagnostics };
}
