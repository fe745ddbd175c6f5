/**
 * Migrations that are not one transaction. MySQL and MariaDB commit each DDL statement by themselves. On PostgreSQL and SQLite, one
 * transaction might exhaust PostgreSQL's shared lock table, block writes for as long as an index is built, or write all rows of a large
 * table at once. The progress is recorded unit by unit, so that the next process resumes an interrupted migration, wherever it was
 * killed: transactions are committed together with that record, so that they run exactly once; statements that can't be in one are
 * recorded before and after they run.
 */
import { GUARD_STATEMENTS, type ScriptPart } from '../contract/migrations/script.ts';
import type { Session } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import { afterOwnSql } from './after-own-sql.ts';
import { catalogueHash } from './catalogue.ts';
import { dropInvalid, nameTaken, runConcurrently } from './concurrent-index.ts';
import { duplicateReason, failureReason } from './failure-reason.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import {
  begin,
  finish,
  hashOf,
  inTransaction,
  PROGRESS_TABLE,
  readUnfinished,
  type Run,
  runWithin,
  type Unfinished,
  withdraw,
} from './progress.ts';
import { isWithinRanges, runRanges } from './run-ranges.ts';
import { textHash } from './sum.ts';
import { scriptOf, type Unit, unitsOf } from './units.ts';

interface Work {
  readonly session: Session;
  readonly run: Run;
  readonly units: readonly Unit[];
}

function isMysql({ session }: Work): boolean {
  return session.dialect.name === 'mysql';
}

function hashBefore({ units }: Work, end: number): string {
  return hashOf(units.slice(0, end).flatMap(({ statements }) => statements.map(({ text }) => text)));
}

/** Records that a unit is done; nothing if another process has run it in the meantime. */
async function recordDone(work: Work, place: number, session = work.session): Promise<void> {
  await session.run(
    sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${place + 1}, statements = ${hashBefore(work, place + 1)}, catalogue = NULL WHERE name = ${work.run.migration.name} AND done = ${place}`,
  );
}

/** Records the state before a statement outside of a transaction, or with null that it had no effect. */
async function recordBegun({ session, run }: Work, mark: string | null): Promise<void> {
  await session.run(sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${mark} WHERE name = ${run.migration.name}`);
}

/** Whether no other process has run a unit in the meantime. */
async function isNext({ run }: Work, place: number, session: Session): Promise<boolean> {
  const select = sql`SELECT 1 AS n FROM ${raw(PROGRESS_TABLE)} WHERE name = ${run.migration.name} AND done = ${place}`;
  return (await session.get(select)) !== undefined;
}

/** A statement of MySQL as a script, whatever semicolons are in its body. */
function mysqlScript(text: string): string {
  return text.includes(';') ? `DELIMITER content-gen-end\n${text}` : text;
}

async function runTransaction(work: Work, place: number, text: string): Promise<void> {
  await inTransaction(work.session, async (session) => {
    if (!(await isNext(work, place, session))) return;
    // A procedure may end the transaction.
    if (isMysql(work)) await session.script(mysqlScript(text));
    else await runWithin(session, text);
    await recordDone(work, place, session);
  });
}

/** Before a statement that MySQL commits by itself, the state of the catalogue is recorded, which tells whether it took effect. */
async function runAutocommit(work: Work, place: number, text: string): Promise<void> {
  await recordBegun(work, await catalogueHash(work.session, text));
  await work.session.script(mysqlScript(text));
  await recordDone(work, place);
}

/**
 * Returns a function that runs a statement outside of a transaction. If it is called again, it knows that the statement has
 * begun.
 */
function concurrently(
  work: Work,
  place: number,
  text: string,
  part: Extract<ScriptPart, { readonly runs: 'concurrently' }>,
  begun: string | undefined,
): () => Promise<void> {
  const mark = textHash(text);
  let hasBegun = begun === mark;
  return async () => {
    await runConcurrently(work.session, text, part, {
      hasBegun,
      begin: async () => {
        await recordBegun(work, mark);
        hasBegun = true;
      },
    });
    await recordDone(work, place);
  };
}

/** Runs a unit, unless another process has. `begun`: the mark of a unit that an earlier process began. */
async function runUnit(work: Work, place: number, { part, text }: Unit, begun: string | undefined): Promise<void> {
  const { session, run } = work;
  if (part.runs === 'ranges') {
    const { name } = run.migration;
    await runRanges({ session, name, statement: text, ranges: part, place, onLongPart: run.onLongPart }, begun);
    return recordDone(work, place);
  }
  const perform =
    part.runs === 'concurrently'
      ? concurrently(work, place, text, part, begun)
      : () => (part.runs === 'autocommit' ? runAutocommit : runTransaction)(work, place, text);
  await whenUnlocked(perform, () => Promise.resolve(false));
}

/** Removes what a failed unit left behind. False if some of its effect remains. */
async function cleanUp(work: Work, { part }: Unit): Promise<boolean> {
  const isClean = async (): Promise<boolean> => (await readUnfinished(work.session))?.catalogue === undefined;
  if (part.runs === 'ranges') return isClean();
  if (part.runs !== 'concurrently' || 'drops' in part) return true;
  if (await dropInvalid(work.session, part.creates)) return isClean();
  await recordBegun(work, null);
  return true;
}

/** If a guard stopped a migration on MySQL before it changed anything, drops its table. False if it was not so. */
async function droppedGuard({ session, run }: Work, place: number): Promise<boolean> {
  const { guards = [] } = scriptOf(run.migration, run.direction, 'mysql');
  const number = Math.floor(place / GUARD_STATEMENTS);
  const isFirst = guards.slice(0, number + 1).every(({ at, table }, index) => table && at === index * GUARD_STATEMENTS);
  const table = isFirst ? guards[number]?.table : undefined;
  if (table === undefined) return false;
  await session.script(`DROP TABLE IF EXISTS ${session.dialect.id(table).text}`);
  return true;
}

/** Whether a failed unit has left nothing of the migration behind. */
async function leavesNothing(work: Work, place: number, unit: Unit): Promise<boolean> {
  if (!isMysql(work)) return (await cleanUp(work, unit)) && place === 0;
  // The statement had no effect. Forget the catalogue, so that a manual fix is not mistaken for its effect.
  if (unit.part.runs !== 'ranges') await recordBegun(work, null);
  return droppedGuard(work, place);
}

/** The error of a failed unit, for the user. */
async function failure(work: Work, place: number, unit: Unit, error: unknown): Promise<MigrationError> {
  const { session, run, units } = work;
  const { name } = run.migration;
  // MySQL does not roll back DDL, and earlier units stay: their renames are in effect.
  const isRolledBack = !isMysql(work) && place === 0;
  const reason = await failureReason(session, error, { ...run, isRolledBack });
  const index = 'creates' in unit.part ? unit.part.creates : 'drops' in unit.part ? unit.part.drops : undefined;
  const at = index === undefined ? '' : ` at the index ${index}`;
  // If the cleanup fails now, the next start does it.
  if (await leavesNothing(work, place, unit).catch(() => false)) {
    await withdraw(session, run, place).catch(() => undefined);
    return new MigrationError(`The migration ${name} failed${at}, and none of it was kept: ${reason}`, {
      cause: error,
    });
  }
  const [one, many] = isMysql(work) ? ['statement', 'statements'] : ['part', 'parts'];
  return new MigrationError(
    `The migration ${name} failed${at === '' ? ' at' : `${at},`} ${one} ${place + 1} of ${units.length}. The ${many} before it are kept, ` +
      `and the next start continues there: ${reason}`,
    { cause: error },
  );
}

/**
 * Throws a MigrationError if an index that comes after other parts can't be created, as those parts would be kept. Only
 * reads rows, and locks nothing.
 */
async function checkIndexes({ session, run, units }: Work): Promise<void> {
  const { plan, name } = run.migration;
  // SQL of a team may make room for an index.
  if (plan.handWritten) return;
  const isFreed = (index: string): boolean =>
    plan.changes.some(
      (change) =>
        (change.kind === 'dropIndex' && change.index.name === index) ||
        (change.kind === 'renameIndex' && change.from === index),
    );
  for (const { part } of units) {
    if (part.runs !== 'concurrently' || 'drops' in part) continue;
    const index = part.creates;
    const taken = isFreed(index) ? undefined : await nameTaken(session, index);
    const reason = taken ?? (await duplicateReason(session, { ...run, isRolledBack: true }, index));
    if (reason !== undefined) {
      throw new MigrationError(
        `The migration ${name} can't create the index ${index}, and none of it was kept: ${reason}`,
      );
    }
  }
}

/** How many units are done, including an interrupted statement if MySQL's catalogue shows that it took effect. */
async function countDone(work: Work, { done, statements, catalogue }: Unfinished): Promise<number> {
  if (hashBefore(work, done) !== statements) {
    const many = isMysql(work) ? 'statements' : 'parts';
    throw new MigrationError(
      `The first ${done} ${many} of the migration ${work.run.migration.name} were run, but differ from those that this server has. ` +
        `Restore them from version control; only the ${many} after them can be changed.`,
    );
  }
  const next = work.units[done];
  if (!isMysql(work) || catalogue === undefined || !next || isWithinRanges(catalogue)) return done;
  if ((await catalogueHash(work.session, next.text)) === catalogue) return done;
  await recordDone(work, done);
  return done + 1;
}

/**
 * Applies or undoes a migration unit by unit, resuming after the last one done. Throws a MigrationError that names the
 * failed one, which is rolled back; the next call resumes with it, unless nothing was changed before. False if another process has run
 * all of it.
 */
export async function runParts(session: Session, run: Run, unfinished: Unfinished | undefined): Promise<boolean> {
  const { migration, number, direction } = run;
  const work: Work = { session, run, units: unitsOf(migration, direction, session.dialect.name) };
  if (!unfinished && direction === 'up') await checkIndexes(work);
  const from = unfinished ?? (await begin(session, migration, direction));
  if (!from) return false;
  const done = await countDone(work, from);
  for (const [place, unit] of work.units.entries()) {
    if (place < done && unit.part.runs !== 'session') continue;
    try {
      if (place < done) await session.script(mysqlScript(unit.text));
      else await runUnit(work, place, unit, place === from.done ? from.catalogue : undefined);
    } catch (error) {
      throw await failure(work, place, unit, error);
    }
  }
  await afterOwnSql(session, run, { isInTransaction: false });
  return finish(session, migration, number, from);
}
