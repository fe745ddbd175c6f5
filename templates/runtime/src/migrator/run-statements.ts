/**
 * Migrations on MySQL and MariaDB, where each DDL statement commits by itself. The progress is recorded statement by
 * statement, so that the next process can resume an interrupted migration, wherever it was killed.
 */
import type { Session } from '../database/database.ts';
import { type SqlStatement, statementsOf } from '../contract/sql/statements.ts';
import { raw, sql } from '../database/sql.ts';
import { afterOwnSql } from './after-own-sql.ts';
import { catalogueHash } from './catalogue.ts';
import { failureReason } from './failure-reason.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import type { LongPartListener } from './long-parts.ts';
import { guardTable } from './guards.ts';
import {
  begin,
  finish,
  hashOf,
  inTransaction,
  PROGRESS_TABLE,
  type Run,
  type Unfinished,
  withdraw,
} from './progress.ts';
import { rangesOf } from './ranges.ts';
import { isWithinRanges, runRanges } from './run-ranges.ts';

/** Statements that can share a transaction with their progress record, unless a procedure that they call ends it. */
const DML: ReadonlySet<string> = new Set(
  'BEGIN CALL CASE DELETE DO EXECUTE FOR IF INSERT LOAD LOOP REPEAT REPLACE SELECT UPDATE WHILE WITH'.split(' '),
);

function isDml({ words }: SqlStatement): boolean {
  const [first = '', second] = words;
  // MariaDB: SET STATEMENT max_statement_time = 60 FOR UPDATE …
  if (first === 'SET' && second === 'STATEMENT') return DML.has(words[words.indexOf('FOR') + 1] ?? '');
  return DML.has(first) || second === ':';
}

/** Whether a statement only sets what lives in the session, and so is run again when a migration is resumed. */
function setsSession({ words }: SqlStatement): boolean {
  const [first, second] = words;
  if (first === 'SET') return second !== 'STATEMENT';
  return first === 'PREPARE' || (first === 'SELECT' && words[words.lastIndexOf('INTO') + 1] === '@');
}

/** A script of one statement, whatever semicolons are in its body. */
function scriptOf({ text }: SqlStatement): string {
  return text.includes(';') ? `DELIMITER content-gen-end\n${text}` : text;
}

interface Work {
  readonly session: Session;
  /** The migration. */
  readonly name: string;
  readonly statements: readonly SqlStatement[];
  readonly onLongPart: LongPartListener | undefined;
}

function textsOf(statements: readonly SqlStatement[]): readonly string[] {
  return statements.map(({ text }) => text);
}

async function recordDone({ name, statements }: Work, done: number, session: Session): Promise<void> {
  const hash = hashOf(textsOf(statements.slice(0, done)));
  await session.run(
    sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${done}, statements = ${hash}, catalogue = NULL WHERE name = ${name}`,
  );
}

async function recordCatalogue({ session, name }: Work, catalogue: string | null): Promise<void> {
  await session.run(sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${catalogue} WHERE name = ${name}`);
}

/** DML shares a transaction with its progress record. Before DDL, the state of the catalogue is recorded. */
async function runWhole(work: Work, index: number, statement: SqlStatement): Promise<void> {
  const { session } = work;
  if (isDml(statement)) {
    await inTransaction(session, async (own) => {
      await own.script(scriptOf(statement));
      await recordDone(work, index + 1, own);
    });
    return;
  }
  await recordCatalogue(work, await catalogueHash(session, statement.text));
  await session.script(scriptOf(statement));
  await recordDone(work, index + 1, session);
}

/** `begun`: the position within the statement that an earlier process recorded. */
async function runStatement(work: Work, index: number, whole: SqlStatement, begun: string | undefined): Promise<void> {
  const { session, name, onLongPart } = work;
  const statement = whole.text;
  const ranges = rangesOf(statement);
  if (!ranges) {
    return void (await whenUnlocked(
      () => runWhole(work, index, whole),
      () => Promise.resolve(false),
    ));
  }
  await runRanges({ session, name, statement, ranges, place: index, onLongPart }, begun);
  await recordDone(work, index + 1, session);
}

/** How many statements are done, including an interrupted DDL statement if the catalogue shows that it took effect. */
async function countDone(work: Work, { done, statements, catalogue }: Unfinished): Promise<number> {
  if (hashOf(textsOf(work.statements.slice(0, done))) !== statements) {
    throw new MigrationError(
      `The first ${done} statements of the migration ${work.name} were run, but differ from those that this server has. ` +
        'Restore them from version control; only the statements after them can be changed.',
    );
  }
  const text = work.statements[done]?.text;
  if (catalogue === undefined || text === undefined || isWithinRanges(catalogue)) return done;
  if ((await catalogueHash(work.session, text)) === catalogue) return done;
  await recordDone(work, done + 1, work.session);
  return done + 1;
}

/** If a guard stopped a migration before it changed anything, forgets that it was begun. False if it was not so. */
async function withdrawn({ session, statements }: Work, run: Run, index: number): Promise<boolean> {
  const tables = textsOf(statements.slice(0, index + 1)).map(guardTable);
  const table = tables.at(-1);
  if (table === undefined || tables.includes(undefined)) return false;
  await session.script(`DROP TABLE IF EXISTS ${session.dialect.id(table).text}`);
  await withdraw(session, run, index);
  return true;
}

async function failure(work: Work, run: Run, index: number, error: unknown): Promise<MigrationError> {
  const { session, name, statements } = work;
  const text = statements[index]?.text ?? '';
  // The statement had no effect. Forget the catalogue, so that a manual fix is not mistaken for its effect.
  if (!rangesOf(text)) await recordCatalogue(work, null).catch(() => undefined);
  const reason = await failureReason(session, error, text);
  if (await withdrawn(work, run, index).catch(() => false)) {
    return new MigrationError(`The migration ${name} failed, and none of it was kept: ${reason}`, { cause: error });
  }
  const place = `statement ${index + 1} of ${statements.length}`;
  return new MigrationError(
    `The migration ${name} failed at ${place}. The statements before it are kept, and the next start continues there: ${reason}`,
    { cause: error },
  );
}

/**
 * Applies or undoes a migration statement by statement, resuming after the last one done. Throws a MigrationError that
 * names the statement which failed; the next call resumes with it, unless a guard failed before anything was changed.
 */
export async function runStatements(session: Session, run: Run, unfinished: Unfinished | undefined): Promise<boolean> {
  const { migration, number, direction, onLongPart } = run;
  const { name } = migration;
  const from = unfinished ?? (await begin(session, migration, direction));
  if (!from) return false;
  const statements = statementsOf(migration[direction], 'mysql');
  const work: Work = { session, name, statements, onLongPart };
  const done = await countDone(work, from);
  for (const [index, statement] of statements.entries()) {
    const isDone = index < done;
    if (isDone && !setsSession(statement)) continue;
    try {
      if (isDone) await session.script(scriptOf(statement));
      else await runStatement(work, index, statement, index === from.done ? from.catalogue : undefined);
    } catch (error) {
      throw await failure(work, run, index, error);
    }
  }
  await afterOwnSql(session, run, { isInTransaction: false });
  return finish(session, migration, number, from);
}
