/** Finds out who calls. What is wrong with credentials is said once a route asks who it is, not for paths that do not exist. */
import type { Context, Middleware, Next } from 'koa';
import * as state from '../../http/state.ts';
import { credentialsOf, type Authenticator } from './authenticator.ts';
import { UnauthorizedError } from '../../contract/errors.ts';

async function recognise(ctx: Context, next: Next, authenticator: Authenticator): Promise<void> {
  await authenticator.refresh();
  const credentials = credentialsOf(ctx.get('authorization'));
  if (credentials === undefined) {
    state.caller.set(ctx, authenticator.publicCaller());
    await next();
    return;
  }
  // What one caller is answered, nobody keeps for another.
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

/** Says who calls, for `callerOf`. Credentials of another scheme than Bearer, or none, are the public's. */
export function authenticate(authenticator: Authenticator): Middleware {
  return (ctx, next) => {
    if (ctx.get('authorization') !== '' || authenticator.refresh()) return recognise(ctx, next, authenticator);
    state.caller.set(ctx, authenticator.publicCaller());
    return next();
  };
}
