/** What signing in can be told, and how the environment says it. */
import * as z from 'zod';
import { parseDuration } from './duration.ts';
import type { SmtpSettings } from './mail/smtp.ts';

export interface AuthSettings {
  /** Of sessions, in seconds. */
  readonly sessionLifetime: number;
  /** Tries a minute; 0: no limit. */
  readonly rateLimit: number;
  /** Whether everybody may register. */
  readonly registration: boolean;
  /** Whether a new user must confirm the address before signing in. */
  readonly emailConfirmation: boolean;
  /** What a link in a mail begins with, ending in `/`. Undefined where no mail is sent. */
  readonly publicUrl: string | undefined;
  /** The page that takes a new password, with the code of the mail. */
  readonly resetPage: string | undefined;
  /** Where a browser goes once an address is confirmed. */
  readonly confirmedPage: string | undefined;
  readonly smtp: SmtpSettings | undefined;
}

const flag = z.enum(['true', 'false'], { error: 'must be "true" or "false"' }).transform((text) => text === 'true');
const webUrl = z.url({ protocol: /^https?$/u, error: 'must be a URL such as https://example.org' });
const withSlash = (url: string): string => url.replace(/\/*$/, '/');

/** The variables of the environment, for the schema of all settings. */
export const authVariables = {
  JWT_EXPIRES_IN: z
    .string()
    .transform(parseDuration)
    .pipe(z.number('must be a time such as 30d, 12h or 15m').positive('must be longer'))
    .default(30 * 86_400),
  AUTH_RATE_LIMIT: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number')
    .transform(Number)
    .default(10),
  AUTH_REGISTRATION: flag.default(true),
  AUTH_EMAIL_CONFIRMATION: flag.default(false),
  PUBLIC_URL: webUrl.transform(withSlash).optional(),
  PASSWORD_RESET_URL: webUrl.optional(),
  EMAIL_CONFIRMED_URL: webUrl.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/u, error: 'must be smtp://user:password@host:port or smtps://…' }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
};

const variables = z.object(authVariables);

type AuthVariables = z.output<typeof variables>;

/** What is missing of the settings, by the names of the variables. */
export function missingForMail(environment: NodeJS.ProcessEnv): string[] {
  const because = environment['SMTP_URL'] ? 'SMTP_URL is' : undefined;
  const names = because === undefined ? [] : ['MAIL_FROM', 'PUBLIC_URL'].filter((name) => !environment[name]);
  return names.map((name) => `${name} must be set, because ${because}`);
}

/** The settings that checked variables make. */
export function authSettings(data: AuthVariables): AuthSettings {
  const publicUrl = data.PUBLIC_URL;
  const { SMTP_URL: url, MAIL_FROM: from } = data;
  return {
    sessionLifetime: data.JWT_EXPIRES_IN,
    rateLimit: data.AUTH_RATE_LIMIT,
    registration: data.AUTH_REGISTRATION,
    emailConfirmation: data.AUTH_EMAIL_CONFIRMATION,
    publicUrl,
    resetPage: data.PASSWORD_RESET_URL ?? (publicUrl && new URL('reset-password', publicUrl).href),
    confirmedPage: data.EMAIL_CONFIRMED_URL,
    smtp: url !== undefined && from !== undefined ? { url, from } : undefined,
  };
}
