/** The mails to users. */
import type { Mail } from '../../../base/mailer.ts';

/** A link with a secret in its query. `base` comes from the settings, never from a request. */
function link(base: string, key: string, secret: string): string {
  const url = new URL(base);
  url.searchParams.set(key, secret);
  return url.href;
}

export function resetMail(options: { readonly to: string; readonly page: string; readonly code: string }): Mail {
  const { to, page, code } = options;
  return {
    to,
    subject: 'Reset password',
    text: [
      'Somebody, probably you, asked for a new password of your account.',
      'Choose it here within the hour:',
      '',
      link(page, 'code', code),
      '',
      'If it was not you, nothing has to be done: your password stays as it is.',
      '',
    ].join('\n'),
  };
}

export function confirmationMail(options: {
  readonly to: string;
  readonly publicUrl: string;
  readonly token: string;
}): Mail {
  const { to, publicUrl, token } = options;
  return {
    to,
    subject: 'Account confirmation',
    text: [
      'Please confirm that this is your address:',
      '',
      link(new URL('api/auth/email-confirmation', publicUrl).href, 'confirmation', token),
      '',
      'If you did not register, nothing has to be done.',
      '',
    ].join('\n'),
  };
}
