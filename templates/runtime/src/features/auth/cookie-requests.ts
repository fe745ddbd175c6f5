/** Reads, starts and renews cookie sessions; see `session-cookie.ts`. */
import type { Context } from 'koa';
import { type Account, accountById } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { newSession, type Session } from './sessions.ts';

/** The session in the request's cookie; undefined without a valid one. */
export async function cookieSession({ cookie }: AuthContext, ctx: Context): Promise<Session | undefined> {
  const token = cookie?.read(ctx);
  return token === undefined ? undefined : cookie?.sessions.verify(token);
}

/** Starts a session, always with a new id, and sets its cookie. */
export async function startCookie({ cookie }: AuthContext, ctx: Context, account: Account): Promise<void> {
  const { id: userId, tokenGeneration: generation } = account;
  await cookie?.write(ctx, { userId, generation, ...newSession() });
}

/** After a request with a cookie has ended all sessions of its user, starts a new one. */
export async function renewCookie(context: AuthContext, ctx: Context, { userId }: Session): Promise<void> {
  if (context.cookie?.read(ctx) === undefined) return;
  const account = await accountById(context.database, userId);
  if (account) await startCookie(context, ctx, account);
}
