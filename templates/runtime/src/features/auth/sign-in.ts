/** Signs in with a password, and renews sessions. */
import { sql } from '../../database/sql.ts';
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../base/password.ts';
import { type Account, accountById, accountByIdentifier } from './accounts.ts';
import { flatEntry } from '../../entries/documents/flat-answers.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import { flatFormat } from '../../query/format.ts';
import { customUserAttributes } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { wrongCredentials } from './refusals.ts';
import { newSession, type Session } from './sessions.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { checkSignIn } from './user-hooks.ts';
import { writeIfFound } from '../../write/write-if-found.ts';
import { parsedEntry } from '../../query/version-tag.ts';

/** A user, as shown to that user. */
export interface OwnUser {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Only if users have document ids. */
  readonly documentId?: string;
  readonly publishedAt?: string;
}

export interface SignedIn {
  readonly jwt: string;
  readonly user: OwnUser;
}

/** The user including the attributes that the schema adds, as in `/api/users/me`. */
async function wholeUser({ database, reader, types, userType, hooked }: AuthContext, id: number): Promise<OwnUser> {
  const whole = await reader.check(userType, {
    caller: hooked.server,
    query: EMPTY_QUERY,
    format: flatFormat(userType),
  });
  const entry = parsedEntry(await reader.entry(database, whole, id));
  return flatEntry({ types, type: userType }, entry) as OwnUser;
}

export async function ownUser(context: AuthContext, account: Account): Promise<OwnUser> {
  const { database, userType } = context;
  if (Object.keys(customUserAttributes(userType)).length > 0) return wholeUser(context, account.id);
  const { id, username, email, provider, confirmed, blocked, createdAt, updatedAt } = account;
  const user = { id, username, email, provider, confirmed, blocked, createdAt, updatedAt };
  if (!userType.documentIds) return user;
  const row = await database.get(sql`SELECT document_id FROM users WHERE id = ${id}`);
  const { id: _, ...rest } = user;
  return { id, documentId: String(row?.[COLUMN_NAMES.documentId]), ...rest, publishedAt: createdAt };
}

/** A JWT for an authenticated user, for a new session or for `session`. */
export async function startSession(
  context: AuthContext,
  account: Account,
  session: Pick<Session, 'id' | 'startedAt'> = newSession(),
): Promise<SignedIn> {
  const { id, startedAt } = session;
  const jwt = await context.sessions.sign({ userId: account.id, generation: account.tokenGeneration, id, startedAt });
  return { jwt, user: await ownUser(context, account) };
}

/** Whether the account may sign in, given the right password. */
export function maySignIn({ settings }: AuthContext, { blocked, confirmed }: Account): boolean {
  return blocked !== true && (confirmed === true || !settings.emailConfirmation);
}

/** Stores a hash with the current parameters, unless the password was changed concurrently. */
async function rehash({ database, userType }: AuthContext, { id, password }: Account, text: string): Promise<void> {
  const hash = await hashPassword(text);
  const update = sql`UPDATE users SET password = ${hash} WHERE id = ${id} AND password = ${password}`;
  await writeIfFound(database, { action: 'update', type: userType.uid, id }, { sql: update });
}

/** A name and a password, and the client that waits for the response. */
export interface Credentials extends Pick<CallContext, 'requestId'> {
  /** An email address or a user name. */
  readonly identifier: string;
  readonly password: string;
  readonly client: Client;
}

/**
 * The account with these credentials, if it may sign in. Whatever is wrong, throws the same HttpError 400 after the same time, so that
 * it does not reveal whether the account exists. Rethrows errors of `beforeSignIn`, which runs only if the password is right.
 */
export async function checkCredentials(
  context: AuthContext,
  { identifier, password, client, requestId }: Credentials,
): Promise<Account> {
  const account = await accountByIdentifier(context.database, identifier);
  const isLocal = account !== undefined && (account.provider ?? 'local') === 'local';
  const isRight = await verifyPassword(password, isLocal ? account.password : null, client);
  if (!account || !isRight || !maySignIn(context, account)) {
    context.audit?.refused('sign-in.failed', undefined);
    throw wrongCredentials();
  }
  await checkSignIn(context, account, { by: 'password', requestId });
  if (account.password !== null && needsRehash(account.password)) await rehash(context, account, password);
  return account;
}

/**
 * A new JWT for the session, which does not extend the session itself. Throws UnauthorizedError if the user is gone, and what
 * `beforeSignIn` throws.
 */
export async function refreshSession(
  context: AuthContext,
  session: Session,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<{ readonly jwt: string }> {
  const account = await accountById(context.database, session.userId);
  if (!account) throw new UnauthorizedError('Invalid credentials');
  await checkSignIn(context, account, { by: 'refresh', requestId });
  const { jwt } = await startSession(context, account, session);
  return { jwt };
}
