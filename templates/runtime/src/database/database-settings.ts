/** What connections to a database server can be told, and how the environment says it. */
import * as z from 'zod';

/** All times are in milliseconds. */
export interface DatabaseSettings {
  /** How many connections this process has at most. */
  readonly poolSize: number;
  /** How long a request waits for a connection before it is refused. */
  readonly acquireTimeout: number;
  /** How long one statement may take. */
  readonly statementTimeout: number;
  /** How long it may take to reach the server. */
  readonly connectTimeout: number;
  /** How long a start waits for a server that is not there yet. */
  readonly startTimeout: number;
}

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number')
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be from ${least} to ${most}`);
}

/** The variables of the environment, for the schema of all settings. */
export const databaseVariables = {
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10),
  DATABASE_ACQUIRE_TIMEOUT: wholeNumber(1, 600_000).default(10_000),
  DATABASE_STATEMENT_TIMEOUT: wholeNumber(1, 3_600_000).default(30_000),
  DATABASE_CONNECT_TIMEOUT: wholeNumber(1, 600_000).default(5000),
  DATABASE_START_TIMEOUT: wholeNumber(0, 3_600_000).default(30_000),
};

const variables = z.object(databaseVariables);

/** The settings that checked variables make. */
export function databaseSettings(data: z.output<typeof variables>): DatabaseSettings {
  return {
    poolSize: data.DATABASE_POOL_SIZE,
    acquireTimeout: data.DATABASE_ACQUIRE_TIMEOUT,
    statementTimeout: data.DATABASE_STATEMENT_TIMEOUT,
    connectTimeout: data.DATABASE_CONNECT_TIMEOUT,
    startTimeout: data.DATABASE_START_TIMEOUT,
  };
}

/** What holds where nothing is said. */
export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = databaseSettings(variables.parse({}));
