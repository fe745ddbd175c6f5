/** What the errors of PostgreSQL mean. */
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

/** Undone for another transaction: a serialization failure, and a deadlock. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** The server ended the connection: it stops, crashed, or was told to. */
const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05', '25P03']);

/**
 * It can't now: it starts, has too many connections, too little memory or disk, or was told not to take longer (for a statement, for a
 * lock).
 */
const UNAVAILABLE: ReadonlySet<string> = new Set(['57P03', '55P03']);
/** Of a server that was made a replica, or is told to only read: the one to write to may be another one by now. */
const READS_ONLY = '25006';
/** A statement was cancelled, which only its time limit does without ending the connection. */
const TIMEOUT = '57014';

/** Messages of the driver for a connection that is no more; it has no codes for them. */
const LOST_MESSAGE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout)/u;

const DISK_FULL = '53100';

interface Details {
  readonly table?: string;
  readonly detail?: string;
}

/** The columns in `Key (code, "order")=(a, b) already exists.`, whatever the language; none where it is not said. */
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

/** A pooler in transaction mode mixes up the statements of its clients. */
const MIXED_UP: ReadonlySet<string> = new Set(['26000', '42P05']);

/** An error that says what to do about it. */
function mixedUp(cause: unknown): Error {
  const { message } = cause as Error;
  return new Error(`${message}: over a pooler in transaction mode, such as PgBouncer, set DATABASE_PREPARED=false`, {
    cause,
  });
}

/** An error of the driver as one of ours, where it is one that somebody can do something about. */
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
