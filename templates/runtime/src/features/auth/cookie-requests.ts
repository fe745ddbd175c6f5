/** Requests with a session in a cookie: see `session-cookie.ts`. */
import type { Context } from 'koa';
import { type Account, accountById } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { newSession, type Session } from './sessions.ts';

/** The session of the cookie that a request counts by. */
export async function cookieSession({ cookie }: AuthContext, ctx: Context): Promise<Session | undefined> {
  const token = cookie?.read(ctx);
  return token === undefined ? undefined : cookie?.sessions.verify(token);
}

/** Begins a session, and sets its cookie. Its id is always a new one. */
export async function startCookie({ cookie, settings }: AuthContext, ctx: Context, account: Account): Promise<void> {
  const { id: userId, tokenGeneration: generation } = account;
  const token = await cookie?.sessions.sign({ userId, generation, ...newSession() });
  if (token !== undefined) cookie?.write(ctx, token, settings.tokenLifetime);
}

/** Where a request that has ended all sessions of its user came by a cookie, begins another one. */
export async function renewCookie(context: AuthContext, ctx: Context, { userId }: Session): Promise<void> {
  if (context.cookie?.read(ctx) === undefined) return;
  const account = await accountById(context.database, userId);
  if (account) await startCookie(context, ctx, account);
}
