/** Accounts and cookie sessions for pages that the server itself serves. */
import type { Context } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import type { FirstUser, PageAccounts, PageUser } from '../../http/page-accounts.ts';
import { requirePageHeader } from '../../http/page-request.ts';
import { callerOf } from '../../http/request.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import { readRoles } from '../../access/role-rows.ts';
import { type Account, accountByEmail, accountById } from './accounts.ts';
import { callerOfAccount } from './caller-of-account.ts';
import type { AuthContext } from './context.ts';
import { cookieSession, startCookie } from './cookie-requests.ts';
import { usernameFor } from './new-user.ts';
import { requireUserId } from './refusals.ts';
import { accountOf, readSignIn, requestIn } from './sign-in-requests.ts';
import { usersService } from './users-service.ts';

async function pageUser(context: AuthContext, account: Account): Promise<PageUser> {
  const { id, username, email, roleId } = account;
  const { role: type, permissions } = callerOfAccount(context, account);
  const row = await context.database.get(sql`SELECT name FROM user_roles WHERE id = ${roleId}`);
  return { user: { id, username, email }, role: { name: String(row?.['name'] ?? type), type }, permissions };
}

async function signIn(context: AuthContext, ctx: Context, permission: string): Promise<PageUser> {
  const credentials = await readSignIn(ctx);
  requirePageHeader(ctx);
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
  const account = await accountById(context.database, requireUserId(callerOf(ctx)));
  if (!account) throw new UnauthorizedError('Invalid credentials');
  return pageUser(context, account);
}

async function signOut(context: AuthContext, ctx: Context): Promise<void> {
  const { cookie, ended, settings } = context;
  const session = await cookieSession(context, ctx);
  if (session?.id === undefined) return;
  await ended.add(session.id, session.startedAt + settings.adminSession.lifetime);
  cookie?.clear(ctx);
}

async function hasUserWith({ database, settings }: AuthContext, permission: string): Promise<boolean> {
  const { bind } = database.dialect;
  const isOpen = sql`(u.blocked IS NULL OR u.blocked <> ${bind('boolean', true)})`;
  const isConfirmed = settings.emailConfirmation ? sql`u.confirmed = ${bind('boolean', true)}` : sql`1 = 1`;
  const found = await database.get(
    sql`SELECT u.id FROM users AS u JOIN user_role_permissions AS p ON p.role_id = u.role_id WHERE p.action = ${permission} AND ${isOpen} AND ${isConfirmed} LIMIT 1`,
  );
  return found !== undefined;
}

async function roleWith({ database }: AuthContext, permission: string): Promise<string | undefined> {
  const roles = (await readRoles(database, false)).filter(({ permissions }) => permissions.includes(permission));
  return roles.sort((a, b) => b.permissions.length - a.permissions.length)[0]?.type;
}

/** Creates the user with the permissions of the server itself, running hooks, and signs them in. */
async function addUser(context: AuthContext, ctx: Context, user: FirstUser, role: string): Promise<PageUser> {
  requirePageHeader(ctx);
  await context.access.refresh();
  const { email } = user;
  const body = { username: usernameFor(email), ...user, role: context.access.roleOfType(role)?.id };
  const { server: caller } = context.hooked;
  await usersService(context).create(body, { caller, ...requestIn(ctx), query: EMPTY_QUERY });
  const account = await accountByEmail(context.database, email);
  if (!account) throw new Error('a user that was just created is gone');
  await startCookie(context, ctx, account);
  return pageUser(context, account);
}

export function pageAccounts(context: AuthContext): PageAccounts {
  return {
    signIn: (ctx, permission) => signIn(context, ctx, permission),
    current: (ctx) => current(context, ctx),
    signOut: (ctx) => signOut(context, ctx),
    resetsPasswords: () => context.mailer !== undefined && context.settings.publicUrl !== undefined,
    hasUserWith: (permission) => hasUserWith(context, permission),
    roleWith: (permission) => roleWith(context, permission),
    addUser: (ctx, user, role) => addUser(context, ctx, user, role),
  };
}
