/** Which replicas of the database are read, and the environment variables for them. */
import { listOf, matching, type ValuesOf, wholeNumber, withDefault } from '../base/environment.ts';

export interface ReplicaSettings {
  /** URLs of PostgreSQL servers; if empty, everything is read from the primary. */
  readonly urls: readonly string[];
  /** The maximum replication lag of a replica that is read, in milliseconds. */
  readonly maxDelay: number;
}

const PROBLEM = 'must be URLs such as postgres://user:password@host/database, with one host each, separated by commas';

/** Smaller delays can't be measured precisely enough. In milliseconds. */
const LEAST_DELAY = 500;

/** The environment variables. */
export const replicaVariables = {
  DATABASE_READ_URLS: withDefault(listOf(matching(/^postgres(?:ql)?:\/\/\S+$/iu, PROBLEM)), []),
  DATABASE_READ_MAX_DELAY: withDefault(wholeNumber(LEAST_DELAY, 3_600_000), 5000),
};

export function replicaSettings(data: ValuesOf<typeof replicaVariables>): ReplicaSettings {
  return { urls: data.DATABASE_READ_URLS, maxDelay: data.DATABASE_READ_MAX_DELAY };
}

/** Problems of the replica settings with this database, as messages. */
export function problemsOfReplicas(environment: NodeJS.ProcessEnv): readonly string[] {
  if (!environment['DATABASE_READ_URLS'] || /^postgres(?:ql)?:/iu.test(environment['DATABASE_URL'] ?? '')) return [];
  return ['DATABASE_READ_URLS requires PostgreSQL in DATABASE_URL: replicas of other databases are not supported'];
}
