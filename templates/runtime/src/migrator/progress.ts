/** The progress of migrations that are not one transaction, so that the next process resumes an interrupted one. */
import type { Session } from '../database/database.ts';
import { splitStatements } from '../database/split-statements.ts';
import { deleteRows, raw, sql } from '../database/sql.ts';
import { forgetSql, isNoTable, recordSql } from './applied.ts';
import type { Migration } from './read-migrations.ts';
import { textHash } from './sum.ts';

/** The table with the unfinished migration, if any. */
export const PROGRESS_TABLE = '_migration_progress';

/** A migration that is being applied or undone. */
export interface Unfinished {
  readonly name: string;
  readonly direction: 'up' | 'down';
  /** How many of its statements (on PostgreSQL: of its parts) are known to be done. */
  readonly done: number;
  /** The hash of those. */
  readonly statements: string;
  /** The hash of MySQL's catalogue before the next statement; undefined if that has not begun. */
  readonly catalogue: string | undefined;
}

/** The unfinished migration; undefined, as a rule, if there is none. */
export async function readUnfinished(session: Session): Promise<Unfinished | undefined> {
  try {
    if (session.dialect.name === 'postgres') {
      // Keeps an error out of PostgreSQL's log on every first start.
      if (!(await session.get(sql`SELECT 1 AS n WHERE to_regclass(${PROGRESS_TABLE}) IS NOT NULL`))) return undefined;
    }
    const row = await session.get(raw(`SELECT name, direction, done, statements, catalogue FROM ${PROGRESS_TABLE}`));
    if (!row) return undefined;
    const direction = row['direction'] === 'down' ? 'down' : 'up';
    const catalogue = row['catalogue'] === null ? undefined : String(row['catalogue']);
    const [name, statements] = [String(row['name']), String(row['statements'])];
    return { name, direction, done: Number(row['done']), statements, catalogue };
  } catch (error) {
    if (isNoTable(error)) return undefined;
    throw error;
  }
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS ${PROGRESS_TABLE} (
  name varchar(100) NOT NULL PRIMARY KEY,
  direction varchar(4) NOT NULL,
  done integer NOT NULL,
  statements varchar(64) NOT NULL,
  catalogue varchar(64)
)`;

/** Runs `work` in one transaction. */
export async function inTransaction(session: Session, work: () => Promise<void>): Promise<void> {
  await session.script('START TRANSACTION');
  try {
    await work();
    await session.script('COMMIT');
  } catch (error) {
    await session.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The hash of statements or parts. */
export function hashOf(statements: readonly string[]): string {
  return textHash(statements.join(';\n'));
}

/** Records that a migration begins. One that is being undone counts as not applied from then on. */
export async function begin(
  session: Session,
  migration: Migration,
  direction: Unfinished['direction'],
): Promise<Unfinished> {
  await session.script(CREATE_TABLE);
  await inTransaction(session, async () => {
    await session.run(
      sql`INSERT INTO ${raw(PROGRESS_TABLE)} (name, direction, done, statements) VALUES (${migration.name}, ${direction}, 0, ${hashOf([])})`,
    );
    if (direction === 'down') await session.script(forgetSql(session.dialect, migration));
  });
  return { name: migration.name, direction, done: 0, statements: hashOf([]), catalogue: undefined };
}

/** Records that a migration is applied or undone, and clears the progress. */
export async function finish(
  session: Session,
  migration: Migration,
  number: number,
  { direction }: Unfinished,
): Promise<void> {
  const [createTable = '', insert = ''] = splitStatements(recordSql(session.dialect, migration, number));
  if (direction === 'up') await session.script(createTable);
  await inTransaction(session, async () => {
    if (direction === 'up') await session.script(insert);
    await session.run(deleteRows(raw(PROGRESS_TABLE), sql`name = ${migration.name}`));
  });
}
