/** Refuses queries that have just exceeded their time limit: they would again. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { QueryTooSlowError } from '../contract/errors.ts';
import type { Database } from './database.ts';
import type { Executor } from './executor.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { ReadOptions } from './statement-runner.ts';

/** For how long they are refused, in milliseconds. */
const REMEMBERED = 60_000;
const MAX_STATEMENTS = 1000;
/** Of one statement. */
const MAX_FAILURES = 100;

/** A statement exceeded `limit` milliseconds; it is refused `until` a time of `performance.now()`. */
interface Failure {
  readonly limit: number;
  readonly until: number;
}

/** The failures of one statement text, by caller, and by the values for which it failed. */
interface Failures {
  readonly ofCaller: LRUCache<string, Failure>;
  readonly withValues: LRUCache<string, Failure>;
}

function hashOf({ params }: Sql): string {
  const hash = createHash('sha256');
  // Reads have no ids of new rows.
  for (const value of params as readonly SqlValue[]) {
    const text = String(value);
    hash.update(`${typeof value} ${text.length} ${text}`);
  }
  return hash.digest('base64');
}

/**
 * A caller's query that exceeded its limit is refused with any values; the same query of another caller only with the same values,
 * so that nobody can keep others from a query. `limitOf` is the time limit of a read, in milliseconds.
 */
export function refusingSlowQueries(database: Database, limitOf: (options: ReadOptions) => number): Database {
  const slow = new LRUCache<string, Failures>({ max: MAX_STATEMENTS });

  function remember(statement: Sql, caller: string, limit: number): void {
    const failures: Failures = slow.get(statement.text) ?? {
      ofCaller: new LRUCache({ max: MAX_FAILURES }),
      withValues: new LRUCache({ max: MAX_FAILURES }),
    };
    const failure = { limit, until: performance.now() + REMEMBERED };
    failures.ofCaller.set(caller, failure);
    failures.withValues.set(hashOf(statement), failure);
    slow.set(statement.text, failures);
  }

  function refuseKnown(statement: Sql, options: ReadOptions): void {
    const failures = slow.size === 0 ? undefined : slow.get(statement.text);
    if (!failures || !options.client) return;
    const now = performance.now();
    const limit = limitOf(options);
    const applies = (failure: Failure | undefined): failure is Failure =>
      failure !== undefined && now < failure.until && limit !== 0 && limit <= failure.limit;
    const failure = [failures.ofCaller.get(options.client.caller), failures.withValues.get(hashOf(statement))].find(
      applies,
    );
    if (failure) throw new QueryTooSlowError(failure.limit, failure.until - now);
  }

  /** Runs reads; `latest` is the statement that runs, to which an error belongs. */
  async function noting<T>(
    options: ReadOptions | undefined,
    latest: () => Sql | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const statement = latest();
      const caller = options?.client?.caller;
      if (error instanceof QueryTooSlowError && !error.wasKnown && statement && caller !== undefined) {
        remember(statement, caller, error.limit);
      }
      throw error;
    }
  }

  async function single<T>(statement: Sql, options: ReadOptions | undefined, run: () => Promise<T>): Promise<T> {
    if (!options?.client) return run();
    refuseKnown(statement, options);
    return noting(options, () => statement, run);
  }

  return {
    ...database,
    all: (statement, options) => single(statement, options, () => database.all(statement, options)),
    get: (statement, options) => single(statement, options, () => database.get(statement, options)),
    readTransaction<T>(options: ReadOptions | undefined, work: (reader: Executor) => Promise<T>) {
      let latest: Sql | undefined;
      const begin = (statement: Sql): Sql => {
        if (options) refuseKnown(statement, options);
        latest = statement;
        return statement;
      };
      return noting(
        options,
        () => latest,
        () =>
          database.readTransaction(options, (reader) =>
            work({
              ...reader,
              all: async (statement, given) => reader.all(begin(statement), given),
              get: async (statement, given) => reader.get(begin(statement), given),
            }),
          ),
      );
    },
  };
}
