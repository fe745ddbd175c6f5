/** What a route hands to the entries: who asks, and for what. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../contract/errors.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { AnyAction, Caller } from '../contract/policy/caller.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import { clientOf } from '../base/client.ts';
import * as state from './state.ts';

/** Who calls. Throws UnauthorizedError for credentials that are not valid. */
export function callerOf(ctx: Context): Caller {
  const caller = state.caller.get(ctx);
  if (caller === undefined || caller instanceof UnauthorizedError) throw caller ?? new UnauthorizedError();
  return caller;
}

/** To be called when the body is read: by then the files are known that came with it. */
export function requestOf(ctx: Context): EntryRequest {
  return { caller: callerOf(ctx), query: ctx.querystring, client: clientOf(ctx), ownFiles: state.ownFiles.get(ctx) };
}

/** Lets a request pass only if its credentials are valid, else 401, and the policy says that its caller may do this, else 403. */
export function allow(uid: string, action: AnyAction): Middleware {
  const permission = permissionName(uid, action);
  return (ctx, next) => {
    const { role, permissions } = callerOf(ctx);
    state.permission.set(ctx, permission);
    if (!permissions.has(permission)) throw new ForbiddenError({ reason: `${role} lacks ${permission}` });
    return next();
  };
}
