/** New passwords: by who knows the old one, and by who can read the user's mail. */
import { sql } from '../../database/sql.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { hashPassword, verifyPassword } from '../../base/password.ts';
import { accountByEmail, accountById, findAccounts, updateAccount, type Account } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { resetMail } from './mail/messages.ts';
import { requireMail } from './mail/require-mail.ts';
import { refused, wrongCode } from './refusals.ts';
import { createSecret, hashSecret } from './secrets.ts';
import { newSession, type Session } from './sessions.ts';
import { startSession, type SignedIn } from './sign-in.ts';

/** How long a code is good, in milliseconds. */
const LIFETIME = 3600_000;

interface NewPassword {
  readonly password: string;
  /** Who waits for it. */
  readonly client: Client;
}

/** A new password ends all sessions, but for one that is kept, and all codes for another password. */
async function newPassword(
  account: Account,
  { password, client, keptSession = null }: NewPassword & { readonly keptSession?: string | null | undefined },
) {
  return {
    password: await hashPassword(password, { client }),
    tokenGeneration: account.tokenGeneration + 1,
    keptSession,
    resetPasswordToken: null,
    resetPasswordExpiresAt: null,
  };
}

async function signInAgain(
  context: AuthContext,
  id: number,
  session?: Pick<Session, 'id' | 'startedAt'>,
): Promise<SignedIn> {
  context.users.forget(id);
  const account = await accountById(context.database, id);
  if (!account) throw new UnauthorizedError('Invalid credentials');
  return startSession(context, account, session);
}

/**
 * Ends every token that the user has by now, but for those of `session` where the settings say so, and answers one that is good.
 * Throws HttpError 400 for a wrong password, and for one that is the same.
 */
export async function changePassword(
  context: AuthContext,
  session: Session,
  { currentPassword, password, client }: NewPassword & { readonly currentPassword: string },
): Promise<SignedIn> {
  const { database, userType, settings } = context;
  const account = await accountById(database, session.userId);
  if (!account) throw new UnauthorizedError('Invalid credentials');
  if (!(await verifyPassword(currentPassword, account.password, client))) {
    throw refused('The provided current password is invalid');
  }
  if (currentPassword === password) throw refused('Your new password must be different than your current password');
  const keptSession = settings.keepSession ? session.id : null;
  const input = await newPassword(account, { password, client, keptSession });
  const unchanged = sql`id = ${account.id} AND token_generation = ${account.tokenGeneration}`;
  if (!(await updateAccount(database, userType, unchanged, input))) throw new UnauthorizedError('Invalid credentials');
  // The password was asked for: the session begins anew. It stays the same one if its other tokens stay good.
  const begun = newSession();
  return signInAgain(context, account.id, { ...begun, id: keptSession ?? begun.id });
}

/** Sends a code to the stored address of a user, if there is one. Nobody waits for it, so that nobody learns. */
export function sendResetCode(context: AuthContext, email: string): void {
  const { database, userType, background } = context;
  const { mailer, resetPage } = requireMail(context);
  background.run(async () => {
    const account = await accountByEmail(database, email);
    if (!account || account.blocked === true) return;
    const code = createSecret();
    const stored = await updateAccount(database, userType, sql`id = ${account.id}`, {
      resetPasswordToken: hashSecret(code),
      resetPasswordExpiresAt: new Date(Date.now() + LIFETIME).toISOString(),
    });
    if (stored) await mailer.send(resetMail({ to: account.email, page: resetPage, code }));
  });
}

/** Uses up a code. Who has it has read mail to the address, which is confirmed by that. Throws HttpError 400. */
export async function resetPassword(
  context: AuthContext,
  { code, password, client }: NewPassword & { readonly code: string },
): Promise<SignedIn> {
  const { database, userType } = context;
  const hash = hashSecret(code);
  const [account] = await findAccounts(database, sql`reset_password_token = ${hash}`);
  const isGood = account?.resetPasswordExpiresAt != null && Date.parse(account.resetPasswordExpiresAt) > Date.now();
  if (!account || !isGood || account.blocked === true) throw wrongCode();
  const input = { ...(await newPassword(account, { password, client })), confirmed: true };
  const unused = sql`id = ${account.id} AND reset_password_token = ${hash}`;
  if (!(await updateAccount(database, userType, unused, input))) throw wrongCode();
  return signInAgain(context, account.id);
}
