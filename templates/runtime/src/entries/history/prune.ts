/** Deletes versions that a type no longer keeps, in ranges of rows, so that no write waits for it. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Kept } from '../../contract/history/kept.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { ALL_ENTRIES } from './complete-since.ts';

const table = raw(HISTORY_TABLE);
/** How many rows are looked at at once. */
const RANGE = 500;
const DAY = 24 * 3_600_000;

/** The position in the index by which the versions of entries are found. */
interface Place {
  readonly state: number;
  readonly entry: number;
  readonly id: number;
}

/** The condition that the version `h` is not kept: later ones of its entry have taken its place. */
function isOver(kept: Kept, now: number): Sql | undefined {
  const later = sql`FROM ${table} AS n WHERE n.subject = h.subject AND n.state = h.state AND n.entry_id = h.entry_id AND n.id > h.id`;
  if (kept.versions !== undefined) {
    const offset = raw(String(kept.versions - 1));
    return sql`EXISTS (SELECT 1 ${later} ORDER BY n.id LIMIT 1 OFFSET ${offset})`;
  }
  if (kept.days === undefined) return undefined;
  const since = now - kept.days * DAY;
  const isGone = sql`(h.content IS NULL AND h.since < ${since})`;
  return sql`(${isGone} OR EXISTS (SELECT 1 ${later} AND n.since < ${since} LIMIT 1))`;
}

function placeOf(row: Row): Place {
  return { state: Number(row['state']), entry: Number(row['entry_id']), id: Number(row['id']) };
}

/** The versions of a type after a place, in the order of the index. */
async function rangeAfter(database: Database, uid: string, { state, entry, id }: Place, over: Sql) {
  const after = sql`(h.state > ${state} OR (h.state = ${state} AND (h.entry_id > ${entry} OR (h.entry_id = ${entry} AND h.id > ${id}))))`;
  return database.all(
    sql`SELECT h.id, h.state, h.entry_id, CASE WHEN ${over} THEN 1 ELSE 0 END AS is_over FROM ${table} AS h WHERE h.subject = ${uid} AND h.state >= ${state} AND h.entry_id <> ${ALL_ENTRIES} AND ${after} ORDER BY h.subject, h.state, h.entry_id, h.id LIMIT ${raw(String(RANGE))}`,
  );
}

async function pruneType(database: Database, uid: string, over: Sql, isStopping: () => boolean): Promise<void> {
  let place: Place | undefined = { state: 0, entry: 0, id: 0 };
  while (place && !isStopping()) {
    const rows: readonly Row[] = await rangeAfter(database, uid, place, over);
    const ids = rows.filter((row) => Number(row['is_over']) === 1).map((row) => Number(row['id']));
    const { dialect } = database;
    if (ids.length > 0) await database.run(sql`DELETE FROM ${table} WHERE ${dialect.isOneOf(raw('id'), ids)}`);
    const last = rows.at(-1);
    place = last && rows.length === RANGE ? placeOf(last) : undefined;
  }
}

export async function prune(
  database: Database,
  { types }: ContentTypes,
  { now, isStopping }: { readonly now: number; readonly isStopping: () => boolean },
): Promise<void> {
  for (const { uid, history } of Object.values(types)) {
    const over = history && isOver(history, now);
    if (over) await pruneType(database, uid, over, isStopping);
  }
}
