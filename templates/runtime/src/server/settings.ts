/** The settings of a server, read once at start from environment variables and validated, with messages for users. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  flag,
  listOf,
  matching,
  oneOf,
  optional,
  type ReadText,
  readVariables,
  wholeNumber,
  withDefault,
} from '../base/environment.ts';
import { SINGLE_WORKER, type WorkerSlot } from '../base/siblings.ts';
import { databaseSettings, type DatabaseSettings, databaseVariables } from '../database/database-settings.ts';
import {
  problemsOfReplicas,
  type ReplicaSettings,
  replicaSettings,
  replicaVariables,
} from '../database/replica-settings.ts';
import {
  authSettings,
  type AuthSettings,
  authVariables,
  missingForMail,
  weakInProduction,
} from '../features/auth/auth-settings.ts';
import { loadOrCreateSecret } from '../features/auth/session-secret.ts';
import { err, ok } from '../contract/values/cast-result.ts';
import { type CorsSettings, readOrigin } from '../http/cors.ts';
import type { StopSettings } from '../http/drain.ts';
import type { LogFormat } from '../http/log.ts';
import {
  metricsSettings,
  type MetricsSettings,
  metricsVariables,
  publicMetricsProblem,
} from './metrics/metrics-settings.ts';
import { backupSettings, type BackupSettings, backupVariables } from './backup/backup-settings.ts';
import { tracesSettings, type TracesSettings } from './traces/traces-settings.ts';
import { misspelledVariables } from './misspelled-variables.ts';
import { WORKER_VARIABLE } from './workers/messages.ts';
import { type BatchSettings, batchSettings, batchVariables } from '../features/batch/batch-settings.ts';
import {
  missingOfBucket,
  uploadSettings,
  type UploadSettings,
  uploadVariables,
} from '../features/upload/upload-settings.ts';
import {
  type CacheTagSettings,
  cacheTagSettings,
  cacheTagVariables,
} from '../features/cache-tags/cache-tag-settings.ts';
import { type AuditSettings, auditSettings, auditVariables } from '../features/audit/audit-settings.ts';
import { type EventSettings, eventSettings, eventVariables } from '../features/events/event-settings.ts';
import { type JobSettings, jobSettings, jobVariables } from '../features/jobs/job-settings.ts';
import { webhookSettings, type WebhookSettings, webhookVariables } from '../features/webhooks/webhook-settings.ts';

/** The settings of a running server. They are named after the environment variables. */
export interface Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** The number of processes. */
  readonly workers: number;
  /** Which worker this process is; undefined if it is the only process, or the supervisor. */
  readonly worker: WorkerSlot | undefined;
  readonly database: DatabaseSettings;
  readonly replicas: ReplicaSettings;
  readonly migrateOnStart: boolean;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  /** Origins from which browsers may call. */
  readonly cors: CorsSettings;
  /** Whether `X-Forwarded-*` headers are trusted. */
  readonly trustProxy: boolean;
  /** How long a client may send or receive nothing while the server waits for it, in milliseconds. */
  readonly clientTimeout: number;
  /** Timeouts for stopping, in milliseconds. */
  readonly stop: StopSettings;
  /** Maximum bytes of all responses that wait for their clients to receive them. */
  readonly sendBufferSize: number;
  /** How long an idle connection is kept open, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** Signs sessions; undefined: a random secret until the server stops. */
  readonly jwtSecret: string | undefined;
  /** Duration, in milliseconds, from which statements are logged; undefined: none are. */
  readonly slowStatement: number | undefined;
  readonly backup: BackupSettings;
  readonly auth: AuthSettings;
  /** Undefined if metrics are disabled. */
  readonly metrics: MetricsSettings | undefined;
  /** Undefined if traces are disabled. */
  readonly traces: TracesSettings | undefined;
  readonly uploads: UploadSettings;
  readonly batch: BatchSettings;
  readonly webhooks: WebhookSettings;
  readonly cacheTags: CacheTagSettings;
  readonly audit: AuditSettings;
  readonly events: EventSettings;
  readonly jobs: JobSettings;
}

/** The environment is invalid. The message has a line per problem. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings are invalid:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'SettingsError';
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MINIMUM_SECRET_LENGTH = 32;
/** A secret with fewer distinct characters can't be random. */
const MINIMUM_DISTINCT = 8;
const SECRET_PROBLEM = 'must be random: openssl rand -base64 32';
const PORT_PROBLEM = 'must be a port: a number from 0 to 65535';

const secret: ReadText<string> = (text) => {
  if (text.length < MINIMUM_SECRET_LENGTH) {
    return err(`must have at least ${MINIMUM_SECRET_LENGTH} random characters`);
  }
  return new Set(text).size < MINIMUM_DISTINCT ? err(SECRET_PROBLEM) : ok(text);
};

/** Time for closing mail, the database and the log after all connections have ended, in milliseconds. */
export const CLOSING_TIME = 3000;

const hostName: ReadText<string> = (text) =>
  URL.canParse(ownUrl(text, 1)) ? ok(text) : err('must be an IP address or the name of a host');

const MOST_WORKERS = 256;
const workerCount: ReadText<number> = (text) =>
  text === 'auto' ? ok(availableParallelism()) : wholeNumber(1, MOST_WORKERS, 'must be a number, or auto')(text);

/** Parses the slot of a worker, `2/4`, which the supervisor sets. */
function readSlot(text: string | undefined): WorkerSlot | undefined {
  const [index, count] = (text ?? '').split('/').map(Number);
  return index && count ? { index, count } : undefined;
}

const LONGEST_WAIT = 3_600_000;
const milliseconds = (least: number): ReadText<number> =>
  wholeNumber(least, LONGEST_WAIT, 'must be a number of milliseconds', `must be from ${least} to ${LONGEST_WAIT} ms`);

/** Proxies and load balancers poll `/_ready` every few seconds. Outside production, a stop needs no delay. */
const PRODUCTION_DRAIN_DELAY = 5000;
const MIB = 1024 * 1024;
const SEND_BUFFER_PROBLEM = `must be a number of bytes, at least ${MIB}`;

const variablesOf = (name: string) => ({
  HOST: withDefault(hostName, '127.0.0.1'),
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
  SLOW_STATEMENT_MS: optional(milliseconds(1)),
  ...metricsVariables,
  ...backupVariables,
  ...authVariables,
  ...uploadVariables,
  ...batchVariables,
  ...webhookVariables,
  ...cacheTagVariables,
  ...auditVariables,
  ...eventVariables,
  ...jobVariables,
});

/** Variables in `.env` that are read elsewhere. */
const OTHER_VARIABLES = ['NODE_ENV', 'DATABASE_PASSWORD', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME'];

/** Outside production, loads `.env` of the working directory into the environment. Variables that are already set are kept. */
export function loadDotEnv(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}

/** What is probably misspelled in `.env` of the working directory, if it is read. */
export function problemsOfDotEnv(name: string): readonly string[] {
  if (process.env['NODE_ENV'] === 'production' || !existsSync('.env')) return [];
  return misspelledVariables(readFileSync('.env', 'utf8'), [...Object.keys(variablesOf(name)), ...OTHER_VARIABLES]);
}

/** Outside production, if JWT_SECRET isn't set, generates one and keeps it in `.env` of the working directory. */
export function ensureSecret(): void {
  if (process.env['NODE_ENV'] !== 'production') process.env['JWT_SECRET'] ||= loadOrCreateSecret('.env');
}

/** The URL of this server on its own machine. */
export function ownUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

/**
 * Reads the settings from the environment. `name` is that of the project, for the default database. Empty variables count as unset.
 * Throws SettingsError that names every invalid variable.
 */
export function readSettings(name: string, environment: NodeJS.ProcessEnv): Settings {
  const { values, problems: found } = readVariables(variablesOf(name), environment);
  const problems = [...found];
  const production = environment['NODE_ENV'] === 'production';
  if (production && !environment['JWT_SECRET']) {
    problems.push('JWT_SECRET must be set in production: at least 32 random characters');
  }
  problems.push(
    ...missingOfBucket(environment),
    ...missingForMail(environment),
    ...(production ? weakInProduction(environment) : []),
    ...publicMetricsProblem(environment),
    ...problemsOfReplicas(environment),
  );
  if (values?.BACKUP_EVERY !== undefined && !values.DATABASE_URL.startsWith('sqlite:')) {
    problems.push('BACKUP_EVERY is only for SQLite: back up a database server with its own tools');
  }
  if (values?.MIGRATE_DATABASE_URL !== undefined && !/^postgres/iu.test(values.DATABASE_URL)) {
    problems.push('MIGRATE_DATABASE_URL is only for PostgreSQL, but DATABASE_URL names another database');
  }
  if (!values || problems.length > 0) throw new SettingsError(problems);
  const worker = readSlot(environment[WORKER_VARIABLE]);
  const { count } = worker ?? SINGLE_WORKER;
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
    traces: tracesSettings(environment),
    auth: authSettings(values, production ? undefined : ownUrl(values.HOST, values.PORT)),
    uploads: uploadSettings(values),
    batch: batchSettings(values),
    webhooks: webhookSettings(values, environment),
    cacheTags: cacheTagSettings(values),
    audit: auditSettings(values),
    events: eventSettings(values),
    jobs: jobSettings(values),
  });
}
