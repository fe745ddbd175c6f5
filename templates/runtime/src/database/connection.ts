/** What the drivers of database servers share: the interface of a connection, and its errors. */
import type { Sql } from './sql.ts';
import type { Result, Statement } from './write-plan.ts';

/**
 * One connection to a database server. Its functions throw UniqueViolation, ForeignKeyViolation, Conflict, ConnectionLost,
 * StorageFull or ResultTooLarge where these apply, and otherwise the driver's own errors.
 */
export interface Connection {
  /** Runs a statement that is prepared once and cached by its text. */
  query(statement: Sql): Promise<Result>;
  /** Like `query`, for a read outside of transactions: the server cancels it if it runs too long. */
  read(statement: Sql): Promise<Result>;
  /** Runs statements in order until one fails; in one round trip if the engine has `batches`. */
  batch(statements: readonly Statement[]): Promise<readonly Result[]>;
  /** Runs a fixed statement without parameters, such as `COMMIT`. */
  command(text: string): Promise<void>;
  /** Runs text of one or several statements, without parameters. */
  script(text: string): Promise<void>;
  /** False once it has failed or reached its maximum use: then it must be closed, not reused. */
  readonly usable: boolean;
  /** Closes it gracefully; never throws. */
  close(): Promise<void>;
  /** Closes it at once, whatever it is doing. */
  destroy(): void;
  /** Like `destroy`, and has the server cancel the running statement, whose result nobody needs any more. Never throws. */
  cancel(): void;
}

/** A connection with some functions replaced. Not made by a spread, which would evaluate the getter `usable` only once. */
export function withFunctions(
  connection: Connection,
  functions: Partial<Pick<Connection, 'query' | 'read' | 'batch' | 'command'>>,
): Connection {
  return {
    query: (statement) => connection.query(statement),
    read: (statement) => connection.read(statement),
    batch: (statements) => connection.batch(statements),
    command: (text) => connection.command(text),
    script: (text) => connection.script(text),
    get usable() {
      return connection.usable;
    },
    close: () => connection.close(),
    destroy: () => connection.destroy(),
    cancel: () => connection.cancel(),
    ...functions,
  };
}

/** The result of a statement that was run without asking for one. */
export const EMPTY_RESULT: Result = { rows: [], changes: 0 };

/** The server rolled back this transaction to resolve a deadlock or serialization failure. It can be retried. */
export class Conflict extends Error {
  constructor(cause: unknown) {
    super('the database rolled back a transaction because it conflicted with another one', { cause });
    this.name = 'Conflict';
  }
}

/** The server went away or can't be reached; the last statement sent may have been executed. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`the database can't be reached: ${messageOf(cause)}`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The server refuses for now: it is overloaded, shutting down, timed out or read-only. */
export class ServerUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database is temporarily unavailable: ${messageOf(cause)}`, { cause });
    this.name = 'ServerUnavailable';
  }
}

/** The server is read-only: not, or no longer, the primary. Nothing was done. */
export class ServerReadsOnly extends ServerUnavailable {}

/** The server is not a ready member of its cluster, so it serves neither reads nor writes. Nothing was done. */
export class ServerNotReady extends ServerUnavailable {}

/** The server has no disk space left. */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`the database has no space left: ${messageOf(cause)}`, { cause });
    this.name = 'StorageFull';
  }
}

/** A statement exceeded its time limit. */
export class StatementTimeout extends ServerUnavailable {}

/** A result is larger than the server allows a value to be. */
export class ResultTooLarge extends Error {
  constructor(cause: unknown) {
    super('the result is larger than the database can build', { cause });
    this.name = 'ResultTooLarge';
  }
}

/** The message of an error. An AggregateError has none of its own, but one error per address that was tried. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The `code` of an error, if it is a string. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error says that the server can't be reached. */
export function isNetworkError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && NETWORK_CODES.has(code);
}
