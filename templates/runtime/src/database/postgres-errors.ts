/** Translates errors of PostgreSQL. */
import {
  codeOf,
  Conflict,
  ConnectionLost,
  isNetworkError,
  ServerReadsOnly,
  ServerUnavailable,
  StatementTimeout,
  StorageFull,
} from './connection.ts';
import { ForeignKeyViolation, UniqueViolation } from './database.ts';

/** Serialization failure and deadlock: rolled back in favour of another transaction. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** The server ended the connection: it is stopping, has crashed, or was told to. */
const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05', '25P03']);

/**
 * Temporary: the server is starting up, or a lock timed out. All codes of class 53 (too many connections, out of memory or
 * disk) count, too.
 */
const UNAVAILABLE: ReadonlySet<string> = new Set(['57P03', '55P03']);
/** The server became a replica or was set to read-only: another one may be the primary by now. */
const READS_ONLY = '25006';
/** A statement was cancelled, by its time limit or by an administrator. (`Connection.cancel` closes the connection as well.) */
const TIMEOUT = '57014';

/** The driver's messages for a closed connection; they have no codes. */
const LOST_MESSAGE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout)/u;

const DISK_FULL = '53100';

interface Details {
  readonly table?: string;
  readonly detail?: string;
}

/** The columns in `Key (code, "order")=(a, b) already exists.`, in any language; empty if it names none. */
function columnsIn(detail: string | undefined): readonly string[] {
  const list = /\((?<columns>.*?)\)=\(/su.exec(detail ?? '')?.groups?.['columns'];
  return list === undefined ? [] : list.split(', ').map((name) => name.replace(/^"(.*)"$/su, '$1'));
}

function isLost(error: unknown, code: string): boolean {
  if (LOST.has(code) || code.startsWith('08') || isNetworkError(error)) return true;
  const message = error instanceof Error ? error.message : '';
  // A statement that was prepared before a migration.
  if (code === '0A000') return message.includes('cached plan');
  return code === '' && LOST_MESSAGE.test(message);
}

/** Errors of a pooler in transaction mode that mixes up its clients' prepared statements. */
const MIXED_UP: ReadonlySet<string> = new Set(['26000', '42P05']);

/** An error that says what to do about it. */
function mixedUp(cause: unknown): Error {
  const { message } = cause as Error;
  return new Error(`${message}: over a pooler in transaction mode, such as PgBouncer, set DATABASE_PREPARED=false`, {
    cause,
  });
}

/** Translates errors of the driver that callers can act on; returns others unchanged. */
export function postgresError(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (code === '23505') {
    const { table, detail } = error as Details;
    return new UniqueViolation(table, columnsIn(detail), error);
  }
  if (code === '23503') return new ForeignKeyViolation(error);
  if (CONFLICTS.has(code)) return new Conflict(error);
  if (code === DISK_FULL) return new StorageFull(error);
  if (code === READS_ONLY) return new ServerReadsOnly(error);
  if (code === TIMEOUT) return new StatementTimeout(error);
  if (MIXED_UP.has(code)) return new ConnectionLost(mixedUp(error));
  if (isLost(error, code)) return new ConnectionLost(error);
  return UNAVAILABLE.has(code) || code.startsWith('53') ? new ServerUnavailable(error) : error;
}
