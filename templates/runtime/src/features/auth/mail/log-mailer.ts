/** A mailer for development, which logs mails instead of sending them. */
import type { Logger } from '../../../http/log.ts';
import type { Mailer } from '../../../base/mailer.ts';

/** Logs mails, including secret links: never for production. */
export function logMailer(logger: Pick<Logger, 'info'>): Mailer {
  return {
    send({ to, subject, text }) {
      logger.info(`SMTP_URL is not set, so this mail is only printed.\nTo: ${to}\nSubject: ${subject}\n\n${text}`);
      return Promise.resolve();
    },
  };
}
