/** Applies and undoes the SQL migrations that the generator wrote. */
import type { Database, Session } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import type { Dialect, DialectName } from '../database/dialect.ts';
import { type Applied, checkApplied, forgetSql, isUnused, newerError, readApplied, recordSql } from './applied.ts';
import { failureReason } from './failure-reason.ts';
import { afterOwnSql } from './after-own-sql.ts';
import { whenUnlocked } from './locked.ts';
import { type LongPart, type LongPartListener as PartListener, watchedSession } from './long-parts.ts';
import { MigrationError } from './migration-error.ts';
import { isContract, isFitting } from './parts.ts';
import { type Migration, type ProjectMigrations, readMigrations, readSum } from './read-migrations.ts';
import { inTransaction, isOpen, readUnfinished, runWithin, type Unfinished } from './progress.ts';
import { refusedStatements } from '../contract/sql/refused-statements.ts';
import { runParts } from './run-parts.ts';
import { hasFewRows } from './run-ranges.ts';
import { lossesOfUndo } from './undo-losses.ts';
import { isDivided, scriptOf } from './units.ts';

/** `up` applies all pending migrations, `down` undoes the last one, `status` only reads. */
export type Direction = 'up' | 'down' | 'status';

export interface MigrationReport {
  /** The migrations that this call applied or undid, in that order. */
  readonly changed: readonly string[];
  /** All sealed migrations of the project, in order. `appliedAt` is in ISO 8601; undefined if pending. */
  readonly migrations: readonly {
    readonly name: string;
    readonly appliedAt: string | undefined;
  }[];
  /** The names of unsealed migrations, which are never applied. */
  readonly unsealed: readonly string[];
  /** The migration that was interrupted while it was applied or undone, if there is one. */
  readonly halfDone?: Pick<Unfinished, 'name' | 'direction'>;
}

/** How long a process waits for the migration lock, in milliseconds. */
const LOCK_TIMEOUT = 15 * 60_000;

/** Called when a migration is about to run or to be resumed; `number` is from 1, out of `total` in the project. */
export type StepListener = (step: {
  readonly name: string;
  readonly number: number;
  readonly total: number;
  readonly direction: 'up' | 'down';
}) => void;

/** Called for parts that take longer than a second, while they run and when they end; `name` is the migration. */
export type LongPartListener = (part: LongPart & { readonly name: string }) => void;

interface Watched extends ProjectMigrations {
  readonly onStep?: StepListener | undefined;
  readonly onLongPart?: PartListener | undefined;
}

/** The options of a run. */
interface Wanted {
  readonly contract: boolean;
  /** The last migration that is applied when done. */
  readonly to: string | undefined;
  /** The only migration that `down` undoes: by its name or number. */
  readonly only: string | undefined;
  /** Whether to refuse to undo migrations if that deletes content. */
  readonly keepsContent: boolean;
}

interface Task extends Watched {
  /** The migrations that are applied before the next step. */
  readonly applied: readonly Applied[];
}

/** Reads again what is applied; throws a MigrationError unless it fits the project. */
async function refresh(executor: Executor, watched: Watched): Promise<Task> {
  const { migrations, unsealed, onStep, onLongPart } = watched;
  const applied = await readApplied(executor);
  checkApplied({ migrations, unsealed }, applied);
  return { migrations, unsealed, applied, onStep, onLongPart };
}

function announce({ migrations, onStep }: Task, { migration: { name }, number, direction }: Step): void {
  onStep?.({ name, number, total: migrations.length, direction });
}

/**
 * The index of the first pending contract migration, which is applied only on request; the number of migrations if
 * there is none.
 */
function firstContract({ migrations, applied }: Task): number {
  const first = migrations.findIndex(({ name }, index) => index >= applied.length && isContract(name));
  return first === -1 ? migrations.length : first;
}

/** Throws a MigrationError if any other migration follows a contract migration that is not to be applied. */
function checkOrder({ migrations }: Task, end: number): void {
  const later = migrations.slice(end).find(({ name }) => !isContract(name));
  if (!later) return;
  throw new MigrationError(
    `The migration ${later.name} comes after ${migrations[end]?.name ?? ''}, which is applied only on request: ` +
      'it removes what servers of the previous version need. Nothing was applied. ' +
      'When none of them is running any more: npm run server -- migrate up --contract',
  );
}

interface Step {
  readonly migration: Migration;
  /** From 1. */
  readonly number: number;
  readonly direction: 'up' | 'down';
  /** The migrations before it. */
  readonly earlier: readonly Migration[];
}

/** Throws a MigrationError if the SQL of a migration has a statement that the migrator does not run. */
function checkStatements({ name: engine }: Dialect, { migration, direction }: Step): void {
  const { name } = migration;
  const [first] = refusedStatements(migration[direction], engine);
  if (!first) return;
  throw new MigrationError(
    `The migration ${name} was not ${direction === 'up' ? 'applied' : 'undone'}: migrations/${name}/${engine}/${direction}.sql:${first.line}: ${first.reason}. ` +
      `${first.advice}, and seal it again: npx content-gen migrations seal. For databases that have it already: npm run server -- migrate accept ${name}`,
  );
}

/**
 * Runs a migration and its record in one transaction; false if another process did so. The record comes last: nothing is
 * recorded that did not run to its end. SQLite has no advisory lock, so the transaction looks first whether the migration
 * is still to be run.
 */
async function runTransaction(session: Session, step: Step): Promise<boolean> {
  const { migration, number, direction } = step;
  const { name } = migration;
  const [createTable, insert] = recordSql(session.dialect, migration, number);
  let isOurs = false;
  const run = async (): Promise<void> => {
    isOurs = await inTransaction(session, async (own) => {
      if (!(await isOpen(own, migration, direction))) return false;
      // The table is made first: SQL of a migration may change where PostgreSQL looks for names.
      if (direction === 'up') await own.script(createTable);
      await runWithin(own, migration[direction]);
      await afterOwnSql(own, step, { isInTransaction: true });
      await own.script(direction === 'up' ? insert : forgetSql(own.dialect, migration));
      return true;
    });
  };
  try {
    await whenUnlocked(run, () => Promise.resolve(false));
    return isOurs;
  } catch (error) {
    const reason = await failureReason(session, error, { ...step, isRolledBack: true });
    throw new MigrationError(`The migration ${name} failed, and none of it was kept: ${reason}`, { cause: error });
  }
}

/** Runs a migration that can't be one transaction, resuming where it was interrupted. */
function resumeParts(
  session: Session,
  { onLongPart }: Task,
  step: Step,
  unfinished: Unfinished | undefined,
): Promise<boolean> {
  return runParts(session, { ...step, onLongPart }, unfinished);
}

/** Whether a migration is one transaction. On SQLite all are, except those that write many rows range by range. */
async function isWhole(session: Session, { migration, direction }: Step): Promise<boolean> {
  const { name } = session.dialect;
  if (name === 'mysql') return false;
  const script = scriptOf(migration, direction, name);
  if (!isDivided(script)) return true;
  return (
    name === 'sqlite' &&
    hasFewRows(
      session,
      script.parts.filter((part) => part.runs === 'ranges'),
    )
  );
}

/** Runs a migration; false if another process did so. */
async function runStep(session: Session, task: Task, step: Step): Promise<boolean> {
  checkStatements(session.dialect, step);
  announce(task, step);
  if (await isWhole(session, step)) return runTransaction(session, step);
  return resumeParts(session, task, step, undefined);
}

/** Completes the migration that an earlier process left unfinished; returns its name, unless another process did so. */
async function resume(session: Session, task: Task, { name, ...rest }: Unfinished): Promise<readonly string[]> {
  const number = task.applied.length + 1;
  const migration = task.migrations[number - 1];
  if (migration?.name !== name) {
    throw new MigrationError(
      `The migration ${name} is half applied to the database, but this server does not have it at that position. ` +
        'Start the server that began it.',
    );
  }
  const step: Step = { migration, number, direction: rest.direction, earlier: task.migrations.slice(0, number - 1) };
  announce(task, step);
  return (await resumeParts(session, task, step, { name, ...rest })) ? [name] : [];
}

/** The number of a migration, from 1. */
function numberOf({ migrations }: Task, name: string): number {
  const index = migrations.findIndex((one) => one.name === name);
  if (index === -1) {
    throw new MigrationError(`The project has no migration ${name}. See: npm run server -- migrate status`);
  }
  return index + 1;
}

/** Throws a MigrationError if a step has neither failed nor changed the record: it would be repeated for ever. */
function checkAdvance({ migration: { name }, direction }: Step, hasAdvanced: boolean): void {
  if (hasAdvanced) return;
  throw new MigrationError(
    `The SQL of ${name} was run, but the database does not record it as ${direction === 'up' ? 'applied' : 'undone'}. ` +
      'Check whether its SQL changes the schema, the role or the settings of its session.',
  );
}

/** Applies all pending migrations up to `to`, or those before the first contract migration. */
async function up(session: Session, start: Task, { contract, to }: Wanted): Promise<readonly string[]> {
  const last = to === undefined ? start.migrations.length : numberOf(start, to);
  const permitted = contract ? start.migrations.length : firstContract(start);
  if (last > permitted) checkOrder(start, permitted);
  const end = Math.min(last, permitted);
  const changed: string[] = [];
  let task = start;
  while (task.applied.length < end) {
    const number = task.applied.length + 1;
    const migration = task.migrations[number - 1];
    if (!migration) break;
    const step: Step = { migration, number, direction: 'up', earlier: task.migrations.slice(0, number - 1) };
    if (await runStep(session, task, step)) changed.push(migration.name);
    task = await refresh(session, task);
    checkAdvance(step, task.applied.length >= number);
  }
  return changed;
}

/** Throws a MigrationError that lists the content, if undoing a migration would delete any. */
async function refuseLoss(
  session: Session,
  { name, plan }: Migration,
  { to }: Wanted,
  undone: readonly string[],
): Promise<void> {
  const losses = await lossesOfUndo(session, plan);
  if (losses.length === 0) return;
  const before = undone.length === 0 ? '' : ` Undone before it: ${undone.join(', ')}.`;
  // The consent says which migrations it is for, so that a command that is run again undoes no other.
  const which = to === undefined ? name : `--to ${to}`;
  throw new MigrationError(
    `Undoing ${name} would delete data that was written since:\n${losses.map((line) => `  ${line}\n`).join('')}` +
      `It was not undone.${before} To delete that data: npm run server -- migrate down ${which} --allow-destructive`,
  );
}

/**
 * How many migrations stay applied if only one is undone: all, if it is undone already. Throws a MigrationError if others
 * were applied after it.
 */
function keptBefore(task: Task, only: string): number {
  const named = task.migrations.find(({ name }) => name === only || name.startsWith(`${only}_`))?.name ?? only;
  const number = numberOf(task, named);
  const { length } = task.applied;
  if (number < length) {
    throw new MigrationError(
      `${task.applied[length - 1]?.name ?? ''} was applied after ${named}, so it has to be undone first: npm run server -- migrate down. ` +
        `To undo all migrations from ${named} on: npm run server -- migrate down${number === 1 ? ' repeatedly' : ` --to ${task.applied[number - 2]?.name ?? ''}`}`,
    );
  }
  return Math.min(number - 1, length);
}

function keptBy(task: Task, { to, only }: Wanted): number {
  if (to !== undefined) return numberOf(task, to);
  return only === undefined ? Math.max(0, task.applied.length - 1) : keptBefore(task, only);
}

/** Undoes the last migration, the named one, or all after `to`. */
async function down(session: Session, start: Task, wanted: Wanted): Promise<readonly string[]> {
  const kept = keptBy(start, wanted);
  if (kept > start.applied.length) {
    throw new MigrationError(`The migration ${wanted.to ?? ''} is not applied to this database.`);
  }
  const changed: string[] = [];
  let task = start;
  while (task.applied.length > kept) {
    const number = task.applied.length;
    const migration = task.migrations[number - 1];
    if (!migration) throw newerError(task.applied[number - 1]?.name ?? '', task.applied[number - 2]?.name);
    if (wanted.keepsContent) await refuseLoss(session, migration, wanted, changed);
    const step: Step = { migration, number, direction: 'down', earlier: task.migrations.slice(0, number - 1) };
    if (await runStep(session, task, step)) changed.push(migration.name);
    task = await refresh(session, task);
    checkAdvance(step, task.applied.length < number);
  }
  return changed;
}

/**
 * Runs while holding the migration lock. An unfinished migration is completed first, in whichever direction it went.
 */
async function run(
  session: Session,
  start: Task,
  direction: 'up' | 'down',
  wanted: Wanted,
): Promise<readonly string[]> {
  let task = await refresh(session, start);
  // There are no servers of an older version to wait for, even if another process has begun to migrate an empty database.
  const contract = wanted.contract || task.applied.length === 0 || (await isUnused(session));
  const unfinished = await readUnfinished(session);
  const resumed = unfinished ? await resume(session, task, unfinished) : [];
  if (unfinished) task = await refresh(session, task);
  if (direction === 'down') {
    if (unfinished?.direction !== 'down') return down(session, task, wanted);
    const isDone = wanted.to === undefined && wanted.only === undefined;
    return isDone ? resumed : [...resumed, ...(await down(session, task, wanted))];
  }
  const changed = await up(session, task, { ...wanted, contract });
  return unfinished?.direction === 'up' ? [...resumed, ...changed] : changed;
}

function report(
  { migrations, applied, unsealed }: Task,
  changed: readonly string[],
  halfDone?: Unfinished,
): MigrationReport {
  return {
    ...(halfDone && { halfDone }),
    changed,
    migrations: migrations.map(({ name }, index) => ({ name, appliedAt: applied[index]?.appliedAt })),
    unsealed,
  };
}

/** Whether nothing is left to apply, judging without the lock. */
function isDone({ migrations, applied }: Task, { name }: Dialect, contract: boolean): boolean {
  const left = migrations.slice(applied.length);
  if (left.length === 0) return true;
  // An earlier process may have left a contract migration unfinished: only `run` sees that.
  const mayBeHalfDone =
    name === 'mysql' ||
    left.some((one) => (['up', 'down'] as const).some((side) => isDivided(scriptOf(one, side, name))));
  return !contract && !mayBeHalfDone && applied.length > 0 && left.every((one) => isContract(one.name));
}

/**
 * Applies or undoes the migrations in `directory` (the project's folder `migrations`). An up-to-date database costs one
 * read. Safe to call from several processes at once: one of them runs the migrations, and the others wait for it.
 * `__contract` migrations, which break servers of the previous version, are applied only with `contract`, or if no server has
 * started on the database yet. With `to`, `up` ends with that migration, and `down` undoes all after it. With `only`, `down`
 * undoes that migration, or nothing if it isn't applied. With
 * `keepsContent`, `down` refuses to delete content.
 *
 * Throws a MigrationError if files were changed, the database is newer than the project, or a migration fails. A failed
 * migration is rolled back, if it is one transaction. Otherwise (on MySQL; large migrations and indexes on PostgreSQL; rows
 * of large tables, written range by range, on any engine) the statements or parts before the failure stay, and the next call
 * resumes there.
 */
export async function migrate(
  database: Database,
  options: {
    readonly directory: string;
    readonly dialect: DialectName;
    readonly contract?: boolean;
    readonly keepsContent?: boolean;
    readonly to?: string | undefined;
    readonly only?: string | undefined;
    readonly onStep?: StepListener | undefined;
    readonly onLongPart?: LongPartListener | undefined;
  },
  direction: Direction,
): Promise<MigrationReport> {
  const { directory, dialect, contract = false, keepsContent = false, to, only, onLongPart } = options;
  let name = '';
  const onStep: StepListener = (step) => {
    name = step.name;
    options.onStep?.(step);
  };
  const tell = onLongPart && ((part: LongPart) => onLongPart({ ...part, name }));
  const task = await refresh(database, { ...(await readMigrations(directory, dialect)), onStep, onLongPart: tell });
  if (direction === 'status') return report(task, [], await readUnfinished(database));
  if (direction === 'up' && isDone(task, database.dialect, contract)) return report(task, []);
  const watch = (session: Session): Session => (tell ? watchedSession(session, database, tell) : session);
  const changed = await database.migrating(LOCK_TIMEOUT, (session) =>
    run(watch(session), task, direction, { contract, to, only, keepsContent }),
  );
  if (!changed) {
    throw new MigrationError(
      `Another process has been migrating the database for ${LOCK_TIMEOUT / 60_000} minutes. Check whether it is still running.`,
    );
  }
  return report(await refresh(database, task), changed);
}

/** Applies all pending migrations in `directory`; returns their names. Throws like `migrate`. */
export async function migrateUp(database: Database, directory: string): Promise<readonly string[]> {
  return (await migrate(database, { directory, dialect: database.dialect.name }, 'up')).changed;
}

/**
 * Whether a server with the migrations listed in `migrations.sum` in `directory` works on the database as it is. Cheap
 * enough for a readiness probe: one small file and one statement.
 */
export async function isMigrated(database: Database, directory: string): Promise<boolean> {
  const [lines, applied] = await Promise.all([readSum(directory), readApplied(database)]);
  return isFitting(
    lines.map(({ name }) => name),
    applied.map(({ name }) => name),
  );
}
