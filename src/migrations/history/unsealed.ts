/** Hand-written migrations: which of them are not sealed yet, and which scripts are missing. */
import { ENGINES } from '#contract/engines.ts';
import type { MigrationFiles } from '#contract/migration-sum.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { refusedStatements } from '#contract/sql/refused-statements.ts';
import { statementsOf } from '#contract/sql/statements.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Dialect } from '../../model/content-model.ts';
import { ENGINE_NAMES } from '../../storage/engine-names.ts';
import { migrationFiles, SUM_FILE } from './history-files.ts';
import { isDiagnostic, problem } from './history-problem.ts';
import { readPlan } from './read-plan.ts';
import { listedNames } from './sum.ts';

const DIRECTIONS = ['up', 'down'] as const;

const NOTHING_TO_DO = /^[ \t]*--[ \t]*nothing to do\b/imu;

/** Whether a script has neither a statement nor the comment `-- nothing to do`. */
export function isUnwritten(text: string, dialect: Dialect): boolean {
  const script = text.replace(/^\uFEFF/u, '');
  return !NOTHING_TO_DO.test(script) && statementsOf(script, dialect).length === 0;
}

/**
 * Migrations that were created by `migrations new` and are not sealed, in order. They have no line in the sum, and are not
 * applied.
 */
export function unsealedMigrations(files: ReadonlyMap<string, string>): readonly MigrationFiles[] {
  const sum = files.get(SUM_FILE);
  if (sum === undefined) return [];
  const listed = listedNames(sum);
  return migrationFiles(files).filter((migration) => {
    if (listed.has(migration.name)) return false;
    const plan = readPlan(migration);
    return !isDiagnostic(plan) && plan.handWritten === true;
  });
}

/** All migrations except the unsealed ones. */
export function sealedMigrations(files: ReadonlyMap<string, string>): readonly MigrationFiles[] {
  const unsealed = new Set(unsealedMigrations(files).map(({ name }) => name));
  return migrationFiles(files).filter(({ name }) => !unsealed.has(name));
}

/** An error for each script of a hand-written migration that has neither a statement nor `-- nothing to do`. */
export function unwrittenScripts(
  { name, files }: MigrationFiles,
  databases: readonly Dialect[],
): readonly Diagnostic[] {
  return databases.flatMap((dialect) =>
    DIRECTIONS.flatMap((direction): readonly Diagnostic[] => {
      const text = files.get(`${dialect}/${direction}.sql`);
      if (text !== undefined && !isUnwritten(text, dialect)) return [];
      const file = `migrations/${name}/${dialect}/${direction}.sql`;
      const engine = ENGINE_NAMES[dialect];
      const what = text === undefined ? `has no ${direction}.sql for ${engine}` : `has no statements for ${engine} yet`;
      const hint = `Write the SQL for ${engine} to ${file}, or the line \`-- nothing to do\` if there is nothing to do; then run: npx content-gen migrations seal`;
      return [
        problem(
          'unwritten',
          file,
          `${name} ${what}, so it would be recorded as ${direction === 'up' ? 'applied' : 'undone'} without any effect`,
          hint,
        ),
      ];
    }),
  );
}

const UTF_16 = 'Save it as UTF-8: on Windows, PowerShell writes UTF-16 unless it is told otherwise';

/** An error for each statement of these migrations that the migrator would refuse to run. */
export function refusedScripts(migrations: readonly MigrationFiles[]): readonly Diagnostic[] {
  return migrations.flatMap(({ name, files }) =>
    [...files].flatMap(([path, text]): readonly Diagnostic[] => {
      const dialect = ENGINES.find((one) => path.startsWith(`${one}/`));
      if (!dialect) return [];
      const file = `migrations/${name}/${path}`;
      if (text.includes('\0')) return [problem('refused-statement', file, 'the file is not UTF-8', UTF_16)];
      return refusedStatements(text, dialect).map(({ line, reason, advice }) =>
        problem('refused-statement', file, reason, `${advice}; then run: npx content-gen migrations seal`, line),
      );
    }),
  );
}

/** An error for each missing script of a sealed hand-written migration, for the databases of the schema. */
export function missingScripts(
  files: ReadonlyMap<string, string>,
  history: readonly MigrationPlan[],
  databases: readonly Dialect[],
): readonly Diagnostic[] {
  const byName = new Map(migrationFiles(files).map((migration) => [migration.name, migration]));
  return history.flatMap(({ name, handWritten }) => {
    const migration = byName.get(name);
    if (!handWritten || !migration) return [];
    const isThere = (dialect: Dialect): boolean =>
      DIRECTIONS.every((direction) => migration.files.has(`${dialect}/${direction}.sql`));
    return unwrittenScripts(
      migration,
      databases.filter((dialect) => !isThere(dialect)),
    );
  });
}

/** A warning for each database where a sealed migration does nothing, as its script was sealed while it was still empty. */
export function emptyScripts(
  files: ReadonlyMap<string, string>,
  history: readonly MigrationPlan[],
  databases: readonly Dialect[],
): readonly Diagnostic[] {
  return history.flatMap(({ name, handWritten }) =>
    databases.flatMap((dialect): readonly Diagnostic[] => {
      const path = `migrations/${name}/${dialect}/up.sql`;
      const text = handWritten ? files.get(path) : undefined;
      if (text === undefined || !isUnwritten(text, dialect)) return [];
      return [
        {
          code: 'migrations/empty',
          severity: 'warning',
          message: `${name} has no statements for ${ENGINE_NAMES[dialect]}, so it has no effect there`,
          location: { file: path, line: 1, column: 1, length: 1 },
          hint: 'Write its SQL, or `-- nothing to do` if this is intended. Then run: npx content-gen migrations seal. For databases to which it was applied, also run: npm run server -- migrate accept',
        },
      ];
    }),
  );
}

/** The diagnostic about an unsealed migration: a warning, or an error if a new migration would come after it. */
export function unsealedProblem(name: string, severity: 'warning' | 'error'): Diagnostic {
  const hint = `Write its SQL, then run: npx content-gen migrations seal. To remove it instead: npx content-gen migrations drop ${name}`;
  const file = `migrations/${name}/plan.json`;
  if (severity === 'error') {
    const message = `${name} is not sealed yet, but the schema needs a migration after it`;
    return problem('unsealed', file, message, hint);
  }
  const message = `${name} is not sealed yet, so no server applies it`;
  const location = { file, line: 1, column: 1, length: 1 };
  return { code: 'migrations/unsealed', severity, message, location, hint };
}
