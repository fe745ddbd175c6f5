/** What the drivers of database servers have in common: one connection, and what can go wrong with it. */
import type { Sql } from './sql.ts';
import type { Result, Statement } from './write-plan.ts';

/**
 * One connection to a database server. Its functions throw UniqueViolation, ForeignKeyViolation, Conflict, ConnectionLost,
 * StorageFull or AnswerTooLarge where that is what happened, and the driver's own errors for everything else.
 */
export interface Connection {
  /** Runs a statement, prepared once and kept by its text. */
  query(statement: Sql): Promise<Result>;
  /** The same of one outside of transactions that only reads: the server ends it where it takes too long. */
  read(statement: Sql): Promise<Result>;
  /** Runs statements one after the other, until one fails; where the engine has `batches`, in one round trip. */
  batch(statements: readonly Statement[]): Promise<readonly Result[]>;
  /** Runs a statement of ours without parameters, such as `COMMIT`. */
  command(text: string): Promise<void>;
  /** Runs text of one or several statements as it is. */
  script(text: string): Promise<void>;
  /** False once it has failed, or has done enough: then it is to be closed, not used again. */
  readonly usable: boolean;
  /** Takes leave of the server; never throws. */
  close(): Promise<void>;
  /** Ends it at once, whatever it does. */
  destroy(): void;
  /** The same, and has the server stop what it does for it: then nobody waits for the answer. Never throws. */
  cancel(): void;
}

/** A connection with other functions. By name: a spread would read `usable` once and for all. */
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

/** What a statement answers of which nothing is asked. */
export const NOTHING: Result = { rows: [], changes: 0 };

/** Of two transactions that waited for each other, the server has undone this one. It can be run again. */
export class Conflict extends Error {
  constructor(cause: unknown) {
    super('the database has undone a transaction for another one', { cause });
    this.name = 'Conflict';
  }
}

/** The server went away, or is not to be reached; what was sent last may have been done. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`the database can't be reached: ${messageOf(cause)}`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The server refuses for now: it is too busy, shuts down, waited too long, or only reads. */
export class ServerUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database can't do that now: ${messageOf(cause)}`, { cause });
    this.name = 'ServerUnavailable';
  }
}

/** The server only reads, and so is not, or not any more, the one to write to. Nothing was done. */
export class ServerReadsOnly extends ServerUnavailable {}

/** The server takes no part in its cluster, and so neither reads nor writes. Nothing was done. */
export class ServerNotReady extends ServerUnavailable {}

/** There is no space left where the server stores what it is given. */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`the database has no space left: ${messageOf(cause)}`, { cause });
    this.name = 'StorageFull';
  }
}

/** A statement took longer than it may. */
export class StatementTimeout extends ServerUnavailable {}

/** An answer is larger than the server lets a value be. */
export class AnswerTooLarge extends Error {
  constructor(cause: unknown) {
    super('the answer is larger than the database can build', { cause });
    this.name = 'AnswerTooLarge';
  }
}

/** Several addresses that all refuse make an error without a message of its own. */
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

/** The code of an error, if it has one that is text. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error says that there is no connection to a server. */
export function isNetworkError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && NETWORK_CODES.has(code);
}
