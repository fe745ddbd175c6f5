/** Chooses how a server sends mail. */
import type { Mailer } from '../base/mailer.ts';
import type { AuthSettings } from '../features/auth/auth-settings.ts';
import { logMailer } from '../features/auth/mail/log-mailer.ts';
import { smtpMailer } from '../features/auth/mail/smtp.ts';
import type { Logger } from '../http/log.ts';

interface MailSettings {
  readonly production: boolean;
  readonly auth: Pick<AuthSettings, 'smtp'>;
}

/** The project's own mailer, or else SMTP, or else the log; undefined in production without either of the first two. */
export async function openMailer(
  own: Mailer | undefined,
  { production, auth }: MailSettings,
  logger: Pick<Logger, 'info'>,
): Promise<Mailer | undefined> {
  if (own) return own;
  if (auth.smtp) return smtpMailer(auth.smtp);
  return production ? undefined : logMailer(logger);
}

/** The mailer for the project's code if the server sends no mail: rejects with a message that says what to set. */
export const NO_MAIL: Pick<Mailer, 'send'> = {
  send: ({ subject }) =>
    Promise.reject(new Error(`"${subject}" can't be sent: this server sends no mail. Set SMTP_URL and MAIL_FROM.`)),
};
