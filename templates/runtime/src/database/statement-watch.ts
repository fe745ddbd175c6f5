/** Observes the statements that are sent to the database. */
import { type Connection, withFunctions } from './connection.ts';
import { raw, type Sql } from './sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Called when statements are done, with the error if they failed. */
export type StatementsDone = (error?: unknown) => void;

export interface StatementWatch {
  /** Called before statements are sent together, in the caller's AsyncLocalStorage context. */
  sent(statements: readonly Sql[]): StatementsDone;
}

/** Combines two watches; either may be missing. */
export function bothWatches(
  first: StatementWatch | undefined,
  second: StatementWatch | undefined,
): StatementWatch | undefined {
  if (!first || !second) return first ?? second;
  return {
    sent(statements) {
      const done = [first.sent(statements), second.sent(statements)];
      return (error) => {
        for (const tell of done) tell(error);
      };
    },
  };
}

async function observed<T>(watch: StatementWatch, statements: readonly Sql[], run: () => Promise<T>): Promise<T> {
  const done = watch.sent(statements);
  try {
    const result = await run();
    done();
    return result;
  } catch (error) {
    done(error);
    throw error;
  }
}

/** Wraps a connection to a server so that its statements are observed. */
export function watchedConnection(connection: Connection, watch: StatementWatch | undefined): Connection {
  if (!watch) return connection;
  return withFunctions(connection, {
    query: (statement) => observed(watch, [statement], () => connection.query(statement)),
    read: (statement) => observed(watch, [statement], () => connection.read(statement)),
    command: (text) => observed(watch, [raw(text)], () => connection.command(text)),
    batch: (statements) => {
      const sent = statements.map(({ sql }) => sql);
      return observed(watch, sent, () => connection.batch(statements));
    },
  });
}

/** Wraps a SQLite connection on this thread in the same way. */
export function watchedSqlite(connection: SqliteConnection, watch: StatementWatch | undefined): SqliteConnection {
  if (!watch) return connection;
  const now = <T>(statement: Sql, run: () => T): T => {
    const done = watch.sent([statement]);
    try {
      const result = run();
      done();
      return result;
    } catch (error) {
      done(error);
      throw error;
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

/** Observes a statement that runs elsewhere. */
export function watched<T>(watch: StatementWatch | undefined, statement: Sql, run: () => Promise<T>): Promise<T> {
  return watch ? observed(watch, [statement], run) : run();
}
