/** Signing in to pages that the server itself delivers. */
import type { Context } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import type { PageAccounts, PageUser } from '../../http/page-accounts.ts';
import { callerOf } from '../../http/request.ts';
import { type Account, accountById } from './accounts.ts';
import { callerOfAccount } from './caller-of-account.ts';
import type { AuthContext } from './context.ts';
import { cookieSession, startCookie } from './cookie-requests.ts';
import { signedIn } from './refusals.ts';
import { accountOf, readSignIn } from './sign-in-requests.ts';

async function pageUser(context: AuthContext, account: Account): Promise<PageUser> {
  const { id, username, email, roleId } = account;
  const { role: type, permissions } = callerOfAccount(context, account);
  const row = await context.database.get(sql`SELECT name FROM user_roles WHERE id = ${roleId}`);
  return { user: { id, username, email }, role: { name: String(row?.['name'] ?? type), type }, permissions };
}

async function signIn(context: AuthContext, ctx: Context, permission: string): Promise<PageUser> {
  const credentials = await readSignIn(ctx);
  if (context.cookie?.isOwn(ctx) !== true) {
    throw new ForbiddenError('Signing in here needs the header X-Admin-Session: 1');
  }
  const account = await accountOf(context, ctx, credentials);
  const user = await pageUser(context, account);
  if (!user.permissions.has(permission)) {
    const message = `The role "${user.role.name}" may not use this page: it lacks the permission ${permission}`;
    throw new ForbiddenError({ message, reason: `${user.role.type} lacks ${permission}` });
  }
  await startCookie(context, ctx, account);
  return user;
}

async function current(context: AuthContext, ctx: Context): Promise<PageUser> {
  const account = await accountById(context.database, signedIn(callerOf(ctx)));
  if (!account) throw new UnauthorizedError('Invalid credentials');
  return pageUser(context, account);
}

async function signOut(context: AuthContext, ctx: Context): Promise<void> {
  const { cookie, ended, settings } = context;
  const session = await cookieSession(context, ctx);
  if (session?.id === undefined) return;
  await ended.add(session.id, session.startedAt + settings.sessionLifetime);
  cookie?.clear(ctx);
}

export function pageAccounts(context: AuthContext): PageAccounts {
  return {
    signIn: (ctx, permission) => signIn(context, ctx, permission),
    current: (ctx) => current(context, ctx),
    signOut: (ctx) => signOut(context, ctx),
  };
}
