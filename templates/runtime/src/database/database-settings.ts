/** The settings of database connections, and the environment variables for them. */
import type { StatementWatch } from './statement-watch.ts';
import {
  defaultsOf,
  flag,
  oneOf,
  optional,
  urlOf,
  type ValuesOf,
  wholeNumber,
  withDefault,
} from '../base/environment.ts';

/** All times are in milliseconds. */
export interface DatabaseSettings {
  /** The maximum number of connections of this process. */
  readonly poolSize: number;
  /** How many processes of this server share the database. */
  readonly processes: number;
  /** How long a request waits for a connection before it is refused. */
  readonly acquireTimeout: number;
  /** Time limit of one statement. */
  readonly statementTimeout: number;
  /** Time limit of a read for a caller without credentials; 0: `statementTimeout`. */
  readonly publicTimeout: number;
  /** How long the heavy reads of one caller may run per minute, together; 0: no limit. */
  readonly readTimePerMinute: number;
  /** How long a writing statement may wait for a row locked by another transaction. MySQL and MariaDB: rounded up to seconds. */
  readonly lockTimeout: number;
  /** Time limit for connecting to the server. */
  readonly connectTimeout: number;
  /** How long startup waits for a server that is not available yet. */
  readonly startTimeout: number;
  /** PostgreSQL only: whether connections keep prepared statements and settings, which poolers in transaction mode don't. */
  readonly prepared: boolean;
  /** PostgreSQL only: the server's own address for migrations, if other connections go through a pooler. */
  readonly migrateUrl?: string | undefined;
  /** SQLite only: whether a commit waits until it is on disk. */
  readonly synchronous: 'normal' | 'full';
  /** Observes statements. */
  readonly watch?: StatementWatch;
}

/** The environment variables. */
export const databaseVariables = {
  DATABASE_POOL_SIZE: withDefault(wholeNumber(1, 1000), 10),
  DATABASE_ACQUIRE_TIMEOUT: withDefault(wholeNumber(1, 600_000), 10_000),
  DATABASE_STATEMENT_TIMEOUT: withDefault(wholeNumber(1, 3_600_000), 30_000),
  DATABASE_PUBLIC_TIMEOUT: withDefault(wholeNumber(0, 3_600_000), 5000),
  DATABASE_READ_TIME: withDefault(wholeNumber(0, 3_600_000), 60_000),
  DATABASE_LOCK_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_CONNECT_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_START_TIMEOUT: withDefault(wholeNumber(0, 3_600_000), 30_000),
  DATABASE_PREPARED: withDefault(flag, true),
  MIGRATE_DATABASE_URL: optional(
    urlOf(/^postgres(?:ql)?:$/u, 'must be postgres://…: the address of PostgreSQL itself, not of a pooler'),
  ),
  DATABASE_SYNCHRONOUS: withDefault(oneOf(['normal', 'full']), 'normal'),
};

/**
 * The minimum number of connections of each process, if the pool allows: reads, heavy reads and writes must not wait for one
 * another.
 */
const LEAST_OF_EACH = 4;

/** The settings from checked variables, for each of the `processes` processes of one server, which share the connections. */
export function databaseSettings(data: ValuesOf<typeof databaseVariables>, processes = 1): DatabaseSettings {
  const { DATABASE_POOL_SIZE: poolSize } = data;
  return {
    poolSize: Math.min(poolSize, Math.max(LEAST_OF_EACH, Math.floor(poolSize / processes))),
    processes,
    acquireTimeout: data.DATABASE_ACQUIRE_TIMEOUT,
    statementTimeout: data.DATABASE_STATEMENT_TIMEOUT,
    publicTimeout: data.DATABASE_PUBLIC_TIMEOUT,
    readTimePerMinute: data.DATABASE_READ_TIME,
    lockTimeout: data.DATABASE_LOCK_TIMEOUT,
    connectTimeout: data.DATABASE_CONNECT_TIMEOUT,
    startTimeout: data.DATABASE_START_TIMEOUT,
    prepared: data.DATABASE_PREPARED,
    migrateUrl: data.MIGRATE_DATABASE_URL,
    synchronous: data.DATABASE_SYNCHRONOUS,
  };
}

/** Settings for commands: the defaults, except for how the server is reached. */
export function commandSettings({ prepared, migrateUrl }: DatabaseSettings): DatabaseSettings {
  return { ...DEFAULT_DATABASE_SETTINGS, prepared, migrateUrl };
}

/** The settings of an empty environment. */
export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = databaseSettings(defaultsOf(databaseVariables));
