/** Fingerprints the catalogue of MySQL and MariaDB, to tell whether an interrupted DDL statement took effect. */
import { tokenAt } from '../contract/sql/tokens.ts';
import type { Session } from '../database/database.ts';
import { join, raw, sql, type Sql } from '../database/sql.ts';
import { textHash } from './sum.ts';

/**
 * A query with one line per catalogue entry. All are converted to one collation, since the views of MySQL use several.
 * `named` builds the condition on the column that has the name of the table, or of the trigger or routine itself.
 */
function linesQuery(named: (column: string) => Sql): Sql {
  const from = (columns: string, view: string, schema: string, name: string): Sql =>
    sql`SELECT CONVERT(concat_ws('|', '${raw(view)}', ${raw(columns)}) USING utf8mb4) COLLATE utf8mb4_bin AS line FROM information_schema.${raw(view)} WHERE ${raw(schema)} = DATABASE() AND ${named(name)}`;
  const ofTable = (columns: string, view: string): Sql => from(columns, view, 'table_schema', 'table_name');
  return join(
    [
      ofTable('table_name, table_type, engine, table_collation, create_options, table_comment', 'tables'),
      ofTable(
        'table_name, column_name, ordinal_position, column_type, is_nullable, column_default, collation_name, extra, generation_expression, column_comment',
        'columns',
      ),
      ofTable('table_name, index_name, seq_in_index, column_name, sub_part, non_unique, index_type', 'statistics'),
      ofTable('table_name, constraint_name, constraint_type', 'table_constraints'),
      ofTable(
        'table_name, constraint_name, column_name, referenced_table_name, referenced_column_name',
        'key_column_usage',
      ),
      from(
        'table_name, constraint_name, delete_rule, update_rule',
        'referential_constraints',
        'constraint_schema',
        'table_name',
      ),
      ofTable('table_name, view_definition', 'views'),
      from(
        'trigger_name, event_object_table, action_timing, event_manipulation, action_statement',
        'triggers',
        'trigger_schema',
        'event_object_table',
      ),
      from('trigger_name, event_object_table', 'triggers', 'trigger_schema', 'trigger_name'),
      from('routine_name, routine_type, routine_definition', 'routines', 'routine_schema', 'routine_name'),
    ],
    ' UNION ALL ',
  );
}

/** Every word of a statement that may be an identifier. */
function wordsOf(statement: string): readonly string[] {
  const words = new Set<string>();
  for (let at = 0; at < statement.length;) {
    const { kind, end } = tokenAt(statement, at, 'mysql');
    const word = statement.slice(at, end);
    if (kind === 'word') words.add(word);
    if (kind === 'quoted' && word.startsWith('`')) words.add(word.slice(1, -1));
    at = end;
  }
  return [...words];
}

/**
 * A hash of the catalogue entries of everything that a statement names. A DDL statement is atomic, so a different hash
 * afterwards means that it took effect, unless someone else altered the same objects.
 */
export async function catalogueHash(session: Session, statement: string): Promise<string> {
  const names = join(
    wordsOf(statement).map((word) => sql`${word}`),
    ', ',
  );
  const rows = await session.all(linesQuery((column) => sql`${raw(column)} IN (${names})`));
  const lines = rows.map((row) => String(row['line'])).sort();
  return textHash(lines.join('\n'));
}
