/**
 * Migrations of engines that commit each statement that changes tables by itself: MySQL and MariaDB. How far a migration has
 * come is written down, so that the next process goes on where one was interrupted, at whatever moment.
 */
import type { Session } from '../database/database.ts';
import { splitStatements } from '../database/split-statements.ts';
import { raw, sql } from '../database/sql.ts';
import { catalogueHash } from './catalogue.ts';
import { failureReason } from './failure-reason.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import { begin, finish, hashOf, PROGRESS_TABLE, together, type Unfinished } from './progress.ts';
import type { Migration } from './read-migrations.ts';

const AFTER_COMMENTS = String.raw`^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*(?![!M])[\s\S]*?\*\/)*`;
const CHANGES_ROWS = new RegExp(String.raw`${AFTER_COMMENTS}(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b`, 'iu');

/** What ends with the connection, and goes on for the statements that follow: settings and variables. */
const SETS_SESSION = new RegExp(String.raw`${AFTER_COMMENTS}SET\b`, 'iu');

interface Work {
  readonly session: Session;
  /** The migration. */
  readonly name: string;
  readonly statements: readonly string[];
}

async function noteDone({ session, name, statements }: Work, done: number): Promise<void> {
  const hash = hashOf(statements.slice(0, done));
  await session.run(
    sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${done}, statements = ${hash}, catalogue = NULL WHERE name = ${name}`,
  );
}

async function noteBegun({ session, name }: Work, catalogue: string | null): Promise<void> {
  await session.run(sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${catalogue} WHERE name = ${name}`);
}

/** A change of rows is one with the note that it is done. A change of tables is preceded by what they were before it. */
async function runStatement(work: Work, index: number): Promise<void> {
  const { session, statements } = work;
  const text = statements[index] ?? '';
  if (CHANGES_ROWS.test(text)) {
    await together(session, async () => {
      await session.script(text);
      await noteDone(work, index + 1);
    });
    return;
  }
  await noteBegun(work, await catalogueHash(session, text));
  await session.script(text);
  await noteDone(work, index + 1);
}

/** How many statements are done. The one that was under way took effect if what it names is not as it was before it. */
async function countDone(work: Work, { done, statements, catalogue }: Unfinished): Promise<number> {
  if (hashOf(work.statements.slice(0, done)) !== statements) {
    throw new MigrationError(
      `The first ${done} statements of the migration ${work.name} were run, and are not those that this server has. ` +
        'Restore them from version control; only those after them can be mended.',
    );
  }
  const text = work.statements[done];
  if (catalogue === undefined || text === undefined) return done;
  if ((await catalogueHash(work.session, text)) === catalogue) return done;
  await noteDone(work, done + 1);
  return done + 1;
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
  const work: Work = { session, name, statements };
  const done = await countDone(work, from);
  for (const [index, text] of statements.entries()) {
    const isDone = index < done;
    if (isDone && !SETS_SESSION.test(text)) continue;
    try {
      await whenUnlocked(
        () => (isDone ? session.script(text) : runStatement(work, index)),
        () => Promise.resolve(false),
      );
    } catch (error) {
      // What failed has had no effect: whatever a person mends now must not be taken for one.
      await noteBegun(work, null).catch(() => undefined);
      const reason = await failureReason(session, error, text);
      const place = `statement ${index + 1} of ${statements.length}`;
      throw new MigrationError(
        `The migration ${name} failed at ${place}. What came before it is kept, and the next start goes on there: ${reason}`,
        { cause: error },
      );
    }
  }
  await finish(session, migration, number, from);
}
