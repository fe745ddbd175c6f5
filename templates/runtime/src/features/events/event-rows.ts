/**
 * The rows of the event log. A write adds them without a position. Positions are given to committed rows only, by one process at a time,
 * so that they are in the order in which all readers see them: an id that is lower, but committed later, gets a later position.
 */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { EVENT_LOG_TABLE, EVENT_POSITIONS_TABLE } from '../../contract/events/event-log.ts';
import type { EventName } from '../../contract/events/event-names.ts';
import { countUpTo } from '../../database/count-up-to.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { deleteRows, raw, sql, type SqlValue } from '../../database/sql.ts';

const log = raw(EVENT_LOG_TABLE);
const positions = raw(EVENT_POSITIONS_TABLE);

/** The rows with the last position that was given, and the last one whose event was deleted. */
const LAST = 'last';
const PRUNED = 'pruned';
/** For how long events are kept, in milliseconds. */
export const EVENTS_KEPT = 7 * 24 * 3_600_000;
/** How many rows get a position in one transaction. */
const AT_ONCE = 500;

export interface LoggedEvent {
  readonly position: number;
  readonly event: EventName;
  /** The uid of the type. */
  readonly type: string;
  readonly entryId: number;
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  /** Whether it concerns what is public. */
  readonly isShown: boolean;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** The last position that was given. */
export async function lastPosition(database: Pick<Database, 'get'>): Promise<number> {
  const row = await database.get(sql`SELECT position FROM ${positions} WHERE name = ${LAST}`);
  return Number(row?.['position'] ?? 0);
}

async function addPosition(database: Database, name: string): Promise<void> {
  try {
    await database.run(sql`INSERT INTO ${positions} (name, position) VALUES (${name}, 0)`);
  } catch (error) {
    // Another instance has added it meanwhile.
    if (!(error instanceof UniqueViolation)) throw error;
  }
}

/** Gives positions to some rows. Returns how many there were. */
async function giveSome(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    // Locks the row, so that one process at a time comes past this line, and sees what the one before it has given.
    const { changes } = await tx.run(sql`UPDATE ${positions} SET position = position + 1 WHERE name = ${LAST}`);
    if (changes === 0) return -1;
    const rows = await tx.all(
      sql`SELECT id FROM ${log} WHERE position IS NULL ORDER BY id LIMIT ${raw(String(AT_ONCE))}`,
    );
    const ids = rows.map(({ id }) => Number(id));
    const [first = 0, end = 0] = [ids[0], ids.at(-1)];
    if (ids.length === 0) return 0;
    const before = (await lastPosition(tx)) - first;
    await tx.run(sql`UPDATE ${log} SET position = id + ${before} WHERE ${tx.dialect.isOneOf(raw('id'), ids)}`);
    await tx.run(sql`UPDATE ${positions} SET position = ${before + end} WHERE name = ${LAST}`);
    return ids.length;
  });
}

/** Gives a position to each committed row that has none. */
export async function givePositions(database: Database): Promise<void> {
  const isOpen = async () =>
    (await database.get(sql`SELECT id FROM ${log} WHERE position IS NULL LIMIT 1`)) !== undefined;
  while (await isOpen()) {
    const given = await giveSome(database);
    if (given < 0) await addPosition(database, LAST);
    else if (given < AT_ONCE) return;
  }
}

/** The next events after a position, up to another one. */
export async function eventsAfter(
  database: Database,
  { after, upTo, most }: { readonly after: number; readonly upTo?: number; readonly most: number },
): Promise<readonly LoggedEvent[]> {
  const end = upTo === undefined ? raw('') : sql` AND position <= ${upTo}`;
  const rows = await database.all(
    sql`SELECT position, event, subject, entry_id, document_id, entry_locale, shown, since FROM ${log} WHERE position > ${after}${end} ORDER BY position LIMIT ${raw(String(most))}`,
  );
  const textOf = (value: SqlValue | undefined) => (value === null || value === undefined ? undefined : String(value));
  return rows.map((row) => ({
    position: Number(row['position']),
    event: String(row['event']) as EventName,
    type: String(row['subject']),
    entryId: Number(row['entry_id']),
    documentId: textOf(row[COLUMN_NAMES.documentId]),
    locale: textOf(row['entry_locale']),
    isShown: Number(row['shown']) === 1,
    since: Number(row['since']),
  }));
}

/** How many events there are after a position, up to a limit. */
export function countAfter(database: Database, position: number, most: number): Promise<number> {
  return countUpTo(database, log, sql`position > ${position}`, most);
}

/** The last position whose event was deleted. */
async function prunedPosition(database: Database): Promise<number> {
  const row = await database.get(sql`SELECT position FROM ${positions} WHERE name = ${PRUNED}`);
  return Number(row?.['position'] ?? 0);
}

/** Whether all events after this position are there. */
export async function isKept(database: Database, position: number): Promise<boolean> {
  return position <= (await lastPosition(database)) && position >= (await prunedPosition(database));
}

/** How many rows are deleted at a time. */
const RANGE = 1000;

/** Deletes the events before a time, in milliseconds since 1970, in ranges of ids. */
export async function pruneEvents(database: Database, before: number): Promise<void> {
  for (;;) {
    const rows = await database.all(
      sql`SELECT id, position, since FROM ${log} ORDER BY id LIMIT ${raw(String(RANGE))}`,
    );
    const end = rows.findIndex(({ since }) => Number(since) >= before);
    const range = end < 0 ? rows : rows.slice(0, end);
    const last = range.at(-1);
    if (last === undefined) return;
    const pruned = Math.max(await prunedPosition(database), ...range.map(({ position }) => Number(position ?? 0)));
    await addPosition(database, PRUNED);
    await database.run(
      sql`UPDATE ${positions} SET position = ${pruned} WHERE name = ${PRUNED} AND position < ${pruned}`,
    );
    await database.run(deleteRows(log, sql`id <= ${Number(last['id'])}`));
    if (range.length < RANGE) return;
  }
}
