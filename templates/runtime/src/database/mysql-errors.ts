/** Translates errors of MySQL and MariaDB. */
import {
  codeOf,
  Conflict,
  ConnectionLost,
  isNetworkError,
  ResultTooLarge,
  ServerNotReady,
  ServerUnavailable,
  StatementTimeout,
  StorageFull,
} from './connection.ts';
import { ForeignKeyViolation } from './database.ts';

/** A unique key refused a row: `key` is its name, if the server reports it. */
export class DuplicateKey extends Error {
  readonly key: string | undefined;

  constructor(key: string | undefined, cause: unknown) {
    super('unique key violated', { cause });
    this.name = 'DuplicateKey';
    this.key = key;
  }
}

/** A statement of a batch that has to find a row found none: the one at `index`. */
export class NoRowFound extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('a statement matched no row', { cause });
    this.name = 'NoRowFound';
    this.index = index;
  }
}

/** The message with which a batch reports that the statement at `index` found no row. */
export function noRowMessage(index: number): string {
  return `no row of statement ${index}`;
}

const NO_ROW = /^no row of statement (?<index>\d+)$/u;
/** The error of a SIGNAL statement. */
const SIGNALLED = 1644;

const DUPLICATE = new Set([1062, 1586]);
const FOREIGN_KEY = new Set([1216, 1217, 1451, 1452]);
/**
 * A deadlock, or a transaction that lost against another node of a cluster; a row that changed since it was read, or a table
 * that changed since the transaction began.
 */
const CONFLICTS = new Set([1213, 1020, 1412]);
/** The node is cut off from its cluster, or still joining it. */
const NOT_READY = 1047;
/**
 * The server is stopping, ended the connection or lost a prepared statement; or it was cut off from its cluster during a
 * COMMIT and does not know whether the other nodes have it (1180).
 */
const LOST = new Set([
  1053, 1077, 1078, 1079, 1152, 1158, 1159, 1160, 1161, 1180, 1243, 1317, 1927, 2006, 2013, 3169, 4031,
]);
/**
 * Too many connections; a lock held too long by another transaction; read-only; out of memory or disk; too many prepared
 * statements.
 */
const UNAVAILABLE = new Set([1037, 1038, 1040, 1041, 1203, 1205, 1226, 1290, 1461, 1792, 1836]);
/** No space for a file, or in a table. */
const FULL = new Set([1021, 1114]);
/** A file can't be written; the message contains the errno. */
const NOT_WRITTEN = new Set([3, 20, 1026]);
const NO_SPACE = /\b(?:errno|errcode):? 28\b/iu;
/** A statement exceeded its time limit. */
const TIMEOUT = new Set([1969, 3024]);
const OUT_OF_RANGE = 1690;

interface Details {
  readonly errno?: number;
  readonly fatal?: boolean;
  readonly sqlMessage?: string;
}

/** The last quoted name in the message, in any language, is that of the key; MySQL prefixes it with the table. */
function keyIn(message: string | undefined): string | undefined {
  const name = /'(?<name>[^']+)'[^']*$/su.exec(message ?? '')?.groups?.['name'];
  return name?.slice(name.lastIndexOf('.') + 1);
}

function isLost(error: unknown, { errno, fatal }: Details): boolean {
  if (errno !== undefined && LOST.has(errno)) return true;
  if (fatal === true || isNetworkError(error)) return true;
  const code = codeOf(error) ?? '';
  if (code.startsWith('PROTOCOL_')) return true;
  return error instanceof Error && /in closed state|Connection closed/u.test(error.message);
}

function isFull(errno: number, { sqlMessage = '' }: Details): boolean {
  return FULL.has(errno) || (NOT_WRITTEN.has(errno) && NO_SPACE.test(sqlMessage));
}

/** Translates errors of the driver that callers can act on; returns others unchanged. */
export function mysqlError(error: unknown): unknown {
  const details = error as Details;
  const errno = details.errno ?? 0;
  const index = errno === SIGNALLED ? NO_ROW.exec(details.sqlMessage ?? '')?.groups?.['index'] : undefined;
  if (index !== undefined) return new NoRowFound(Number(index), error);
  if (DUPLICATE.has(errno)) return new DuplicateKey(keyIn(details.sqlMessage), error);
  if (FOREIGN_KEY.has(errno)) return new ForeignKeyViolation(error);
  if (CONFLICTS.has(errno)) return new Conflict(error);
  if (errno === NOT_READY) return new ServerNotReady(error);
  if (isFull(errno, details)) return new StorageFull(error);
  if (TIMEOUT.has(errno)) return new StatementTimeout(error);
  if (UNAVAILABLE.has(errno)) return new ServerUnavailable(error);
  if (errno === OUT_OF_RANGE && details.sqlMessage?.includes('exp(710)')) return new ResultTooLarge(error);
  if (errno === OUT_OF_RANGE && details.sqlMessage?.includes('exp(711)')) return new Conflict(error);
  return isLost(error, details) ? new ConnectionLost(error) : error;
}
