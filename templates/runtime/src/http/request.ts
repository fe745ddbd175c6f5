/** Caller and query of a request, for services. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../contract/errors.ts';
import type { Asker, EntryRequest } from '../query/entry-request.ts';
import { parseQuery } from '../query/parse-query-string.ts';
import type { AnyAction, Caller } from '../contract/policy/caller.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import { expectedChange, knownTagsOf } from './conditions.ts';
import { clientOf } from '../base/client.ts';
import * as state from './state.ts';

/** The caller. Throws UnauthorizedError if the credentials are invalid. */
export function callerOf(ctx: Context): Caller {
  const caller = state.caller.get(ctx);
  if (caller === undefined || caller instanceof UnauthorizedError) throw caller ?? new UnauthorizedError();
  return caller;
}

/** Who asks. Throws UnauthorizedError if the credentials are invalid. */
export function askerOf(ctx: Context): Asker {
  return { caller: callerOf(ctx), requestId: state.requestId.get(ctx) };
}

/** Call it after the body was read: only then the uploaded files are known. */
export function requestOf(ctx: Context): EntryRequest {
  // Property by property: an object that begins with a spread gets hidden classes of its own.
  return {
    caller: callerOf(ctx),
    requestId: state.requestId.get(ctx),
    query: parseQuery(ctx.querystring),
    format: state.format.get(ctx),
    client: clientOf(ctx, state.readPoint.get(ctx)),
    ownFiles: state.ownFiles.get(ctx),
    knownTags: knownTagsOf(ctx),
    expected: undefined,
  };
}

/**
 * The same of a request that changes or deletes the entry that its path names, with what it expects of that: `If-Match` and
 * `If-None-Match`. Throws PreconditionRequiredError where the settings ask for the former.
 */
export function changeOf(ctx: Context): EntryRequest {
  return {
    caller: callerOf(ctx),
    requestId: state.requestId.get(ctx),
    query: parseQuery(ctx.querystring),
    format: state.format.get(ctx),
    client: clientOf(ctx),
    ownFiles: state.ownFiles.get(ctx),
    knownTags: undefined,
    expected: expectedChange(ctx),
  };
}

/** Rejects a request with 401 if its credentials are invalid, and with 403 if its caller lacks the permission. */
export function allow(uid: string, action: AnyAction): Middleware {
  return need(permissionName(uid, action));
}

/** The same by the name of the permission; undefined: everybody passes, but for those whose credentials are not valid. */
export function need(permission: string | undefined): Middleware {
  return (ctx, next) => {
    const { role, permissions } = callerOf(ctx);
    if (permission === undefined) return next();
    state.permission.set(ctx, permission);
    if (!permissions.has(permission)) throw new ForbiddenError({ reason: `${role} lacks ${permission}` });
    return next();
  };
}
