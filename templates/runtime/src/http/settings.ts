/** The settings of a server, read from the environment once at start and checked with messages for people. */
import { existsSync } from 'node:fs';
import * as z from 'zod';
import { databaseSettings, databaseVariables, type DatabaseSettings } from '../database/database-settings.ts';
import { authSettings, authVariables, missingForMail, type AuthSettings } from '../auth/auth-settings.ts';
import { keepSecret } from '../auth/session-secret.ts';
import { missingOfBucket, uploadSettings, uploadVariables, type UploadSettings } from '../upload/upload-settings.ts';

/** What a running server can be told. The names are those of the environment variables. */
export interface Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Of connections to a database server. */
  readonly database: DatabaseSettings;
  readonly migrateOnStart: boolean;
  readonly logLevel: string;
  /** Origins that browsers may call from; none: no CORS headers at all. */
  readonly corsOrigins: readonly string[];
  /** Whether `X-Forwarded-*` headers are believed. */
  readonly trustProxy: boolean;
  /** Signs sessions; undefined: a random one, for as long as the server runs. */
  readonly jwtSecret: string | undefined;
  readonly auth: AuthSettings;
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

const flag = z.enum(['true', 'false'], { error: 'must be "true" or "false"' }).transform((text) => text === 'true');

function environmentSchema(name: string) {
  return z.object({
    NODE_ENV: z.string().default('development'),
    HOST: z.string().min(1, 'must be an address or a host name').default('127.0.0.1'),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port: a number from 0 to 65535')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port: a number from 0 to 65535')
      .default(1337),
    DATABASE_URL: z
      .string()
      .regex(/^(sqlite:|postgres(ql)?:\/\/|mysql:\/\/|mariadb:\/\/).+/, {
        error: 'must be sqlite:PATH, postgres://… or mysql://…',
      })
      .default(`sqlite:./data/${name}.db`),
    MIGRATE_ON_START: flag.default(true),
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
    CORS_ORIGINS: z
      .string()
      .transform((text) => text.split(',').map((origin) => origin.trim()))
      .pipe(z.array(z.url({ error: 'must be origins such as https://example.org, separated by commas' })))
      .default([]),
    TRUST_PROXY: flag.default(false),
    JWT_SECRET: z
      .string()
      .min(MINIMUM_SECRET_LENGTH, `must have at least ${MINIMUM_SECRET_LENGTH} characters, made at random`)
      .refine((secret) => new Set(secret).size >= MINIMUM_DISTINCT, 'must be made at random: openssl rand -base64 32')
      .optional(),
    ...databaseVariables,
    ...authVariables,
    ...uploadVariables,
  });
}

/** Loads `.env` of the working directory into the environment, outside production. What is set already stays. */
export function loadDotEnv(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}

/** Has a secret for sessions made and kept in `.env` of the working directory, outside production, where there is none. */
export function ensureSecret(): void {
  if (process.env['NODE_ENV'] !== 'production') process.env['JWT_SECRET'] ||= keepSecret('.env');
}

/**
 * Checks the environment. `name` is the project's, for the default database. An empty variable counts as absent.
 * Throws SettingsError naming every variable that is wrong.
 */
export function readSettings(name: string, environment: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = environmentSchema(name).safeParse(given);
  const problems = result.success
    ? []
    : result.error.issues.map(
        (issue) => `${issue.path[0] === undefined ? '' : String(issue.path[0])} ${issue.message}`,
      );
  const production = environment['NODE_ENV'] === 'production';
  if (production && !environment['JWT_SECRET']) {
    problems.push('JWT_SECRET must be set in production: at least 32 characters, made at random');
  }
  problems.push(...missingOfBucket(environment), ...missingForMail(environment));
  if (!result.success || problems.length > 0) throw new SettingsError(problems);
  const { data } = result;
  return Object.freeze({
    production,
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    database: databaseSettings(data),
    migrateOnStart: data.MIGRATE_ON_START,
    logLevel: data.LOG_LEVEL,
    corsOrigins: data.CORS_ORIGINS,
    trustProxy: data.TRUST_PROXY,
    jwtSecret: data.JWT_SECRET,
    auth: authSettings(data),
    uploads: uploadSettings(data),
  });
}
