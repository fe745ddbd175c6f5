/** What a route hands to the entries: who asks, and for what. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../errors.ts';
import type { EntryRequest } from '../entries/service.ts';
import { may, type AnyAction, type Caller } from '../policy/caller.ts';
import { clientOf } from './client.ts';

/** Who calls. Throws UnauthorizedError for credentials that are not valid. */
export function callerOf(ctx: Context): Caller {
  const caller = ctx.state['caller'] as Caller | UnauthorizedError;
  if (caller instanceof UnauthorizedError) throw caller;
  return caller;
}

export function requestOf(ctx: Context): EntryRequest {
  return { caller: callerOf(ctx), query: ctx.querystring, client: clientOf(ctx) };
}

/** Lets a request pass only if its credentials are valid, else 401, and the policy says that its caller may do this, else 403. */
export function allow(uid: string, action: AnyAction): Middleware {
  return (ctx, next) => {
    if (!may(callerOf(ctx), action, uid)) throw new ForbiddenError();
    return next();
  };
}
