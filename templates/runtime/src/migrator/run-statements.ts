/**
 * Migrations of engines that commit each statement that changes tables by itself: MySQL and MariaDB. How far a migration has
 * come is written down, so that the next process goes on where one was interrupted, at whatever moment.
 */
import { codeOf } from '../database/connection.ts';
import type { Session } from '../database/database.ts';
import { splitStatements } from '../database/split-statements.ts';
import { raw, sql } from '../database/sql.ts';
import { isNoTable, rememberSql, forgetSql } from './applied.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './read-migrations.ts';

const TABLE = '_migration_progress';

/** A migration that is being applied or undone. */
export interface Unfinished {
  readonly name: string;
  readonly direction: 'up' | 'down';
  /** How many of its statements are done for certain. */
  readonly done: number;
  /** How many were begun: one more than `done`, where nobody knows about the last. */
  readonly begun: number;
}

/** What is unfinished; undefined, most of the time, where nothing is. */
export async function readUnfinished(session: Session): Promise<Unfinished | undefined> {
  try {
    const row = await session.get(raw(`SELECT name, direction, done, begun FROM ${TABLE}`));
    if (!row) return undefined;
    const direction = row['direction'] === 'down' ? 'down' : 'up';
    return { name: String(row['name']), direction, done: Number(row['done']), begun: Number(row['begun']) };
  } catch (error) {
    if (isNoTable(error)) return undefined;
    throw error;
  }
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS ${TABLE} (
  name varchar(100) NOT NULL PRIMARY KEY,
  direction varchar(4) NOT NULL,
  done integer NOT NULL,
  begun integer NOT NULL
)`;

/** Runs what belongs together: all of it or nothing. */
async function together(session: Session, work: () => Promise<void>): Promise<void> {
  await session.script('START TRANSACTION');
  try {
    await work();
    await session.script('COMMIT');
  } catch (error) {
    await session.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Writes down that a migration begins. One that is being undone does not count as applied from then on. */
async function begin(session: Session, migration: Migration, direction: Unfinished['direction']): Promise<Unfinished> {
  await session.script(CREATE_TABLE);
  await together(session, async () => {
    await session.run(
      sql`INSERT INTO ${raw(TABLE)} (name, direction, done, begun) VALUES (${migration.name}, ${direction}, 0, 0)`,
    );
    if (direction === 'down') await session.script(forgetSql(session.dialect, migration));
  });
  return { name: migration.name, direction, done: 0, begun: 0 };
}

async function finish(
  session: Session,
  migration: Migration,
  number: number,
  { direction }: Unfinished,
): Promise<void> {
  const [createTable = '', insert = ''] = splitStatements(rememberSql(session.dialect, migration, number));
  if (direction === 'up') await session.script(createTable);
  await together(session, async () => {
    if (direction === 'up') await session.script(insert);
    await session.run(sql`DELETE FROM ${raw(TABLE)} WHERE name = ${migration.name}`);
  });
}

const CHANGES_ROWS = /^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*(?![!M])[\s\S]*?\*\/)*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b/iu;

/** How the engines say that what a statement makes is there already, or what it removes or renames is not. */
const ALREADY_SO: ReadonlySet<string> = new Set([
  'ER_TABLE_EXISTS_ERROR',
  'ER_BAD_TABLE_ERROR',
  'ER_NO_SUCH_TABLE',
  'ER_DUP_FIELDNAME',
  'ER_BAD_FIELD_ERROR',
  'ER_DUP_KEYNAME',
  'ER_CANT_DROP_FIELD_OR_KEY',
  'ER_KEY_DOES_NOT_EXITS',
  'ER_FK_DUP_NAME',
  'ER_DUP_CONSTRAINT_NAME',
]);

/** MariaDB says it so of foreign keys. */
const SAME_FOREIGN_KEY = /errno: 121/u;

function isAlreadySo(error: unknown): boolean {
  if (ALREADY_SO.has(codeOf(error) ?? '')) return true;
  return error instanceof Error && SAME_FOREIGN_KEY.test(error.message);
}

interface Statement {
  readonly text: string;
  /** From 0. */
  readonly index: number;
  /** Whether an earlier process may have run it. */
  readonly mayBeDone: boolean;
}

async function note(session: Session, name: string, column: 'done' | 'begun', count: number): Promise<void> {
  await session.run(sql`UPDATE ${raw(TABLE)} SET ${raw(column)} = ${count} WHERE name = ${name}`);
}

/** Changes of rows are one with the note that they are done; each change of tables is made wholly or not at all. */
async function runStatement(session: Session, name: string, { text, index, mayBeDone }: Statement): Promise<void> {
  if (CHANGES_ROWS.test(text)) {
    await together(session, async () => {
      await session.script(text);
      await note(session, name, 'done', index + 1);
    });
    return;
  }
  await note(session, name, 'begun', index + 1);
  try {
    await session.script(text);
  } catch (error) {
    if (!mayBeDone || !isAlreadySo(error)) throw error;
  }
  await note(session, name, 'done', index + 1);
}

/**
 * Applies or undoes a migration, statement by statement, from where it is unfinished. Throws a MigrationError that names the
 * statement which failed; the next call goes on with it.
 */
export async function runStatements(
  session: Session,
  {
    migration,
    number,
    direction,
  }: { readonly migration: Migration; readonly number: number; readonly direction: 'up' | 'down' },
  unfinished: Unfinished | undefined,
): Promise<void> {
  const { name } = migration;
  const from = unfinished ?? (await begin(session, migration, direction));
  const statements = splitStatements(migration[direction]);
  for (const [index, text] of statements.entries()) {
    if (index < from.done) continue;
    const statement = { text, index, mayBeDone: index < from.begun };
    try {
      await whenUnlocked(
        () => runStatement(session, name, statement),
        () => Promise.resolve(false),
      );
    } catch (error) {
      // What failed has had no effect: a later process must not take it for done.
      await note(session, name, 'begun', index).catch(() => undefined);
      const reason = error instanceof Error ? error.message : String(error);
      const place = `statement ${index + 1} of ${statements.length}`;
      throw new MigrationError(
        `The migration ${name} failed at ${place}. What came before it is kept, and the next start goes on there: ${reason}`,
        { cause: error },
      );
    }
  }
  await finish(session, migration, number, from);
}
