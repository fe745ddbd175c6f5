/** What connections to a database server can be told, and how the environment says it. */
import { defaultsOf, type ValuesOf, wholeNumber, withDefault } from '../base/environment.ts';

/** All times are in milliseconds. */
export interface DatabaseSettings {
  /** How many connections this process has at most. */
  readonly poolSize: number;
  /** How long a request waits for a connection before it is refused. */
  readonly acquireTimeout: number;
  /** How long one statement may take. */
  readonly statementTimeout: number;
  /** How long a statement that writes may wait for a row that another transaction holds. MySQL and MariaDB know whole seconds. */
  readonly lockTimeout: number;
  /** How long it may take to reach the server. */
  readonly connectTimeout: number;
  /** How long a start waits for a server that is not there yet. */
  readonly startTimeout: number;
}

/** The variables of the environment. */
export const databaseVariables = {
  DATABASE_POOL_SIZE: withDefault(wholeNumber(1, 1000), 10),
  DATABASE_ACQUIRE_TIMEOUT: withDefault(wholeNumber(1, 600_000), 10_000),
  DATABASE_STATEMENT_TIMEOUT: withDefault(wholeNumber(1, 3_600_000), 30_000),
  DATABASE_LOCK_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_CONNECT_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_START_TIMEOUT: withDefault(wholeNumber(0, 3_600_000), 30_000),
};

/** The settings that checked variables make. */
export function databaseSettings(data: ValuesOf<typeof databaseVariables>): DatabaseSettings {
  return {
    poolSize: data.DATABASE_POOL_SIZE,
    acquireTimeout: data.DATABASE_ACQUIRE_TIMEOUT,
    statementTimeout: data.DATABASE_STATEMENT_TIMEOUT,
    lockTimeout: data.DATABASE_LOCK_TIMEOUT,
    connectTimeout: data.DATABASE_CONNECT_TIMEOUT,
    startTimeout: data.DATABASE_START_TIMEOUT,
  };
}

/** What holds where nothing is said. */
export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = databaseSettings(defaultsOf(databaseVariables));
