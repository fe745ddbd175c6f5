/** What MySQL and MariaDB have, so that it can be told whether a statement took effect. */
import type { Session } from '../database/database.ts';
import { join, raw, sql, type Sql } from '../database/sql.ts';
import { textHash } from './sum.ts';

/** One line for each thing, all of one collation, as views of MySQL have several; `named` says which of them: by their table's name, or by their own. */
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

const WORD = /`(?<quoted>(?:[^`]|``)+)`|[\p{L}\p{N}_$]+/gu;

/** Everything in a statement that may be a name. */
function wordsOf(statement: string): readonly string[] {
  const words = [...statement.matchAll(WORD)].map(({ 0: bare, groups }) => groups?.['quoted'] ?? bare);
  return [...new Set(words)];
}

/**
 * A hash of what the catalogue says about all that a statement names. The engines change it by one statement wholly or not
 * at all: as long as nobody else changes the same things, another hash means that the statement took effect.
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
