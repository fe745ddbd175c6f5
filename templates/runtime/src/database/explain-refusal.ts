/** Adds what to do to the errors of a database server that can't be used at the start. */
import { codeOf, ConnectionLost } from './connection.ts';

/** By the codes of PostgreSQL and of MySQL and MariaDB. */
const ADVICE: Readonly<Record<string, string>> = {
  '3D000': 'Create it, or correct its name in DATABASE_URL',
  ER_BAD_DB_ERROR: 'Create it, or correct its name in DATABASE_URL',
  '28000': 'Correct the user in DATABASE_URL, or let it connect',
  '28P01': 'Correct the user or the password in DATABASE_URL',
  ER_ACCESS_DENIED_ERROR: 'Correct the user or the password in DATABASE_URL',
  ER_DBACCESS_DENIED_ERROR: 'Grant the user access to it, or correct DATABASE_URL',
};

/** The error with advice; unchanged if there is none. */
export function explainRefusal(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error) ?? codeOf(error.cause) ?? '';
  const known = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  const advice = error instanceof ConnectionLost ? 'Start the database, or correct its address in DATABASE_URL' : known;
  return advice === undefined ? error : new Error(`${error.message}. ${advice}.`, { cause: error });
}
