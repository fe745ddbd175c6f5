/** Brings a database to the state that the server needs, by the SQL files that the generator wrote. */
import type { Database } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { checkApplied, forgetSql, readApplied, rememberSql, type Applied } from './applied.ts';
import { MigrationError } from './migration-error.ts';
import { readMigrations, readSumNames, type Migration } from './read-migrations.ts';

/** `up` applies all that is missing, `down` undoes the last one, `status` only looks. */
export type Direction = 'up' | 'down' | 'status';

export interface MigrationReport {
  /** The migrations that this call applied or undid, in the order in which it did. */
  readonly changed: readonly string[];
  /** All migrations of the project, in order. `appliedAt` is in ISO 8601. */
  readonly migrations: readonly { readonly name: string; readonly appliedAt: string | undefined }[];
}

/** On MySQL each statement commits by itself, whatever is said here. */
const BEGIN: Readonly<Record<Dialect['name'], string>> = {
  sqlite: 'BEGIN IMMEDIATE;',
  postgres: 'BEGIN;',
  mysql: 'START TRANSACTION;',
};

interface Task {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  /** What the database had before the next step. */
  readonly applied: readonly Applied[];
}

/** What is applied by now; throws unless it fits the project. */
async function lookAgain(task: Task): Promise<Task> {
  const applied = await readApplied(task.database);
  checkApplied(task.migrations, applied);
  return { ...task, applied };
}

/**
 * Runs one migration and its record as one transaction. The record comes first: of two processes that do the same at the
 * same time, the second waits for the first and then fails on it, which is no error when the work is done. Foreign keys
 * stay on: no migration of ours rebuilds a table.
 */
async function runStep(
  task: Task,
  name: string,
  statements: readonly string[],
  goal: (after: Task) => boolean,
): Promise<boolean> {
  const { database } = task;
  try {
    await database.script([BEGIN[database.dialect.name], ...statements, 'COMMIT;'].join('\n'));
    return true;
  } catch (error) {
    if (goal(await lookAgain(task))) return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`The migration ${name} failed, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

async function up(start: Task): Promise<readonly string[]> {
  const changed: string[] = [];
  let task = start;
  while (task.applied.length < task.migrations.length) {
    const number = task.applied.length + 1;
    const migration = task.migrations[number - 1];
    if (!migration) break;
    const statements = [rememberSql(task.database.dialect, migration, number), migration.up];
    const isMine = await runStep(task, migration.name, statements, ({ applied }) => applied.length >= number);
    if (isMine) changed.push(migration.name);
    task = await lookAgain(task);
  }
  return changed;
}

async function down(task: Task): Promise<readonly string[]> {
  const number = task.applied.length;
  const migration = task.migrations[number - 1];
  if (!migration) return [];
  const statements = [migration.down, forgetSql(task.database.dialect, migration)];
  const isMine = await runStep(task, migration.name, statements, ({ applied }) => applied.length < number);
  return isMine ? [migration.name] : [];
}

function report({ migrations, applied }: Task, changed: readonly string[]): MigrationReport {
  return {
    changed,
    migrations: migrations.map(({ name }, index) => ({ name, appliedAt: applied[index]?.appliedAt })),
  };
}

/**
 * Applies or undoes the migrations in `directory` (the project's folder `migrations`). A database that is up to date costs
 * one statement that reads. Safe when several processes start at once. Throws a MigrationError where files were changed,
 * the database is newer than the project, or a migration fails; then nothing of that migration was kept (on MySQL, which
 * has no transactions for it, up to the statement that failed).
 */
export async function migrate(
  database: Database,
  options: { readonly directory: string; readonly dialect: Dialect['name'] },
  direction: Direction,
): Promise<MigrationReport> {
  const migrations = await readMigrations(options.directory, options.dialect);
  const task = await lookAgain({ database, migrations, applied: [] });
  if (direction === 'status' || (direction === 'up' && task.applied.length === migrations.length)) {
    return report(task, []);
  }
  const changed = direction === 'up' ? await up(task) : await down(task);
  return report(await lookAgain(task), changed);
}

/** Applies all migrations in `directory` that the database lacks; answers their names. Throws as `migrate` does. */
export async function migrateUp(database: Database, directory: string): Promise<readonly string[]> {
  return (await migrate(database, { directory, dialect: database.dialect.name }, 'up')).changed;
}

/**
 * Whether the database has exactly the migrations that `migrations.sum` in `directory` lists. One small file and one
 * statement, for a probe that is asked all the time.
 */
export async function isMigrated(database: Database, directory: string): Promise<boolean> {
  const [names, applied] = await Promise.all([readSumNames(directory), readApplied(database)]);
  return names.join() === applied.map(({ name }) => name).join();
}
