/** Hears of statements that take long. */
import { type Connection, withFunctions } from './connection.ts';
import type { Sql } from './sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export interface StatementWatch {
  /** In milliseconds. */
  readonly limit: number;
  /** Statements that were sent together, and how long they took. */
  slow(statements: readonly Sql[], milliseconds: number): void;
}

/** Starts the clock; the function that is answered stops it, and tells the watch if it took long. */
function clock(watch: StatementWatch, statements: readonly Sql[]): () => void {
  const started = performance.now();
  return () => {
    const milliseconds = performance.now() - started;
    if (milliseconds >= watch.limit) watch.slow(statements, milliseconds);
  };
}

async function timed<T>(watch: StatementWatch, statements: readonly Sql[], run: () => Promise<T>): Promise<T> {
  const stop = clock(watch, statements);
  try {
    return await run();
  } finally {
    stop();
  }
}

/** A connection to a server whose statements are watched. */
export function watchedConnection(connection: Connection, watch: StatementWatch | undefined): Connection {
  if (!watch) return connection;
  return withFunctions(connection, {
    query: (statement) => timed(watch, [statement], () => connection.query(statement)),
    read: (statement) => timed(watch, [statement], () => connection.read(statement)),
    batch: (statements) => {
      const sent = statements.map(({ sql }) => sql);
      return timed(watch, sent, () => connection.batch(statements));
    },
  });
}

/** The same of a SQLite file, whose statements run on this thread. */
export function watchedSqlite(connection: SqliteConnection, watch: StatementWatch | undefined): SqliteConnection {
  if (!watch) return connection;
  const now = <T>(statement: Sql, run: () => T): T => {
    const stop = clock(watch, [statement]);
    try {
      return run();
    } finally {
      stop();
    }
  };
  return {
    all: (statement) => now(statement, () => connection.all(statement)),
    get: (statement) => now(statement, () => connection.get(statement)),
    run: (statement) => now(statement, () => connection.run(statement)),
    returning: (statement) => now(statement, () => connection.returning(statement)),
    exec: (text) => connection.exec(text),
    get inTransaction() {
      return connection.inTransaction;
    },
    close: () => connection.close(),
  };
}

/** The same of a statement that runs elsewhere. */
export function watched<T>(watch: StatementWatch | undefined, statement: Sql, run: () => Promise<T>): Promise<T> {
  return watch ? timed(watch, [statement], run) : run();
}
