/**
 * SQL of a team may insert rows with ids of its own. PostgreSQL does not notice these: the next entry would get an id that
 * is taken. SQLite and MariaDB continue after the highest id by themselves.
 */
import type { Session } from '../database/database.ts';

/** For each generated id: continues after the highest id of its table, unless it is past it already. */
const ADVANCE = `DO $content_gen$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT format('%I.%I', c_space.nspname, c.relname) AS rows, quote_ident(a.attname) AS id,
      pg_get_serial_sequence(format('%I.%I', c_space.nspname, c.relname), a.attname) AS sequence
    FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace c_space ON c_space.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c_space.nspname = current_schema() AND NOT a.attisdropped AND a.attnum > 0
  LOOP
    IF one.sequence IS NOT NULL THEN
      EXECUTE format(
        'SELECT setval(%L, max(%s)) FROM %s HAVING max(%s) >= (SELECT last_value + is_called::int FROM %s)',
        one.sequence, one.id, one.rows, one.id, one.sequence
      );
    END IF;
  END LOOP;
END
$content_gen$`;

/** Makes the next generated id of each table free, after SQL of a team has run. */
export async function advanceIdentities(session: Session): Promise<void> {
  if (session.dialect.name === 'postgres') await session.script(ADVANCE);
}
