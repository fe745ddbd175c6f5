/**
 * MariaDB answers that a DELETE which was interrupted (KILL QUERY, a limit of time) has found no rows, and goes on with what comes
 * next. So where none was deleted, it is asked whether there are any.
 */
import type { Sql } from './sql.ts';

const DELETE = /^\s*DELETE\s+FROM\s+(?<from>\S+\s+WHERE\s.*)$/isu;

/** The count of the rows that a DELETE should have found. Undefined for any other statement. */
export function leftBy({ text, params }: Sql): Sql | undefined {
  const from = DELETE.exec(text)?.groups?.['from'];
  return from === undefined ? undefined : { text: `SELECT COUNT(*) AS count FROM ${from}`, params };
}
