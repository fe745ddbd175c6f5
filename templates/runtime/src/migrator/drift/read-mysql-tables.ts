/** Reads the catalogue of MySQL and MariaDB. */
import type { Executor } from '../../database/executor.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { FoundTables } from './found-table.ts';

/** Removes the display width of integer types, which some versions show. */
function withoutWidth(type: string): string {
  return type.replace(/^(?<name>tinyint|int|bigint)\(\d+\)/u, '$<name>');
}

async function readColumns(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT table_name AS owner, column_name AS name, column_type AS type, is_nullable AS nullable, column_default AS given FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (${names}) ORDER BY table_name, ordinal_position`,
  );
  for (const row of rows) {
    const given = row['given'] === null ? undefined : String(row['given']);
    found.of(String(row['owner'])).columns.push({
      name: String(row['name']),
      type: withoutWidth(String(row['type']).toLowerCase()),
      nullable: row['nullable'] === 'YES',
      default: given === 'NULL' ? undefined : given,
    });
  }
}

async function readIndexes(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT table_name AS owner, index_name AS name, non_unique AS non_unique, column_name AS column_name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name IN (${names}) ORDER BY table_name, index_name, seq_in_index`,
  );
  for (const row of rows) {
    const [owner, name] = [String(row['owner']), String(row['name'])];
    const column = row['column_name'] === null ? undefined : String(row['column_name']);
    if (name === 'PRIMARY') found.of(owner).primaryKey.push(column ?? '');
    else found.addIndexColumn(owner, column, { name, unique: Number(row['non_unique']) === 0, whole: true });
  }
}

/** See `ReadTables`. */
export async function readMysqlTables(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  await readColumns(executor, names, found);
  await readIndexes(executor, names, found);
  const keys = await executor.all(
    sql`SELECT k.table_name AS owner, k.constraint_name AS name, k.column_name AS column_name, k.referenced_table_name AS target, r.delete_rule AS on_delete FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r ON r.constraint_schema = k.table_schema AND r.table_name = k.table_name AND r.constraint_name = k.constraint_name WHERE k.table_schema = DATABASE() AND r.constraint_schema = DATABASE() AND k.table_name IN (${names}) AND r.table_name IN (${names}) AND k.referenced_table_name IS NOT NULL ORDER BY k.table_name, k.constraint_name`,
  );
  for (const row of keys) {
    found.of(String(row['owner'])).foreignKeys.push({
      name: String(row['name']),
      column: String(row['column_name']),
      references: String(row['target']),
      onDelete: String(row['on_delete']).toLowerCase(),
    });
  }
  const triggers = await executor.all(
    sql`SELECT event_object_table AS owner, trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND event_object_table IN (${names}) ORDER BY event_object_table, trigger_name`,
  );
  for (const row of triggers) {
    found.of(String(row['owner'])).triggers.push({ name: String(row['name']), enabled: true });
  }
}
