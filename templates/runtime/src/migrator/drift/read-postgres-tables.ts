/** Reads the catalogue of PostgreSQL, for the tables that an unqualified name refers to. */
import type { Executor } from '../../database/executor.ts';
import { raw, type Sql, sql } from '../../database/sql.ts';
import type { FoundTables } from './found-table.ts';

/** The condition on a row `t` of `pg_class`. */
function isOne(names: Sql): Sql {
  return sql`t.relkind IN ('r', 'p') AND pg_table_is_visible(t.oid) AND t.relname IN (${names})`;
}

async function readColumns(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT t.relname::text AS owner, a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull::int AS filled, CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS given FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum WHERE ${isOne(names)} ORDER BY t.relname, a.attnum`,
  );
  for (const row of rows) {
    found.of(String(row['owner'])).columns.push({
      name: String(row['name']),
      type: String(row['type']),
      nullable: Number(row['filled']) === 0,
      default: row['given'] === null ? undefined : String(row['given']),
    });
  }
}

async function readIndexes(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  const rows = await executor.all(
    sql`SELECT t.relname::text AS owner, i.relname::text AS name, x.indisunique::int AS is_unique, x.indisprimary::int AS is_primary, (x.indisvalid AND x.indpred IS NULL)::int AS whole, a.attname::text AS column_name FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k (number, place) LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number WHERE ${isOne(names)} AND k.place <= x.indnkeyatts ORDER BY t.relname, i.relname, k.place`,
  );
  for (const row of rows) {
    const [owner, column] = [
      String(row['owner']),
      row['column_name'] === null ? undefined : String(row['column_name']),
    ];
    if (Number(row['is_primary']) === 1) {
      found.of(owner).primaryKey.push(column ?? '');
      continue;
    }
    found.addIndexColumn(owner, column, {
      name: String(row['name']),
      unique: Number(row['is_unique']) === 1,
      whole: Number(row['whole']) === 1,
    });
  }
}

const DELETE_RULE = raw(
  "CASE k.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'r' THEN 'restrict' WHEN 'd' THEN 'set default' ELSE 'no action' END",
);

/** See `ReadTables`. */
export async function readPostgresTables(executor: Executor, names: Sql, found: FoundTables): Promise<void> {
  await readColumns(executor, names, found);
  await readIndexes(executor, names, found);
  const keys = await executor.all(
    sql`SELECT t.relname::text AS owner, k.conname::text AS name, a.attname::text AS column_name, r.relname::text AS target, ${DELETE_RULE} AS on_delete FROM pg_class t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' JOIN pg_class r ON r.oid = k.confrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] WHERE ${isOne(names)} ORDER BY t.relname, k.conname`,
  );
  for (const row of keys) {
    found.of(String(row['owner'])).foreignKeys.push({
      name: String(row['name']),
      column: String(row['column_name']),
      references: String(row['target']),
      onDelete: String(row['on_delete']),
    });
  }
  const triggers = await executor.all(
    sql`SELECT t.relname::text AS owner, g.tgname::text AS name, (g.tgenabled <> 'D')::int AS enabled FROM pg_class t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal WHERE ${isOne(names)} ORDER BY t.relname, g.tgname`,
  );
  for (const row of triggers) {
    found.of(String(row['owner'])).triggers.push({ name: String(row['name']), enabled: Number(row['enabled']) === 1 });
  }
}
