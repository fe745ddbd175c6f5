/** The progress of migrations that are not one transaction, so that the next process resumes an interrupted one. */
import { codeOf } from '../database/connection.ts';
import type { Session } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import { deleteRows, raw, sql, type Sql } from '../database/sql.ts';
import { forgetSql, readApplied, recordSql, unlessNoTable } from './applied.ts';
import type { LongPartListener } from './long-parts.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './read-migrations.ts';
import { textHash } from './sum.ts';

/** The table with the unfinished migration, if any. */
export const PROGRESS_TABLE = '_migration_progress';

/** A migration that is being applied or undone. */
export interface Unfinished {
  readonly name: string;
  readonly direction: 'up' | 'down';
  /** How many of its statements (on PostgreSQL and SQLite: of its parts) are known to be done. */
  readonly done: number;
  /** The hash of these. */
  readonly statements: string;
  /**
   * State of the next statement, once it has begun: the hash of MySQL's catalogue before it, the hash of a concurrent index
   * statement on PostgreSQL, or the position within ranges.
   */
  readonly catalogue: string | undefined;
}

/** A migration to apply or undo. */
export interface Run {
  readonly migration: Migration;
  /** From 1. */
  readonly number: number;
  readonly direction: 'up' | 'down';
  /** The migrations before it. */
  readonly earlier: readonly Migration[];
  readonly onLongPart: LongPartListener | undefined;
}

/** The unfinished migration; usually there is none. */
export async function readUnfinished(session: Executor): Promise<Unfinished | undefined> {
  if (session.dialect.name === 'postgres') {
    // Keeps an error out of PostgreSQL's log on every first start.
    if (!(await session.get(sql`SELECT 1 AS n WHERE to_regclass(${PROGRESS_TABLE}) IS NOT NULL`))) return undefined;
  }
  const select = raw(`SELECT name, direction, done, statements, catalogue FROM ${PROGRESS_TABLE}`);
  const row = await unlessNoTable(() => session.get(select), undefined);
  if (!row) return undefined;
  const direction = row['direction'] === 'down' ? 'down' : 'up';
  const catalogue = row['catalogue'] === null ? undefined : String(row['catalogue']);
  const [name, statements] = [String(row['name']), String(row['statements'])];
  return { name, direction, done: Number(row['done']), statements, catalogue };
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS ${PROGRESS_TABLE} (
  name varchar(100) NOT NULL PRIMARY KEY,
  direction varchar(4) NOT NULL,
  done integer NOT NULL,
  statements varchar(64) NOT NULL,
  catalogue varchar(64)
)`;

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  if (session.atomically) return session.atomically(work);
  await session.script('START TRANSACTION');
  try {
    const result = await work(session);
    await session.script('COMMIT');
    return result;
  } catch (error) {
    await session.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The hash of statements or parts. */
export function hashOf(statements: readonly string[]): string {
  return textHash(statements.join(';\n'));
}

/** The savepoint that is gone if the transaction was ended. */
const BEGUN = 'content_gen_migration';

/** PostgreSQL's codes for a savepoint that does not exist, and for one outside of a transaction. */
const ENDED: ReadonlySet<string> = new Set(['3B001', '25P01']);

/** Whether an error means that the savepoint is gone. Others, such as a lost connection, don't tell what the SQL has done. */
function isEnded(error: unknown): boolean {
  return ENDED.has(codeOf(error) ?? '') || (error instanceof Error && error.message.startsWith('no such savepoint'));
}

/**
 * Runs SQL of a migration within a transaction. Throws a MigrationError if it has ended the transaction, which
 * `refusedStatements` can't rule out: settings of the session may change where strings end.
 */
export async function runWithin(session: Session, text: string): Promise<void> {
  await session.script(`SAVEPOINT ${BEGUN}`);
  await session.script(text);
  try {
    await session.script(`RELEASE SAVEPOINT ${BEGUN}`);
  } catch (cause) {
    if (!isEnded(cause)) throw cause;
    throw new MigrationError(
      'its SQL has ended the transaction that the migrator began. What it had done before may be kept. Remove the statement that does so.',
      { cause },
    );
  }
}

/**
 * Whether a migration is still to be begun. On SQLite another process may have run it meanwhile, as there is no migration
 * lock.
 */
export async function isOpen(
  session: Session,
  { name }: Migration,
  direction: Unfinished['direction'],
): Promise<boolean> {
  if (session.dialect.name !== 'sqlite') return true;
  const isApplied = (await readApplied(session)).some((one) => one.name === name);
  return isApplied === (direction === 'down') && !(await readUnfinished(session));
}

/**
 * Records that a migration begins. When undoing, it counts as not applied from then on. Returns the progress; undefined if
 * another process has run the migration.
 */
export async function begin(
  session: Session,
  migration: Migration,
  direction: Unfinished['direction'],
): Promise<Unfinished | undefined> {
  await session.script(CREATE_TABLE);
  const isBegun = await inTransaction(session, async (own) => {
    if (!(await isOpen(own, migration, direction))) return false;
    await own.run(
      sql`INSERT INTO ${raw(PROGRESS_TABLE)} (name, direction, done, statements) VALUES (${migration.name}, ${direction}, 0, ${hashOf([])})`,
    );
    if (direction === 'down') await own.script(forgetSql(session.dialect, migration));
    return true;
  });
  if (isBegun) return { name: migration.name, direction, done: 0, statements: hashOf([]), catalogue: undefined };
  const unfinished = await readUnfinished(session);
  return unfinished?.name === migration.name ? unfinished : undefined;
}

/** Clears the progress of a migration, which counts as applied from then on, or not. False if another process has done so. */
async function end(
  session: Session,
  migration: Migration,
  number: number,
  { isApplied, where }: { readonly isApplied: boolean; readonly where: Sql },
): Promise<boolean> {
  const [createTable, insert] = recordSql(session.dialect, migration, number);
  if (isApplied) await session.script(createTable);
  return inTransaction(session, async (own) => {
    const { changes } = await own.run(deleteRows(raw(PROGRESS_TABLE), where));
    if (changes === 0) return false;
    if (isApplied) await own.script(insert);
    return true;
  });
}

/** Records that a migration is applied or undone, and clears the progress. False if another process has done so. */
export function finish(
  session: Session,
  migration: Migration,
  number: number,
  { direction }: Unfinished,
): Promise<boolean> {
  return end(session, migration, number, { isApplied: direction === 'up', where: sql`name = ${migration.name}` });
}

/** Records that a migration was not begun, as none of it is in effect. `done`: how many statements or parts were recorded as done. */
export async function withdraw(session: Session, { migration, number, direction }: Run, done: number): Promise<void> {
  const where = sql`name = ${migration.name} AND done = ${done}`;
  await end(session, migration, number, { isApplied: direction === 'down', where });
}
