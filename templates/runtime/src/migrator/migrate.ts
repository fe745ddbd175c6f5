/** Brings a database to the state that the server needs, by the SQL files that the generator wrote. */
import type { Database, Executor, Session } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { checkApplied, forgetSql, newerError, readApplied, rememberSql, type Applied } from './applied.ts';
import { failureReason } from './failure-reason.ts';
import { isBatched, runBatches } from './batches.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import { isContract, isFitting } from './parts.ts';
import { readMigrations, readSum, type Migration, type ProjectMigrations } from './read-migrations.ts';
import { readUnfinished, type Unfinished } from './progress.ts';
import { runStatements } from './run-statements.ts';

/** `up` applies all that is missing, `down` undoes the last one, `status` only looks. */
export type Direction = 'up' | 'down' | 'status';

export interface MigrationReport {
  /** The migrations that this call applied or undid, in the order in which it did. */
  readonly changed: readonly string[];
  /** All migrations of the project that are sealed, in order. `appliedAt` is in ISO 8601. */
  readonly migrations: readonly {
    readonly name: string;
    readonly appliedAt: string | undefined;
  }[];
  /** The names of those that are not sealed: nothing applies them. */
  readonly unsealed: readonly string[];
}

/** How long a process waits for another one that migrates, in milliseconds. */
const LOCK_TIMEOUT = 15 * 60_000;

const BEGIN: Readonly<Record<'sqlite' | 'postgres', string>> = { sqlite: 'BEGIN IMMEDIATE;', postgres: 'BEGIN;' };

interface Task extends ProjectMigrations {
  /** What the database had before the next step. */
  readonly applied: readonly Applied[];
}

/** What is applied by now; throws unless it fits the project. */
async function lookAgain(executor: Executor, { migrations, unsealed }: ProjectMigrations): Promise<Task> {
  const applied = await readApplied(executor);
  checkApplied({ migrations, unsealed }, applied);
  return { migrations, unsealed, applied };
}

/** The place of the first migration that waits until it is asked for, if any is left. */
function waitsAt({ migrations, applied }: Task): number {
  const first = migrations.findIndex(({ name }, index) => index >= applied.length && isContract(name));
  return first === -1 ? migrations.length : first;
}

/** Throws a MigrationError where something comes after one that waits. */
function checkOrder({ migrations }: Task, waits: number): void {
  const later = migrations.slice(waits).find(({ name }) => !isContract(name));
  if (!later) return;
  throw new MigrationError(
    `The migration ${later.name} comes after ${migrations[waits]?.name ?? ''}, which is applied only when it is asked for: ` +
      'it ends what servers of the version before it need. Nothing was applied. ' +
      'When none of them runs any more: npm run migrate -- up --contract',
  );
}

interface Step {
  readonly migration: Migration;
  /** From 1. */
  readonly number: number;
  readonly direction: 'up' | 'down';
}

function scriptOf(dialect: Dialect, { migration, number, direction }: Step): readonly string[] {
  return direction === 'up'
    ? [rememberSql(dialect, migration, number), migration.up]
    : [migration.down, forgetSql(dialect, migration)];
}

/**
 * Runs one migration and its record as one transaction; false if another process did so. The record comes first: where there
 * is no lock, on SQLite, the second of two waits for the first and then fails on it, which is no error when the work is done.
 */
async function runTransaction(session: Session, task: Task, step: Step, begin: string): Promise<boolean> {
  const { name } = step.migration;
  const isDone = async (): Promise<boolean> => {
    const { applied } = await lookAgain(session, task);
    return step.direction === 'up' ? applied.length >= step.number : applied.length < step.number;
  };
  const run = async (): Promise<void> => {
    try {
      await session.script([begin, ...scriptOf(session.dialect, step), 'COMMIT;'].join('\n'));
    } catch (error) {
      if (session.dialect.name === 'postgres') await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
  try {
    return await whenUnlocked(run, isDone);
  } catch (error) {
    if (await isDone()) return false;
    const reason = await failureReason(session, error, step.migration[step.direction]);
    throw new MigrationError(`The migration ${name} failed, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

/** Runs what is not one transaction, from where it is unfinished. */
function runParts(session: Session, step: Step, unfinished: Unfinished | undefined): Promise<void> {
  const run = session.dialect.name === 'mysql' ? runStatements : runBatches;
  return run(session, step, unfinished);
}

/** Runs one migration; false if another process did so. */
async function runStep(session: Session, task: Task, step: Step): Promise<boolean> {
  const { name } = session.dialect;
  const isWhole = name === 'sqlite' || (name === 'postgres' && !isBatched(step.migration[step.direction]));
  if (isWhole) return runTransaction(session, task, step, BEGIN[name]);
  await runParts(session, step, undefined);
  return true;
}

/** Brings to its end what an earlier process has left half done. Answers the name of what was applied or undone so. */
async function resume(session: Session, task: Task, { name, ...rest }: Unfinished): Promise<string> {
  const number = task.applied.length + 1;
  const migration = task.migrations[number - 1];
  if (migration?.name !== name) {
    throw new MigrationError(
      `The database has the migration ${name} half applied, which this server does not have at that place. ` +
        'Start the server that began it.',
    );
  }
  await runParts(session, { migration, number, direction: rest.direction }, { name, ...rest });
  return name;
}

/** All that is missing, or what comes before the first that waits. */
async function up(session: Session, start: Task, withWaiting: boolean): Promise<readonly string[]> {
  const end = withWaiting ? start.migrations.length : waitsAt(start);
  checkOrder(start, end);
  const changed: string[] = [];
  let task = start;
  while (task.applied.length < end) {
    const number = task.applied.length + 1;
    const migration = task.migrations[number - 1];
    if (!migration) break;
    if (await runStep(session, task, { migration, number, direction: 'up' })) changed.push(migration.name);
    task = await lookAgain(session, task);
  }
  return changed;
}

async function down(session: Session, task: Task): Promise<readonly string[]> {
  const number = task.applied.length;
  if (number > task.migrations.length) throw newerError(task.applied[number - 1]?.name ?? '');
  const migration = task.migrations[number - 1];
  if (!migration) return [];
  return (await runStep(session, task, { migration, number, direction: 'down' })) ? [migration.name] : [];
}

/** What is to be done, by the one process that may. A migration that was half undone is undone first. */
async function run(
  session: Session,
  start: Task,
  direction: 'up' | 'down',
  contract: boolean,
): Promise<readonly string[]> {
  let task = await lookAgain(session, start);
  // Nobody is at work on a database without tables.
  const withWaiting = contract || task.applied.length === 0;
  const unfinished = session.dialect.name === 'sqlite' ? undefined : await readUnfinished(session);
  const resumed = unfinished ? [await resume(session, task, unfinished)] : [];
  if (unfinished) task = await lookAgain(session, task);
  if (direction === 'down') return unfinished?.direction === 'down' ? resumed : down(session, task);
  const changed = await up(session, task, withWaiting);
  return unfinished?.direction === 'up' ? [...resumed, ...changed] : changed;
}

function report({ migrations, applied, unsealed }: Task, changed: readonly string[]): MigrationReport {
  return {
    changed,
    migrations: migrations.map(({ name }, index) => ({ name, appliedAt: applied[index]?.appliedAt })),
    unsealed,
  };
}

/** Whether nothing is left to apply, as far as can be seen without being alone. */
function isDone({ migrations, applied }: Task, { name }: Dialect, contract: boolean): boolean {
  const left = migrations.slice(applied.length);
  if (left.length === 0) return true;
  // An earlier process may have left half of one that waits: only `run` sees that.
  const mayBeHalfDone = name === 'mysql' || (name === 'postgres' && left.some(({ up, down }) => isBatched(up + down)));
  return !contract && !mayBeHalfDone && applied.length > 0 && left.every((one) => isContract(one.name));
}

/**
 * Applies or undoes the migrations in `directory` (the project's folder `migrations`). A database that is up to date costs
 * one statement that reads. Safe when several processes start at once: each migration is run by one of them, and all wait
 * for it. Throws a MigrationError where files were changed, the database is newer than the project, or a migration fails;
 * then nothing of that migration was kept (on MySQL, which has no transactions for it, the statements before the one that
 * failed, from which the next call goes on; of one that PostgreSQL runs as several transactions, those before it). Migrations that end what servers of the version before need wait for
 * `contract`, unless the database is new.
 */
export async function migrate(
  database: Database,
  options: { readonly directory: string; readonly dialect: Dialect['name']; readonly contract?: boolean },
  direction: Direction,
): Promise<MigrationReport> {
  const { directory, dialect, contract = false } = options;
  const task = await lookAgain(database, await readMigrations(directory, dialect));
  if (direction === 'status' || (direction === 'up' && isDone(task, database.dialect, contract)))
    return report(task, []);
  const changed = await database.migrating(LOCK_TIMEOUT, (session) => run(session, task, direction, contract));
  if (!changed) {
    throw new MigrationError(
      `Another process has been migrating the database for ${LOCK_TIMEOUT / 60_000} minutes. See whether it is alive.`,
    );
  }
  return report(await lookAgain(database, task), changed);
}

/** Applies all migrations in `directory` that the database lacks; answers their names. Throws as `migrate` does. */
export async function migrateUp(database: Database, directory: string): Promise<readonly string[]> {
  return (await migrate(database, { directory, dialect: database.dialect.name }, 'up')).changed;
}

/**
 * Whether a server with the migrations that `migrations.sum` in `directory` lists works on the database as it is. One small
 * file and one statement, for a probe that is asked all the time.
 */
export async function isMigrated(database: Database, directory: string): Promise<boolean> {
  const [lines, applied] = await Promise.all([readSum(directory), readApplied(database)]);
  return isFitting(
    lines.map(({ name }) => name),
    applied.map(({ name }) => name),
  );
}
