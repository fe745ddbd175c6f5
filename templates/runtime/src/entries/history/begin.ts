/**
 * Begins the history of entries that no recorded write has made: those that are older than the history of their type, or were imported.
 */
import type { ContentTypes } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { ALL_ENTRIES, BEGIN, completeSince } from './complete-since.ts';
import { hasHistory, type RecordedType, statesOf } from './recorded-types.ts';
import type { Recorder } from './record-writes.ts';

const table = raw(HISTORY_TABLE);
/** The entries of one transaction. */
const RANGE = 200;

/** Records the entries after `from`; resolves to the last of them, or undefined if there are no more. */
async function beginRange(
  database: Database,
  { record }: Recorder,
  { type }: RecordedType,
  from: number,
): Promise<number | undefined> {
  const { dialect } = database;
  const name = dialect.id(type.table);
  return database.write(
    record(async (tx) => {
      const rows = await tx.all(
        sql`SELECT id FROM ${name} WHERE id > ${from} ORDER BY id LIMIT ${raw(String(RANGE))}${dialect.rowLock}`,
      );
      const ids = rows.map((row) => Number(row['id']));
      const nothing: Statement = { sql: sql`SELECT 1 AS one`, returns: 'rows', touches: { table: type.table, ids } };
      return { subjects: [], cause: BEGIN, steps: ids.length === 0 ? [] : [nothing], answer: () => ids.at(-1) };
    }),
  );
}

export async function begin(
  database: Database,
  types: ContentTypes,
  recorder: Recorder,
  isStopping: () => boolean,
): Promise<void> {
  for (const type of Object.values(types.types).filter(hasHistory)) {
    if ((await completeSince(database, type.uid)) !== undefined) continue;
    for (const state of statesOf(types, type)) {
      for (let from: number | undefined = 0; from !== undefined;) {
        if (isStopping()) return;
        from = await beginRange(database, recorder, state, from);
      }
    }
    await database.run(
      sql`INSERT INTO ${table} (subject, state, entry_id, entry_version, action, since, actor, renames) VALUES (${type.uid}, 0, ${ALL_ENTRIES}, 0, ${BEGIN}, ${Date.now()}, ${'{"kind":"server"}'}, 0)`,
    );
  }
}
