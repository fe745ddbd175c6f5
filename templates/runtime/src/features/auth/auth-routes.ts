/** `/api/auth`: registration, sign-in, passwords, email confirmation. */
import type { Context } from 'koa';
import { readObject } from '../../http/body.ts';
import { isOfPage } from '../../http/page-request.ts';
import { clientOf } from '../../http/client.ts';
import type { AUTH_ROUTES } from '../../contract/routes/auth.ts';
import type { Handler, Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callContextOf, callerOf } from '../../http/request.ts';
import { UnauthorizedError, ValidationError } from '../../contract/errors.ts';
import { normalizeEmail } from './accounts.ts';
import { credentialsOf } from './authenticator.ts';
import {
  changePasswordFields,
  checkBody,
  emailFields,
  endSessionsFields,
  repeatedPassword,
  resetPasswordFields,
  userFields,
} from './bodies.ts';
import { changePassword, resetPassword, sendResetCode } from './change-password.ts';
import { confirmEmail, sendConfirmation } from './confirm-email.ts';
import type { AuthContext } from './context.ts';
import { endSessions } from './end-sessions.ts';
import { requireMail } from './mail/require-mail.ts';
import { requireUserId } from './refusals.ts';
import { register } from './register.ts';
import type { Session } from './sessions.ts';
import { cookieSession, renewCookie } from './cookie-requests.ts';
import { refreshSession, startSession } from './sign-in.ts';
import { accountOf, readSignIn, requestIn } from './sign-in-requests.ts';

type Values = Readonly<Record<string, string>>;

async function postSignIn(context: AuthContext, ctx: Context) {
  return startSession(context, await accountOf(context, ctx, await readSignIn(ctx)));
}

async function postRegister(context: AuthContext, ctx: Context) {
  const body = await readObject(ctx);
  await context.limits.take(ctx, 'register');
  const { unknownAttributes: unknownKeys, types } = context;
  const values = checkBody(userFields(context).registration, body, { unknownKeys, types });
  return register(context, { values, ...callContextOf(ctx), client: clientOf(ctx) });
}

/**
 * The session of a caller with a JWT. Throws UnauthorizedError for others, such as API tokens and cookie sessions: the response contains
 * a JWT, and scripts must not get one for a session that an HttpOnly cookie protects.
 */
async function sessionOf({ sessions }: AuthContext, ctx: Context): Promise<Session> {
  requireUserId(callerOf(ctx));
  const session = await sessions.verify(credentialsOf(ctx.get('authorization')) ?? '');
  if (!session) throw new UnauthorizedError();
  return session;
}

async function postChangePassword(context: AuthContext, ctx: Context) {
  const session = (await cookieSession(context, ctx)) ?? (await sessionOf(context, ctx));
  const account = String(session.userId);
  await context.limits.take(ctx, 'password', account);
  const values = checkBody(changePasswordFields, await readObject(ctx)) as Values;
  const answer = await changePassword(context, session, {
    currentPassword: values['currentPassword'] ?? '',
    password: repeatedPassword(values),
    ...requestIn(ctx),
  });
  await context.limits.succeeded(ctx, 'password', account);
  await renewCookie(context, ctx, session);
  return answer;
}

async function postEndSessions(context: AuthContext, ctx: Context): Promise<void> {
  const userId = requireUserId(callerOf(ctx));
  const { all } = checkBody(endSessionsFields, await readObject(ctx));
  if (all !== true) throw new ValidationError([{ path: ['all'], message: 'all must be true' }]);
  await endSessions(context, userId);
  if (context.cookie?.read(ctx) !== undefined) context.cookie.clear(ctx);
  ctx.status = 204;
}

async function postForgotPassword(context: AuthContext, ctx: Context) {
  const { email = '' } = checkBody(emailFields, await readObject(ctx)) as Values;
  requireMail(context);
  await context.limits.take(ctx, 'mail', normalizeEmail(email));
  sendResetCode(context, email, context.cookie !== undefined && isOfPage(ctx));
  return { ok: true };
}

async function postResetPassword(context: AuthContext, ctx: Context) {
  const values = checkBody(resetPasswordFields, await readObject(ctx)) as Values;
  await context.limits.take(ctx, 'reset');
  const password = repeatedPassword(values);
  return resetPassword(context, { code: values['code'] ?? '', password, ...requestIn(ctx) });
}

async function postSendConfirmation(context: AuthContext, ctx: Context) {
  const { email = '' } = checkBody(emailFields, await readObject(ctx)) as Values;
  requireMail(context);
  await context.limits.take(ctx, 'mail', normalizeEmail(email));
  sendConfirmation(context, email);
  return { email: normalizeEmail(email), sent: true };
}

async function getConfirmation(context: AuthContext, ctx: Context): Promise<void> {
  await context.limits.take(ctx, 'confirm');
  // HEAD must not change anything.
  if (ctx.method !== 'HEAD') await confirmEmail(context, ctx.query['confirmation']);
  const { confirmedPage } = context.settings;
  if (confirmedPage === undefined) ctx.body = JSON.stringify({ ok: true });
  else ctx.redirect(confirmedPage);
}

function answering(context: AuthContext, handle: (context: AuthContext, ctx: Context) => Promise<object>): Handler {
  return async (ctx) => {
    // Responses contain tokens, so they must not be cached.
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store');
    ctx.body = JSON.stringify(await handle(context, ctx));
  };
}

export function authHandlers(context: AuthContext): Handlers<IdsOf<typeof AUTH_ROUTES>> {
  return {
    signIn: answering(context, postSignIn),
    register: answering(context, postRegister),
    changePassword: answering(context, postChangePassword),
    forgotPassword: answering(context, postForgotPassword),
    resetPassword: answering(context, postResetPassword),
    sendEmailConfirmation: answering(context, postSendConfirmation),
    refreshSession: answering(context, async (_, ctx) =>
      refreshSession(context, await sessionOf(context, ctx), requestIn(ctx)),
    ),
    endSessions: (ctx) => postEndSessions(context, ctx),
    emailConfirmation: (ctx) => getConfirmation(context, ctx),
  };
}
