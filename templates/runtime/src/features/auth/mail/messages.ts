/** The mails to users. */
import type { Mail } from '../../../base/mailer.ts';

/**
 * A link with a secret in its query or, for a page that has a fragment, in that: browsers don't send it. `base` comes from the
 * settings, never from a request.
 */
function link(base: string, key: string, secret: string): string {
  const url = new URL(base);
  if (url.hash === '') url.searchParams.set(key, secret);
  else url.hash += `?${key}=${secret}`;
  return url.href;
}

export function resetMail(options: { readonly to: string; readonly page: string; readonly code: string }): Mail {
  const { to, page, code } = options;
  return {
    to,
    subject: 'Reset password',
    text: [
      'Someone, probably you, requested a new password for your account.',
      'Choose it here within one hour:',
      '',
      link(page, 'code', code),
      '',
      'If it was not you, ignore this message: your password stays unchanged.',
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
      'Please confirm your e-mail address:',
      '',
      link(new URL('api/auth/email-confirmation', publicUrl).href, 'confirmation', token),
      '',
      'If you did not register, ignore this message.',
      '',
    ].join('\n'),
  };
}
