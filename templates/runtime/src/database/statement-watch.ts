/** Hears of the statements that are sent to the database. */
import { type Connection, withFunctions } from './connection.ts';
import { raw, type Sql } from './sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Told that statements are done, and by which error if they failed. */
export type StatementsDone = (error?: unknown) => void;

export interface StatementWatch {
  /** Called before statements are sent together, with whatever the caller keeps in AsyncLocalStorage. */
  sent(statements: readonly Sql[]): StatementsDone;
}

/** Both of them, or the one that there is. */
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

async function heard<T>(watch: StatementWatch, statements: readonly Sql[], run: () => Promise<T>): Promise<T> {
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

/** A connection to a server whose statements are watched. */
export function watchedConnection(connection: Connection, watch: StatementWatch | undefined): Connection {
  if (!watch) return connection;
  return withFunctions(connection, {
    query: (statement) => heard(watch, [statement], () => connection.query(statement)),
    read: (statement) => heard(watch, [statement], () => connection.read(statement)),
    command: (text) => heard(watch, [raw(text)], () => connection.command(text)),
    batch: (statements) => {
      const sent = statements.map(({ sql }) => sql);
      return heard(watch, sent, () => connection.batch(statements));
    },
  });
}

/** The same of a SQLite file, whose statements run on this thread. */
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

/** The same of a statement that runs elsewhere. */
export function watched<T>(watch: StatementWatch | undefined, statement: Sql, run: () => Promise<T>): Promise<T> {
  return watch ? heard(watch, [statement], run) : run();
}
