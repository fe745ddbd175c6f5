/** The settings of authentication, and their environment variables. */
import {
  flag,
  matching,
  optional,
  type ReadText,
  urlOf,
  type ValuesOf,
  webUrl,
  wholeNumber,
  withDefault,
} from '../../base/environment.ts';
import { DEFAULT_PASSWORD_COST } from '../../base/password.ts';
import { err, ok } from '../../contract/values/cast-result.ts';
import { parseDuration } from './duration.ts';
import type { SmtpSettings } from './mail/smtp.ts';

export interface AuthSettings {
  /** Lifetime of a JWT, in seconds. */
  readonly tokenLifetime: number;
  /** Lifetime of a session from the sign-in, including renewals, in seconds. */
  readonly sessionLifetime: number;
  /** Sessions of the admin page, in seconds: how long they last without a request, and since the sign-in. */
  readonly adminSession: { readonly idle: number; readonly lifetime: number };
  /** Whether the session in which the password is changed stays valid; all others of the user end. */
  readonly keepSession: boolean;
  /** Attempts per minute; 0 disables the limits. */
  readonly rateLimit: number;
  /** Whether anyone may register. */
  readonly registration: boolean;
  /** Whether new users must confirm their email address before they can sign in. */
  readonly emailConfirmation: boolean;
  /** Base URL of links in mails, ending in `/`. Undefined if no mail is sent. */
  readonly publicUrl: string | undefined;
  /** The page where users set a new password, with the code from the mail. */
  readonly resetPage: string | undefined;
  /** Redirect target after an address was confirmed. */
  readonly confirmedPage: string | undefined;
  readonly smtp: SmtpSettings | undefined;
  /** The cost of password hashes: see `setPasswordCost`. */
  readonly passwordCost: number;
}

const withSlash = (url: string): string => url.replace(/\/*$/, '/');

const duration: ReadText<number> = (text) => {
  const seconds = parseDuration(text);
  if (seconds === undefined) return err('must be a duration such as 30d, 12h or 15m');
  return seconds > 0 ? ok(seconds) : err('must be longer than zero');
};

/** In seconds. */
const HOUR = 3600;
const DAY = 24 * HOUR;

/** scrypt's N is 2 to this power. The largest takes 256 MiB and two seconds per hash. */
const PASSWORD_COSTS = { lowest: 4, highest: 18 } as const;

/** Problems about settings that are too weak for production. */
export function weakInProduction({ AUTH_PASSWORD_COST: cost }: NodeJS.ProcessEnv): string[] {
  if (!cost || Number(cost) >= DEFAULT_PASSWORD_COST) return [];
  return [`AUTH_PASSWORD_COST must be at least ${DEFAULT_PASSWORD_COST} in production: lower ones are for tests`];
}

const page = webUrl('must be a URL such as https://example.org');

export const authVariables = {
  JWT_EXPIRES_IN: withDefault(duration, 30 * DAY),
  AUTH_SESSION_LIFETIME: optional(duration),
  ADMIN_SESSION_IDLE: withDefault(duration, 12 * HOUR),
  ADMIN_SESSION_LIFETIME: withDefault(duration, 7 * DAY),
  AUTH_KEEP_SESSION: withDefault(flag, false),
  AUTH_PASSWORD_COST: withDefault(wholeNumber(PASSWORD_COSTS.lowest, PASSWORD_COSTS.highest), DEFAULT_PASSWORD_COST),
  AUTH_RATE_LIMIT: withDefault(wholeNumber(0, 999_999_999), 10),
  AUTH_REGISTRATION: withDefault(flag, true),
  AUTH_EMAIL_CONFIRMATION: withDefault(flag, false),
  PUBLIC_URL: optional(page),
  PASSWORD_RESET_URL: optional(page),
  EMAIL_CONFIRMED_URL: optional(page),
  SMTP_URL: optional(urlOf(/^smtps?:$/u, 'must be smtp://user:password@host:port or smtps://…')),
  MAIL_FROM: optional(matching(/^.{3,}$/su, 'must be an address such as Name <name@example.org>')),
};

/** Problems about variables that are missing although mail is enabled. */
export function missingForMail(environment: NodeJS.ProcessEnv): string[] {
  const because = environment['SMTP_URL'] ? 'SMTP_URL is' : undefined;
  const names = because === undefined ? [] : ['MAIL_FROM', 'PUBLIC_URL'].filter((name) => !environment[name]);
  return names.map((name) => `${name} must be set, because ${because}`);
}

/** Settings from parsed variables. `ownUrl`: default of PUBLIC_URL. */
export function authSettings(data: ValuesOf<typeof authVariables>, ownUrl: string | undefined): AuthSettings {
  const publicUrl = data.PUBLIC_URL === undefined ? ownUrl : withSlash(data.PUBLIC_URL);
  const { SMTP_URL: url, MAIL_FROM: from } = data;
  return {
    tokenLifetime: data.JWT_EXPIRES_IN,
    sessionLifetime: data.AUTH_SESSION_LIFETIME ?? Math.max(90 * DAY, data.JWT_EXPIRES_IN),
    adminSession: { idle: data.ADMIN_SESSION_IDLE, lifetime: data.ADMIN_SESSION_LIFETIME },
    keepSession: data.AUTH_KEEP_SESSION,
    passwordCost: data.AUTH_PASSWORD_COST,
    rateLimit: data.AUTH_RATE_LIMIT,
    registration: data.AUTH_REGISTRATION,
    emailConfirmation: data.AUTH_EMAIL_CONFIRMATION,
    publicUrl,
    resetPage: data.PASSWORD_RESET_URL ?? (publicUrl && new URL('reset-password', publicUrl).href),
    confirmedPage: data.EMAIL_CONFIRMED_URL,
    smtp: url !== undefined && from !== undefined ? { url, from } : undefined,
  };
}
