/** Confirms that users own the address with which they registered. */
import { sql } from '../../database/sql.ts';
import { HttpError } from '../../contract/errors.ts';
import { accountByEmail, changeAccount, findAccounts } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { confirmationMail } from './mail/messages.ts';
import { requireMail } from './mail/require-mail.ts';
import { createSecret, hashSecret } from './secrets.ts';

/** Lifetime of a link, in milliseconds. */
const LIFETIME = 7 * 24 * 3_600_000;

/**
 * Mails a link to the user with this address, unless confirmed. Runs in the background: the response time must not
 * reveal whether the account exists.
 */
export function sendConfirmation(context: AuthContext, email: string): void {
  const { database, userType, background } = context;
  const { mailer, publicUrl } = requireMail(context);
  background.run(async () => {
    const account = await accountByEmail(database, email);
    if (!account || account.confirmed === true || account.blocked === true) return;
    const token = createSecret();
    const input = {
      confirmationToken: hashSecret(token),
      confirmationExpiresAt: new Date(Date.now() + LIFETIME).toISOString(),
    };
    if (await changeAccount(database, userType, { id: account.id, input })) {
      await mailer.send(confirmationMail({ to: account.email, publicUrl, token }));
    }
  });
}

function invalid(): HttpError {
  return new HttpError(400, 'ValidationError', 'Invalid token');
}

/**
 * Confirms the address to which the link was sent. Idempotent, since mail scanners open links, too. Throws HttpError
 * 400 if the link is invalid or expired.
 */
export async function confirmEmail({ database, userType }: AuthContext, token: unknown): Promise<void> {
  if (typeof token !== 'string' || token === '') throw invalid();
  const [account] = await findAccounts(database, sql`confirmation_token = ${hashSecret(token)}`);
  const isGood = account?.confirmationExpiresAt != null && Date.parse(account.confirmationExpiresAt) > Date.now();
  if (!account || !isGood || account.blocked === true) throw invalid();
  if (account.confirmed !== true) {
    await changeAccount(database, userType, { id: account.id, input: { confirmed: true } });
  }
}
