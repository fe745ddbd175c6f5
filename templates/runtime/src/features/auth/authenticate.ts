/**
 * Authenticates requests. Invalid credentials are reported lazily, when a route asks for the caller, so that unknown
 * paths stay 404.
 */
import type { Context, Middleware, Next } from 'koa';
import * as state from '../../http/state.ts';
import { type Authenticator, credentialsOf } from './authenticator.ts';
import { UnauthorizedError } from '../../contract/errors.ts';

async function recognise(ctx: Context, next: Next, authenticator: Authenticator): Promise<void> {
  await authenticator.refresh();
  const credentials = credentialsOf(ctx.get('authorization'));
  if (credentials === undefined) {
    state.caller.set(ctx, authenticator.publicCaller());
    await next();
    return;
  }
  // Responses to authenticated callers must not be cached.
  ctx.res.setHeader('Cache-Control', 'private, no-store');
  try {
    state.caller.set(ctx, await authenticator.caller(credentials));
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    state.caller.set(ctx, error);
  }
  await next();
  if (ctx.status < 400) authenticator.used(credentials);
}

/** Sets the caller for `callerOf`. Without credentials, or with another scheme than Bearer, that is the public. */
export function authenticate(authenticator: Authenticator): Middleware {
  return (ctx, next) => {
    if (ctx.get('authorization') !== '' || authenticator.refresh()) return recognise(ctx, next, authenticator);
    state.caller.set(ctx, authenticator.publicCaller());
    return next();
  };
}
