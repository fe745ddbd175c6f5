/**
 * Migrations of PostgreSQL and SQLite that are not one transaction. One transaction might exhaust PostgreSQL's shared lock
 * table, block writes for as long as an index is built, or, on both engines, write all rows of a large table at once. Each
 * transaction is committed together with the progress record, so that it runs exactly once even if the process is killed;
 * statements that can't be in a transaction are recorded before and after they run.
 */
import type { Session } from '../database/database.ts';
import { splitStatements } from '../contract/sql/statements.ts';
import { raw, sql } from '../database/sql.ts';
import { afterOwnSql } from './after-own-sql.ts';
import { dropInvalid, nameTaken, runConcurrently } from './concurrent-index.ts';
import { duplicateReason, failureReason } from './failure-reason.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import type { LongPartListener } from './long-parts.ts';
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
import type { Ranges } from './ranges.ts';
import { runRanges } from './run-ranges.ts';
import { textHash } from './sum.ts';
import { type ConcurrentIndex, type Unit, unitsOf } from './units.ts';

interface Work {
  readonly session: Session;
  /** The migration. */
  readonly name: string;
  readonly units: readonly Unit[];
  readonly onLongPart: LongPartListener | undefined;
}

function hashBefore({ units }: Work, end: number): string {
  return hashOf(units.slice(0, end).map(({ text }) => text));
}

/** Records that a unit is done; false if another process has run it in the meantime. */
async function recordDone(work: Work, index: number, session = work.session): Promise<boolean> {
  const { changes } = await session.run(
    sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${index + 1}, statements = ${hashBefore(work, index + 1)}, catalogue = NULL WHERE name = ${work.name} AND done = ${index}`,
  );
  return changes > 0;
}

/** Records that a statement outside of a transaction has begun, or with null that it had no effect. */
async function recordBegun({ session, name }: Work, mark: string | null): Promise<void> {
  await session.run(sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${mark} WHERE name = ${name}`);
}

/** Whether no other process has run a unit in the meantime. */
async function isNext({ name }: Work, index: number, session: Session): Promise<boolean> {
  const select = sql`SELECT 1 AS n FROM ${raw(PROGRESS_TABLE)} WHERE name = ${name} AND done = ${index}`;
  return (await session.get(select)) !== undefined;
}

async function runTransaction(work: Work, index: number): Promise<void> {
  await inTransaction(work.session, async (session) => {
    if (!(await isNext(work, index, session))) return;
    await runWithin(session, work.units[index]?.text ?? '');
    await recordDone(work, index, session);
  });
}

/**
 * Returns a function that runs a statement outside of a transaction. If it is called again, it knows that the statement has
 * begun.
 */
function concurrently(
  work: Work,
  index: number,
  unit: { readonly text: string; readonly index: ConcurrentIndex },
  begun: string | undefined,
): () => Promise<void> {
  const mark = textHash(unit.text);
  let hasBegun = begun === mark;
  return async () => {
    await runConcurrently(work.session, unit, {
      hasBegun,
      begin: async () => {
        await recordBegun(work, mark);
        hasBegun = true;
      },
    });
    await recordDone(work, index);
  };
}

async function runInRanges(
  work: Work,
  place: number,
  { text: statement, ranges }: { readonly text: string; readonly ranges: Ranges },
  begun: string | undefined,
): Promise<void> {
  const { session, name, onLongPart } = work;
  await runRanges({ session, name, statement, ranges, place, onLongPart }, begun);
  await recordDone(work, place);
}

/** Runs a unit, unless another process has. `begun`: the mark of a unit that an earlier process began. */
async function runUnit(work: Work, place: number, begun: string | undefined): Promise<void> {
  const { text = '', index, ranges } = work.units[place] ?? {};
  if (ranges) return runInRanges(work, place, { text, ranges }, begun);
  const run = index ? concurrently(work, place, { text, index }, begun) : () => runTransaction(work, place);
  await whenUnlocked(run, () => Promise.resolve(false));
}

/** Removes what a failed unit left behind. False if some of its effect remains. */
async function cleanUp(work: Work, unit: Unit | undefined): Promise<boolean> {
  if (unit?.ranges) return (await readUnfinished(work.session))?.catalogue === undefined;
  if (unit?.index?.verb !== 'create') return true;
  if (await dropInvalid(work.session, unit.index.name)) {
    return (await readUnfinished(work.session))?.catalogue === undefined;
  }
  await recordBegun(work, null);
  return true;
}

/** The error of a failed unit, for the user. If it was the first one, nothing of the migration is kept. */
async function failure(work: Work, place: number, run: Run, error: unknown): Promise<MigrationError> {
  const { session, name, units } = work;
  const unit = units[place];
  const reason = await failureReason(session, error, unit?.text ?? '');
  // If the cleanup fails now, the next start does it.
  const isClean = await cleanUp(work, unit).catch(() => false);
  const index = unit?.index ? ` at the index ${unit.index.name}` : '';
  if (place === 0 && isClean) {
    await withdraw(session, run, 0).catch(() => undefined);
    return new MigrationError(`The migration ${name} failed${index}, and none of it was kept: ${reason}`, {
      cause: error,
    });
  }
  return new MigrationError(
    `The migration ${name} failed${index === '' ? ' at' : `${index},`} part ${place + 1} of ${units.length}. The parts before it are kept, ` +
      `and the next start continues there: ${reason}`,
    { cause: error },
  );
}

/** Why an index can't be created after these statements; undefined if no reason is found. */
async function obstacle(session: Session, before: readonly string[], text: string, name: string) {
  const isNamed = before.some((statement) => statement.includes(name));
  return (isNamed ? undefined : await nameTaken(session, name)) ?? duplicateReason(session, [...before, text]);
}

/**
 * Throws a MigrationError if an index that comes after other parts can't be created, as those parts would be kept. Only
 * reads rows, and locks nothing.
 */
async function checkIndexes(session: Session, name: string, units: readonly Unit[]): Promise<void> {
  const before: string[] = [];
  for (const { text, index } of units) {
    const reason = index?.verb === 'create' ? await obstacle(session, before, text, index.name) : undefined;
    if (index && reason !== undefined) {
      throw new MigrationError(
        `The migration ${name} can't create the index ${index.name}, and none of it was kept: ${reason}`,
      );
    }
    before.push(...splitStatements(text, session.dialect.name));
  }
}

/**
 * Applies or undoes a migration part by part, resuming after the last one done. Throws a MigrationError that names the
 * failed part, which is rolled back; the next call resumes with it. False if another process has run all of it.
 */
export async function runBatches(session: Session, run: Run, unfinished: Unfinished | undefined): Promise<boolean> {
  const { migration, number, direction, onLongPart } = run;
  const { name } = migration;
  const work: Work = { session, name, units: unitsOf(migration[direction], session.dialect.name), onLongPart };
  if (!unfinished && direction === 'up') await checkIndexes(session, name, work.units);
  const from = unfinished ?? (await begin(session, migration, direction));
  if (!from) return false;
  if (hashBefore(work, from.done) !== from.statements) {
    throw new MigrationError(
      `The first ${from.done} parts of the migration ${name} were run, but differ from those that this server has. ` +
        'Restore them from version control; only the parts after them can be changed.',
    );
  }
  for (let place = from.done; place < work.units.length; place += 1) {
    try {
      await runUnit(work, place, place === from.done ? from.catalogue : undefined);
    } catch (error) {
      throw await failure(work, place, run, error);
    }
  }
  await afterOwnSql(session, run, { isInTransaction: false });
  return finish(session, migration, number, from);
}
