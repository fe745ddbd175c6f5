/** Reads the catalogue of SQLite. */
import type { Executor } from '../../database/executor.ts';
import { type Sql, sql, type SqlValue } from '../../database/sql.ts';
import type { FoundTables } from './found-table.ts';

function text(value: SqlValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

async function readColumns(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT t.name AS owner, c.name AS name, c.type AS type, c."notnull" AS filled, c.dflt_value AS given, c.pk AS place FROM sqlite_schema t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.name IN (${names}) ORDER BY t.name, c.cid`,
  );
  for (const row of rows) {
    const { columns, primaryKey } = found.of(String(row['owner']));
    const name = String(row['name']);
    columns.push({
      name,
      type: String(row['type']).toLowerCase(),
      nullable: Number(row['filled']) === 0,
      default: text(row['given']),
    });
    if (Number(row['place']) > 0) primaryKey[Number(row['place']) - 1] = name;
  }
}

async function readIndexes(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT t.name AS owner, i.name AS name, i."unique" AS is_unique, i.partial AS partial, c.name AS column_name FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c WHERE t.type = 'table' AND t.name IN (${names}) AND i.origin <> 'pk' ORDER BY t.name, i.name, c.seqno`,
  );
  for (const row of rows) {
    found.addIndexColumn(String(row['owner']), text(row['column_name']), {
      name: String(row['name']),
      unique: Number(row['is_unique']) === 1,
      whole: Number(row['partial']) === 0,
    });
  }
}

/** See `ReadTables`. */
export async function readSqliteTables(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  await readColumns(executor, names, found);
  await readIndexes(executor, names, found);
  const keys = await executor.all(
    sql`SELECT t.name AS owner, k."from" AS column_name, k."table" AS target, k.on_delete AS on_delete FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table' AND t.name IN (${names}) ORDER BY t.name, k.id, k.seq`,
  );
  for (const row of keys) {
    found.of(String(row['owner'])).foreignKeys.push({
      name: undefined,
      column: String(row['column_name']),
      references: String(row['target']),
      onDelete: String(row['on_delete']).toLowerCase(),
    });
  }
  const triggers = await executor.all(
    sql`SELECT tbl_name AS owner, name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN (${names}) ORDER BY tbl_name, name`,
  );
  for (const row of triggers) {
    found.of(String(row['owner'])).triggers.push({ name: String(row['name']), enabled: true });
  }
}
