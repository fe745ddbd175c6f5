/** Deletes versions that a type no longer keeps, in ranges of rows, so that no write waits for it. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Kept } from '../../contract/history/kept.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { ALL_ENTRIES, completeFrom } from './complete-since.ts';

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

/** The later versions of the entry of the version `h`. */
const LATER = sql`FROM ${table} AS n WHERE n.subject = h.subject AND n.state = h.state AND n.entry_id = h.entry_id AND n.id > h.id`;

/** The condition that the version `h` is not kept: later ones of its entry have taken its place. */
function isOver(kept: Kept, now: number): Sql | undefined {
  if (kept.versions !== undefined) {
    const offset = raw(String(kept.versions - 1));
    return sql`EXISTS (SELECT 1 ${LATER} ORDER BY n.id LIMIT 1 OFFSET ${offset})`;
  }
  if (kept.days === undefined) return undefined;
  const since = now - kept.days * DAY;
  const isGone = sql`(h.content IS NULL AND h.since < ${since})`;
  return sql`(${isGone} OR EXISTS (SELECT 1 ${LATER} AND n.since < ${since} LIMIT 1))`;
}

function placeOf(row: Row): Place {
  return { state: Number(row['state']), entry: Number(row['entry_id']), id: Number(row['id']) };
}

/** The versions of a type after a place, in the order of the index, with the time of what has taken the place of those that are over. */
async function rangeAfter(database: Database, uid: string, { state, entry, id }: Place, over: Sql) {
  const after = sql`(h.state > ${state} OR (h.state = ${state} AND (h.entry_id > ${entry} OR (h.entry_id = ${entry} AND h.id > ${id}))))`;
  const columns = sql`h.id, h.state, h.entry_id, CASE WHEN ${over} THEN 1 ELSE 0 END AS is_over, (SELECT n.since ${LATER} ORDER BY n.id LIMIT 1) AS next_since`;
  return database.all(
    sql`SELECT ${columns} FROM ${table} AS h WHERE h.subject = ${uid} AND h.state >= ${state} AND h.entry_id <> ${ALL_ENTRIES} AND ${after} ORDER BY h.subject, h.state, h.entry_id, h.id LIMIT ${raw(String(RANGE))}`,
  );
}

async function pruneType(database: Database, uid: string, over: Sql, isStopping: () => boolean): Promise<void> {
  const { dialect } = database;
  let place: Place | undefined = { state: 0, entry: 0, id: 0 };
  while (place && !isStopping()) {
    const rows: readonly Row[] = await rangeAfter(database, uid, place, over);
    const pruned = rows.filter((row) => Number(row['is_over']) === 1);
    if (pruned.length > 0) {
      // Before that time, the history is not complete any more.
      await completeFrom(database, uid, Math.max(...pruned.map((row) => Number(row['next_since'] ?? 0))));
      const ids = pruned.map((row) => Number(row['id']));
      await database.run(sql`DELETE FROM ${table} WHERE ${dialect.isOneOf(raw('id'), ids)}`);
    }
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
