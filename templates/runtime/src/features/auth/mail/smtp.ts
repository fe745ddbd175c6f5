/** Mail by SMTP. */
import type { Mailer } from './mailer.ts';

export interface SmtpSettings {
  /** `smtp://user:password@host:587`, or `smtps://`. */
  readonly url: string;
  readonly from: string;
}

/** How long a mail server may take for a step, in milliseconds. */
const TIMEOUT = 20_000;

/** A mailer that keeps its connections. */
export async function smtpMailer({ url, from }: SmtpSettings): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    { url, pool: true, connectionTimeout: TIMEOUT, greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT },
    // Texts are ours and addresses are stored ones: nothing is read from files or fetched.
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send({ to, subject, text }) {
      // As an object, an address is one address, whatever is in it.
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
