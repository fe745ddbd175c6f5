/** The settings of a server, read from the environment once at start and checked with messages for people. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  anyText,
  flag,
  listOf,
  matching,
  oneOf,
  optional,
  type ReadText,
  readVariables,
  urlOf,
  wholeNumber,
  withDefault,
} from '../base/environment.ts';
import { ALONE, type WorkerPlace } from '../base/siblings.ts';
import { databaseSettings, type DatabaseSettings, databaseVariables } from '../database/database-settings.ts';
import {
  problemsOfReplicas,
  type ReplicaSettings,
  replicaSettings,
  replicaVariables,
} from '../database/replica-settings.ts';
import { authSettings, type AuthSettings, authVariables, missingForMail } from '../features/auth/auth-settings.ts';
import { keepSecret } from '../features/auth/session-secret.ts';
import { err, ok } from '../contract/values/cast-result.ts';
import { type CorsSettings, readOrigin } from '../http/cors.ts';
import type { StopSettings } from '../http/drain.ts';
import type { LogFormat } from '../http/log.ts';
import {
  metricsSettings,
  type MetricsSettings,
  metricsVariables,
  openMetricsProblem,
} from './metrics/metrics-settings.ts';
import { backupSettings, type BackupSettings, backupVariables } from './backup/backup-settings.ts';
import { tracesSettings, type TracesSettings } from './traces/traces-settings.ts';
import { PLACE_VARIABLE } from './workers/messages.ts';
import {
  missingOfBucket,
  uploadSettings,
  type UploadSettings,
  uploadVariables,
} from '../features/upload/upload-settings.ts';

/** What a running server can be told. The names are those of the environment variables. */
export interface Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** How many processes the server consists of. */
  readonly workers: number;
  /** Which of them this one is; undefined: the only one, or the one that supervises the others. */
  readonly worker: WorkerPlace | undefined;
  /** Of connections to a database server. */
  readonly database: DatabaseSettings;
  readonly replicas: ReplicaSettings;
  readonly migrateOnStart: boolean;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  /** Where browsers may call from. */
  readonly cors: CorsSettings;
  /** Whether `X-Forwarded-*` headers are believed. */
  readonly trustProxy: boolean;
  /** How long a client may keep silent while a server waits for it, in milliseconds. */
  readonly clientTimeout: number;
  /** How the server stops, in milliseconds. */
  readonly stop: StopSettings;
  /** Of all answers together that wait for their clients to take them: bytes. */
  readonly sendBufferSize: number;
  /** How long a connection is kept for a next request, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** Signs sessions; undefined: a random one, for as long as the server runs. */
  readonly jwtSecret: string | undefined;
  /** Statements that take so many milliseconds are logged; undefined: none. */
  readonly slowStatement: number | undefined;
  readonly backup: BackupSettings;
  readonly auth: AuthSettings;
  /** Undefined: there are no metrics. */
  readonly metrics: MetricsSettings | undefined;
  /** What instances share beside the database. */
  readonly redisUrl: string | undefined;
  /** Undefined: there are no traces. */
  readonly traces: TracesSettings | undefined;
  readonly uploads: UploadSettings;
}

/** The environment does not make sense: one line a variable. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings are not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'SettingsError';
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MINIMUM_SECRET_LENGTH = 32;
/** A secret of fewer different characters was not made at random. */
const MINIMUM_DISTINCT = 8;
const SECRET_PROBLEM = 'must be made at random: openssl rand -base64 32';
const PORT_PROBLEM = 'must be a port: a number from 0 to 65535';

const secret: ReadText<string> = (text) => {
  if (text.length < MINIMUM_SECRET_LENGTH) {
    return err(`must have at least ${MINIMUM_SECRET_LENGTH} characters, made at random`);
  }
  return new Set(text).size < MINIMUM_DISTINCT ? err(SECRET_PROBLEM) : ok(text);
};

/** For what is behind the connections of a server, once they have ended: mail, the database, and the log. In milliseconds. */
export const CLOSING_TIME = 3000;

const MOST_WORKERS = 256;
const workerCount: ReadText<number> = (text) =>
  text === 'auto' ? ok(availableParallelism()) : wholeNumber(1, MOST_WORKERS, 'must be a number, or auto')(text);

/** `2/4`, which the supervising process says. */
function readPlace(text: string | undefined): WorkerPlace | undefined {
  const [index, count] = (text ?? '').split('/').map(Number);
  return index && count ? { index, count } : undefined;
}

const LONGEST_WAIT = 3_600_000;
const milliseconds = (least: number): ReadText<number> =>
  wholeNumber(least, LONGEST_WAIT, 'must be a number of milliseconds', `must be from ${least} to ${LONGEST_WAIT} ms`);

/** Proxies and load balancers ask `/_ready` every few seconds. Elsewhere nobody waits for a server to stop. */
const PRODUCTION_DRAIN_DELAY = 5000;
const MIB = 1024 * 1024;
const SEND_BUFFER_PROBLEM = `must be a number of bytes, at least ${MIB}`;

const variablesOf = (name: string) => ({
  HOST: withDefault(anyText, '127.0.0.1'),
  PORT: withDefault(wholeNumber(0, 65_535, PORT_PROBLEM, PORT_PROBLEM), 1337),
  WORKERS: withDefault(workerCount, 1),
  DATABASE_URL: withDefault(
    matching(
      /^(sqlite:|postgres(ql)?:\/\/|mysql:\/\/|mariadb:\/\/).+/,
      'must be sqlite:PATH, postgres://… or mysql://…',
    ),
    `sqlite:./data/${name}.db`,
  ),
  MIGRATE_ON_START: withDefault(flag, true),
  LOG_LEVEL: withDefault(oneOf(LOG_LEVELS), 'info'),
  LOG_FORMAT: optional(oneOf(['json', 'text'])),
  CORS_ORIGINS: withDefault(listOf(readOrigin), []),
  TRUST_PROXY: withDefault(flag, false),
  CLIENT_TIMEOUT: withDefault(milliseconds(1000), 30_000),
  DRAIN_DELAY: optional(milliseconds(0)),
  STOP_TIMEOUT: withDefault(milliseconds(0), 10_000),
  KEEP_ALIVE_TIMEOUT: withDefault(milliseconds(1), 5000),
  SEND_BUFFER_SIZE: withDefault(
    wholeNumber(MIB, Number.MAX_SAFE_INTEGER, SEND_BUFFER_PROBLEM, SEND_BUFFER_PROBLEM),
    128 * MIB,
  ),
  JWT_SECRET: optional(secret),
  ...databaseVariables,
  ...replicaVariables,
  REDIS_URL: optional(urlOf(/^rediss?:$/u, 'must be redis://user:password@host:port or rediss://…')),
  SLOW_STATEMENT_MS: optional(milliseconds(1)),
  ...metricsVariables,
  ...backupVariables,
  ...authVariables,
  ...uploadVariables,
});

/** Loads `.env` of the working directory into the environment, outside production. What is set already stays. */
export function loadDotEnv(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}

/** Has a secret for sessions made and kept in `.env` of the working directory, outside production, where there is none. */
export function ensureSecret(): void {
  if (process.env['NODE_ENV'] !== 'production') process.env['JWT_SECRET'] ||= keepSecret('.env');
}

/** Where this server is reached from its own machine. */
export function ownUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

/**
 * Checks the environment. `name` is the project's, for the default database. An empty variable counts as absent.
 * Throws SettingsError naming every variable that is wrong.
 */
export function readSettings(name: string, environment: NodeJS.ProcessEnv): Settings {
  const { values, problems: found } = readVariables(variablesOf(name), environment);
  const problems = [...found];
  const production = environment['NODE_ENV'] === 'production';
  if (production && !environment['JWT_SECRET']) {
    problems.push('JWT_SECRET must be set in production: at least 32 characters, made at random');
  }
  problems.push(
    ...missingOfBucket(environment),
    ...missingForMail(environment),
    ...openMetricsProblem(environment),
    ...problemsOfReplicas(environment),
  );
  if (values?.BACKUP_EVERY !== undefined && !values.DATABASE_URL.startsWith('sqlite:')) {
    problems.push('BACKUP_EVERY is for SQLite: a database server is backed up by its own tools');
  }
  if (values?.MIGRATE_DATABASE_URL !== undefined && !/^postgres/iu.test(values.DATABASE_URL)) {
    problems.push('MIGRATE_DATABASE_URL is for PostgreSQL, which DATABASE_URL does not name');
  }
  if (!values || problems.length > 0) throw new SettingsError(problems);
  const worker = readPlace(environment[PLACE_VARIABLE]);
  const { count } = worker ?? ALONE;
  return Object.freeze({
    production,
    host: values.HOST,
    port: values.PORT,
    databaseUrl: values.DATABASE_URL,
    workers: values.WORKERS,
    worker,
    database: databaseSettings(values, count),
    replicas: replicaSettings(values),
    migrateOnStart: values.MIGRATE_ON_START,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (!production && process.stdout.isTTY ? 'text' : 'json'),
    cors: { origins: values.CORS_ORIGINS, localhost: !production },
    trustProxy: values.TRUST_PROXY,
    clientTimeout: values.CLIENT_TIMEOUT,
    stop: {
      drainDelay: values.DRAIN_DELAY ?? (production ? PRODUCTION_DRAIN_DELAY : 0),
      stopTimeout: values.STOP_TIMEOUT,
    },
    sendBufferSize: Math.max(MIB, Math.floor(values.SEND_BUFFER_SIZE / count)),
    keepAliveTimeout: values.KEEP_ALIVE_TIMEOUT,
    jwtSecret: values.JWT_SECRET,
    slowStatement: values.SLOW_STATEMENT_MS,
    backup: backupSettings(values),
    metrics: metricsSettings(values),
    redisUrl: values.REDIS_URL,
    traces: tracesSettings(environment),
    auth: authSettings(values, production ? undefined : ownUrl(values.HOST, values.PORT)),
    uploads: uploadSettings(values),
  });
}
