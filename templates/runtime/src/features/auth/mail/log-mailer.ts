/** Mail while somebody develops: nothing is sent, what would be is in the log. */
import type { Logger } from '../../../http/log.ts';
import type { Mailer } from './mailer.ts';

/** A mailer whose mails are read in the log, links with their codes too: never for production. */
export function logMailer(logger: Pick<Logger, 'info'>): Mailer {
  return {
    send({ to, subject, text }) {
      logger.info(`SMTP_URL is not set, so this mail is only printed.\nTo: ${to}\nSubject: ${subject}\n\n${text}`);
      return Promise.resolve();
    },
  };
}
