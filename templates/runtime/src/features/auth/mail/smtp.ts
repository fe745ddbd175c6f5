/** Mail by SMTP. */
import type { Mailer } from '../../../base/mailer.ts';
import { explainMissingPackage } from '../../../base/missing-module.ts';

export interface SmtpSettings {
  /** `smtp://user:password@host:587`, or `smtps://`. */
  readonly url: string;
  readonly from: string;
}

/** Timeout of each step of the SMTP dialogue, in milliseconds. */
const TIMEOUT = 20_000;

/** A mailer with a connection pool. */
export async function smtpMailer({ url, from }: SmtpSettings): Promise<Mailer> {
  const { createTransport } = await import('nodemailer').catch(explainMissingPackage('SMTP_URL', 'nodemailer@10'));
  const transport = createTransport(
    { url, pool: true, connectionTimeout: TIMEOUT, greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT },
    // Attachments by path or URL are never needed: disabled against injection.
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send({ to, subject, text }) {
      // An object is always a single address, whatever its text contains.
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
