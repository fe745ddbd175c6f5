/**
 * Runs a statement range by range. Each range is committed together with its position, so that another process can resume
 * after a crash, and others can write in between. After the last id, a second pass goes over all of them: rows may have been
 * added meanwhile, or not been committed yet.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ranges, withRange } from '../contract/migrations/script.ts';
import type { DialectName } from '../database/dialect.ts';
import type { Session } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import { raw, sql, type SqlValue } from '../database/sql.ts';
import { whenUnlocked } from './locked.ts';
import { type LongPartListener, notesOf } from './long-parts.ts';
import { inTransaction, PROGRESS_TABLE, readUnfinished } from './progress.ts';
import { RangeFailure } from './range-failure.ts';

/** How long a range should take, while others wait for its rows, and the pause after it, in milliseconds. */
const TIMES: Readonly<Record<DialectName, { readonly range: number; readonly pause: number }>> = {
  // All other writes wait, polling every few milliseconds.
  sqlite: { range: 50, pause: 30 },
  postgres: { range: 250, pause: 0 },
  mysql: { range: 250, pause: 0 },
};

/** The number of rows in a range: of the first one, and the limits. */
const ROWS = { first: 1000, least: 100, most: 100_000 };

/** Tables with at most this many rows are written at once, which takes no longer than a few ranges. */
export const FEW_ROWS = 10_000;

interface State {
  readonly pass: 1 | 2;
  /** The last id that this pass has processed. */
  readonly last: bigint;
}

const START: State = { pass: 1, last: -1n };

function written({ pass, last }: State): string {
  return `pass ${pass}, ${last}`;
}

function read(text: string | undefined): State {
  const groups = /^pass (?<pass>[12]), (?<last>-?\d+)$/u.exec(text ?? '')?.groups;
  return groups ? { pass: groups['pass'] === '2' ? 2 : 1, last: BigInt(groups['last'] ?? '-1') } : START;
}

/** Whether a recorded state is a position within ranges. */
export function isWithinRanges(text: string | undefined): boolean {
  return text?.startsWith('pass ') === true;
}

/** A statement of a migration that runs range by range. */
export interface RangeWork {
  readonly session: Session;
  /** The migration. */
  readonly name: string;
  readonly statement: string;
  readonly ranges: Ranges;
  /** Its index in the migration, from 0. */
  readonly place: number;
  readonly onLongPart: LongPartListener | undefined;
}

function numberIn(value: SqlValue | undefined): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value);
}

/** The last id of the next range, and its number of rows; undefined after the last range. */
async function nextRange(
  { session, ranges: { table, key } }: RangeWork,
  after: bigint,
  rows: number,
): Promise<{ readonly to: bigint; readonly rows: number } | undefined> {
  const id = (name: string): string => session.dialect.id(name).text;
  const next = `SELECT ${id(key)} AS id FROM ${id(table)} WHERE ${id(key)} > ${after} ORDER BY ${id(key)} LIMIT ${rows}`;
  const row = await session.get(raw(`SELECT max(id) AS last, count(*) AS found FROM (${next}) AS following`));
  const to = numberIn(row?.['last']);
  return to === undefined ? undefined : { to, rows: Number(row?.['found']) };
}

/** Runs the statement for one range; false if another process has advanced the position meanwhile. */
async function runRange(work: RangeWork, from: State, to: bigint): Promise<boolean> {
  const { session, name, statement, place } = work;
  const before = written(from);
  let isOurs = false;
  await whenUnlocked(
    async () => {
      isOurs = await inTransaction(session, async (own) => {
        const { changes } = await own.run(
          sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${written({ pass: from.pass, last: to })} WHERE name = ${name} AND done = ${place} AND coalesce(catalogue, ${written(START)}) = ${before}`,
        );
        if (changes === 0) return false;
        await own.script(withRange(statement, from.last, to));
        return true;
      });
    },
    () => Promise.resolve(false),
  );
  return isOurs;
}

/** The progress, for the user. */
async function describe({ session, ranges: { table, key } }: RangeWork, { pass, last }: State): Promise<string> {
  const id = (name: string): string => session.dialect.id(name).text;
  const row = await session.get(raw(`SELECT min(${id(key)}) AS first, max(${id(key)}) AS last FROM ${id(table)}`));
  const [first, end] = [numberIn(row?.['first']) ?? 0n, numberIn(row?.['last']) ?? 0n];
  const part = end > first && last > first ? (100n * (last - first)) / (end - first) : 0n;
  return `${part} %${pass === 2 ? ' of the final pass' : ''}`;
}

function fitting(rows: number, spent: number, wanted: number): number {
  const factor = Math.min(2, Math.max(0.5, wanted / Math.max(spent, 1)));
  return Math.round(Math.min(ROWS.most, Math.max(ROWS.least, rows * factor)));
}

/**
 * Runs a statement for all ids; `begun` is the position that an earlier process recorded. Returns early if another process
 * has completed it. If a range fails, it is rolled back, and a RangeFailure is thrown.
 */
export async function runRanges(work: RangeWork, begun: string | undefined): Promise<void> {
  const { session, name, place } = work;
  const times = TIMES[session.dialect.name];
  const notes = notesOf(work.statement, session.dialect.name, work.onLongPart);
  let state = read(begun);
  let size = ROWS.first;
  const isAlone = state.pass === 1 && state.last === START.last;
  for (let ranges = 0; ; ranges += 1) {
    const next = await nextRange(work, state.last, size);
    if (!next) {
      // At most one range covered all rows, so no second pass is needed.
      if (state.pass === 2 || (isAlone && ranges <= 1)) break;
      const from = state;
      state = { pass: 2, last: START.last };
      await session.run(
        sql`UPDATE ${raw(PROGRESS_TABLE)} SET catalogue = ${written(state)} WHERE name = ${name} AND done = ${place} AND catalogue = ${written(from)}`,
      );
      continue;
    }
    const begin = performance.now();
    const { pass, last } = state;
    const isOurs = await runRange(work, state, next.to).catch((error: unknown) => {
      throw new RangeFailure({ ...work.ranges, from: last + 1n, to: next.to }, error);
    });
    if (isOurs) {
      state = { pass, last: next.to };
    } else {
      const now = await readUnfinished(session);
      if (now?.name !== name || now.done !== place) return;
      state = read(now.catalogue);
    }
    size = fitting(size, performance.now() - begin, times.range);
    const own = state;
    await notes.progress(() => describe(work, own));
    if (times.pause > 0) await sleep(times.pause);
  }
  notes.end();
}

/** Whether all of these tables are so small that their statements need not run range by range. */
export async function hasFewRows(executor: Executor, all: readonly Ranges[]): Promise<boolean> {
  for (const { table } of all) {
    const { dialect } = executor;
    const some = `SELECT 1 AS one FROM ${dialect.id(table).text} LIMIT ${FEW_ROWS + 1}`;
    // A table that can't be read may have many rows: it may get its name only from a rename in this migration.
    const row = await executor.get(raw(`SELECT count(*) AS n FROM (${some}) AS some`)).catch(() => undefined);
    if (!row || Number(row['n']) > FEW_ROWS) return false;
  }
  return true;
}
