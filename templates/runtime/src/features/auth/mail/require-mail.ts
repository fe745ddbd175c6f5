/** What routes need that send mail. */
import type { AuthContext } from '../context.ts';
import { refused } from '../refusals.ts';
import type { Mailer } from './mailer.ts';

export interface MailParts {
  readonly mailer: Mailer;
  /** What links begin with: never what a request says. */
  readonly publicUrl: string;
  readonly resetPage: string;
}

/** Throws HttpError 400, saying which settings are missing, where the server can't send mail. */
export function requireMail({ mailer, settings: { publicUrl, resetPage } }: AuthContext): MailParts {
  if (mailer && publicUrl !== undefined && resetPage !== undefined) return { mailer, publicUrl, resetPage };
  throw refused('This server sends no mail: SMTP_URL, MAIL_FROM and PUBLIC_URL are not set');
}
