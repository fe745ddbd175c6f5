/** Requirements of routes that send mail. */
import type { AuthContext } from '../context.ts';
import { applicationError } from '../refusals.ts';
import type { Mailer } from '../../../base/mailer.ts';

export interface MailParts {
  readonly mailer: Mailer;
  /** Base URL of links, from the settings: never from the Host header of a request. */
  readonly publicUrl: string;
  readonly resetPage: string;
}

/** Throws HttpError 400, naming the missing settings, if the server can't send mail. */
export function requireMail({ mailer, settings: { publicUrl, resetPage } }: AuthContext): MailParts {
  if (mailer && publicUrl !== undefined && resetPage !== undefined) return { mailer, publicUrl, resetPage };
  throw applicationError('This server sends no mail: SMTP_URL, MAIL_FROM and PUBLIC_URL are not set');
}
