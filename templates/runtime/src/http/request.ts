/** What a route hands to the entries: who asks, and for what. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError } from '../errors.ts';
import type { EntryRequest } from '../entries/service.ts';
import { may, type Action, type Caller, type UploadAction } from '../policy/caller.ts';

export function callerOf(ctx: Context): Caller {
  return ctx.state['caller'] as Caller;
}

export function requestOf(ctx: Context): EntryRequest {
  return { caller: callerOf(ctx), query: ctx.querystring };
}

/** Lets a request pass only if the policy says that its caller may do this. */
export function allow(uid: string, action: Action | UploadAction): Middleware {
  return (ctx, next) => {
    if (!may(callerOf(ctx), action, uid)) throw new ForbiddenError();
    return next();
  };
}
