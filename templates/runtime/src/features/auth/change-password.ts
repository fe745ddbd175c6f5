/** Changes passwords, with the old one or with a code that was mailed to the user. */
import { sql } from '../../database/sql.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { hashPassword, verifyPassword } from '../../base/password.ts';
import { type Account, accountByEmail, accountById, changeAccount, findAccounts } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { resetMail } from './mail/messages.ts';
import { requireMail } from './mail/require-mail.ts';
import { applicationError, wrongCode } from './refusals.ts';
import { createSecret, hashSecret } from './secrets.ts';
import { newSession, type Session } from './sessions.ts';
import { type SignedIn, startSession } from './sign-in.ts';
import { checkSignIn } from './user-hooks.ts';

/** Lifetime of a code, in milliseconds. */
const LIFETIME = 3_600_000;

interface NewPassword {
  readonly password: string;
  /** The client of the request; if it disconnects, nothing is hashed. */
  readonly client: Client;
  readonly requestId?: string | undefined;
}

/** Column values that set a new password, end all sessions except `keptSession`, and invalidate pending codes. */
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
 * Changes the password, which invalidates all JWTs of the user (except those of `session`, with `keepSession`), and
 * returns a new one. Throws HttpError 400 if the current password is wrong, or the new one is the same.
 */
export async function changePassword(
  context: AuthContext,
  session: Session,
  { currentPassword, password, client, requestId }: NewPassword & { readonly currentPassword: string },
): Promise<SignedIn> {
  const { database, userType, settings } = context;
  const account = await accountById(database, session.userId);
  if (!account) throw new UnauthorizedError('Invalid credentials');
  if (!(await verifyPassword(currentPassword, account.password, client))) {
    throw applicationError('The provided current password is invalid');
  }
  if (currentPassword === password) {
    throw applicationError('Your new password must be different than your current password');
  }
  await checkSignIn(context, account, { by: 'change-password', requestId });
  const keptSession = settings.keepSession ? session.id : null;
  const input = await newPassword(account, { password, client, keptSession });
  const condition = sql`token_generation = ${account.tokenGeneration}`;
  const isUnchanged = await changeAccount(database, userType, { id: account.id, condition, input });
  if (!isUnchanged) throw new UnauthorizedError('Invalid credentials');
  // Like a new sign-in, since the password was checked. A kept session keeps its id, so that its other JWTs stay valid.
  const begun = newSession();
  return signInAgain(context, account.id, { ...begun, id: keptSession ?? begun.id });
}

/**
 * Mails a code to a user, if there is one. Runs in the background: the response time must not reveal whether the
 * account exists. `isOfPanel`: the code is for the page of the admin panel.
 */
export function sendResetCode(context: AuthContext, email: string, isOfPanel: boolean): void {
  const { database, userType, background } = context;
  const { mailer, publicUrl, resetPage } = requireMail(context);
  const page = isOfPanel ? new URL('admin/#/reset', publicUrl).href : resetPage;
  background.run(async () => {
    const account = await accountByEmail(database, email);
    if (!account || account.blocked === true) return;
    const code = createSecret();
    const input = {
      resetPasswordToken: hashSecret(code),
      resetPasswordExpiresAt: new Date(Date.now() + LIFETIME).toISOString(),
    };
    if (await changeAccount(database, userType, { id: account.id, input })) {
      await mailer.send(resetMail({ to: account.email, page, code }));
    }
  });
}

/**
 * Sets a new password with a code, which is single-use. The code also proves that the address is the user's, so it is
 * confirmed. Throws HttpError 400.
 */
export async function resetPassword(
  context: AuthContext,
  { code, password, client, requestId }: NewPassword & { readonly code: string },
): Promise<SignedIn> {
  const { database, userType } = context;
  const hash = hashSecret(code);
  const [account] = await findAccounts(database, sql`reset_password_token = ${hash}`);
  const isGood = account?.resetPasswordExpiresAt != null && Date.parse(account.resetPasswordExpiresAt) > Date.now();
  if (!account || !isGood || account.blocked === true) throw wrongCode();
  await checkSignIn(context, account, { by: 'reset-password', requestId });
  const input = { ...(await newPassword(account, { password, client })), confirmed: true };
  const condition = sql`reset_password_token = ${hash}`;
  if (!(await changeAccount(database, userType, { id: account.id, condition, input }))) throw wrongCode();
  return signInAgain(context, account.id);
}
