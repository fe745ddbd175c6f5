/** What connections to a database server can be told, and how the environment says it. */
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
  /** How many connections this process has at most. */
  readonly poolSize: number;
  /** How many processes of this server use the database. */
  readonly processes: number;
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
  /** Of PostgreSQL: whether connections keep statements and settings, which poolers in transaction mode don't. */
  readonly prepared: boolean;
  /** Of PostgreSQL: where migrations find the server itself, if other connections go to a pooler. */
  readonly migrateUrl?: string | undefined;
  /** Of SQLite: whether a commit waits until the disk has it. */
  readonly synchronous: 'normal' | 'full';
  /** Hears of statements. */
  readonly watch?: StatementWatch;
}

/** The variables of the environment. */
export const databaseVariables = {
  DATABASE_POOL_SIZE: withDefault(wholeNumber(1, 1000), 10),
  DATABASE_ACQUIRE_TIMEOUT: withDefault(wholeNumber(1, 600_000), 10_000),
  DATABASE_STATEMENT_TIMEOUT: withDefault(wholeNumber(1, 3_600_000), 30_000),
  DATABASE_LOCK_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_CONNECT_TIMEOUT: withDefault(wholeNumber(1, 600_000), 5000),
  DATABASE_START_TIMEOUT: withDefault(wholeNumber(0, 3_600_000), 30_000),
  DATABASE_PREPARED: withDefault(flag, true),
  MIGRATE_DATABASE_URL: optional(
    urlOf(/^postgres(?:ql)?:$/u, 'must be postgres://…: the address of PostgreSQL behind a pooler'),
  ),
  DATABASE_SYNCHRONOUS: withDefault(oneOf(['normal', 'full']), 'normal'),
};

/** Connections that each process has where the pool is large enough: reads, heavy reads and writes must not wait for one another. */
const LEAST_OF_EACH = 4;

/** The settings that checked variables make, for each of so many processes of one server: they share the pool. */
export function databaseSettings(data: ValuesOf<typeof databaseVariables>, processes = 1): DatabaseSettings {
  const { DATABASE_POOL_SIZE: poolSize } = data;
  return {
    poolSize: Math.min(poolSize, Math.max(LEAST_OF_EACH, Math.floor(poolSize / processes))),
    processes,
    acquireTimeout: data.DATABASE_ACQUIRE_TIMEOUT,
    statementTimeout: data.DATABASE_STATEMENT_TIMEOUT,
    lockTimeout: data.DATABASE_LOCK_TIMEOUT,
    connectTimeout: data.DATABASE_CONNECT_TIMEOUT,
    startTimeout: data.DATABASE_START_TIMEOUT,
    prepared: data.DATABASE_PREPARED,
    migrateUrl: data.MIGRATE_DATABASE_URL,
    synchronous: data.DATABASE_SYNCHRONOUS,
  };
}

/** Of commands: nothing is set but how the server is reached. */
export function commandSettings({ prepared, migrateUrl }: DatabaseSettings): DatabaseSettings {
  return { ...DEFAULT_DATABASE_SETTINGS, prepared, migrateUrl };
}

/** What holds where nothing is said. */
export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = databaseSettings(defaultsOf(databaseVariables));
