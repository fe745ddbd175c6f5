/**
 * Authenticates requests. Invalid credentials are reported lazily, when a route asks for the caller, so that unknown
 * paths stay 404.
 */
import type { Context, Middleware, Next } from 'koa';
import { atHost } from '../../entries/rules/rule-values.ts';
import { PRIVATE } from '../../http/reply.ts';
import * as state from '../../http/state.ts';
import { type Authenticator, credentialsOf } from './authenticator.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Sets the caller, or the error that explains why there is none. Responses to a caller are private: shared caches must not keep them. */
async function setCaller(ctx: Context, caller: Promise<Caller>): Promise<void> {
  ctx.res.setHeader('Cache-Control', PRIVATE);
  try {
    state.caller.set(ctx, atHost(await caller, ctx.hostname));
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    state.caller.set(ctx, error);
  }
}

async function recognize(ctx: Context, next: Next, authenticator: Authenticator): Promise<void> {
  await authenticator.refresh();
  const credentials = credentialsOf(ctx.get('authorization'));
  if (credentials === undefined) {
    state.caller.set(ctx, atHost(authenticator.publicCaller(), ctx.hostname));
    await next();
    return;
  }
  await setCaller(ctx, authenticator.caller(credentials));
  await next();
  if (ctx.status < 400) authenticator.used(credentials);
}

/** Sets the caller for `callerOf`: the public role without credentials, or with a scheme other than Bearer. */
export function authenticate(authenticator: Authenticator): Middleware {
  return (ctx, next) => {
    if (ctx.get('authorization') !== '' || authenticator.refresh()) return recognize(ctx, next, authenticator);
    state.caller.set(ctx, atHost(authenticator.publicCaller(), ctx.hostname));
    return next();
  };
}

async function recognizeCookie(
  ctx: Context,
  next: Next,
  { authenticator, cookie, token }: { authenticator: Authenticator; cookie: SessionCookie; token: string },
): Promise<void> {
  await authenticator.refresh();
  const identify = async (): Promise<Caller> => {
    const { caller, session } = await authenticator.cookieCaller(token);
    await cookie.keepAlive(ctx, session);
    return caller;
  };
  await setCaller(ctx, identify());
  await next();
}

/** Like `authenticate`, but also accepts session cookies. */
export function authenticateCookies(authenticator: Authenticator, cookie: SessionCookie): Middleware {
  const others = authenticate(authenticator);
  return (ctx, next) => {
    const token = cookie.read(ctx);
    return token === undefined ? others(ctx, next) : recognizeCookie(ctx, next, { authenticator, cookie, token });
  };
}
