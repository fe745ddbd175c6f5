/** What the errors of PostgreSQL mean. */
import {
  codeOf,
  Conflict,
  ConnectionLost,
  isNetworkError,
  ServerUnavailable,
  StatementTimeout,
  StorageFull,
} from './connection.ts';
import { ForeignKeyViolation, UniqueViolation } from './database.ts';

/** Undone for another transaction: a serialization failure, and a deadlock. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** The server ended the connection: it stops, crashed, or was told to; or it does not know a statement any more. */
const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05', '25P03', '26000']);

/**
 * It can't now: it starts, has too many connections, too little memory or disk, only reads, or was told not to take longer
 * (for a statement, for a lock).
 */
const UNAVAILABLE: ReadonlySet<string> = new Set(['57P03', '55P03', '25006']);
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
  if (code === TIMEOUT) return new StatementTimeout(error);
  if (isLost(error, code)) return new ConnectionLost(error);
  return UNAVAILABLE.has(code) || code.startsWith('53') ? new ServerUnavailable(error) : error;
}
