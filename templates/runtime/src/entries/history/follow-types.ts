/** Gives versions the present name of their type, in ranges of rows, once a migration has renamed it. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';

const table = raw(HISTORY_TABLE);
const RANGE = 500;

/** Resolves to false if it has stopped. */
async function rename(
  database: Database,
  { from, to }: { readonly from: string; readonly to: string },
  before: Sql,
  isStopping: () => boolean,
): Promise<boolean> {
  for (;;) {
    if (isStopping()) return false;
    const rows = await database.all(
      sql`SELECT id FROM ${table} WHERE subject = ${from}${before} LIMIT ${raw(String(RANGE))}`,
    );
    if (rows.length === 0) return true;
    const ids = rows.map((row) => Number(row['id']));
    const { dialect } = database;
    await database.run(sql`UPDATE ${table} SET subject = ${to} WHERE ${dialect.isOneOf(raw('id'), ids)}`);
  }
}

export async function followTypes(
  database: Database,
  { renames = [] }: ContentTypes,
  isStopping: () => boolean,
): Promise<void> {
  for (const [index, own] of renames.entries()) {
    const types = own.filter(({ kind }) => kind === 'type');
    // Those that have seen the rename are of another type, which has the name now.
    const before = sql` AND renames <= ${index}`;
    // Two types may have swapped their names.
    for (const { from, to } of types) {
      if (!(await rename(database, { from, to: `~${to}` }, before, isStopping))) return;
    }
    for (const { to } of types) {
      if (!(await rename(database, { from: `~${to}`, to }, raw(''), isStopping))) return;
    }
  }
}
