/** Since when the history of a type is complete: a row of the entry 0 says so. Imports delete it. */
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Step } from '../../database/write-plan.ts';

const table = raw(HISTORY_TABLE);

/** The action of versions that no write has made. */
export const BEGIN = 'begin';

/** The entry that stands for all entries of a type. */
export const ALL_ENTRIES = 0;

function isMarker(uid: string): Sql {
  return sql`subject = ${uid} AND state = 0 AND entry_id = ${ALL_ENTRIES}`;
}

/** Since when the history of a type is complete, in milliseconds since 1970; undefined if it is not yet. */
export async function completeSince(database: Pick<Executor, 'get'>, uid: string): Promise<number | undefined> {
  const row = await database.get(sql`SELECT since FROM ${table} WHERE ${isMarker(uid)}`);
  return row && Number(row['since']);
}

/** Notes that nothing is complete before a time. */
export async function completeFrom(database: Pick<Database, 'run'>, uid: string, since: number): Promise<void> {
  await database.run(sql`UPDATE ${table} SET since = ${since} WHERE ${isMarker(uid)} AND since < ${since}`);
}

/** Deletes what says that the history of a type is complete. */
export function incomplete(uid: string): Step {
  return statement(deleteRows(table, isMarker(uid)));
}
