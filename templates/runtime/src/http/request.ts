/** Caller and query of a request, for services. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../contract/errors.ts';
import type { CallContext, EntryRequest } from '../query/entry-request.ts';
import type { EntryQuery } from '../query/entry-query.ts';
import { parseQuery } from '../query/parse-query-string.ts';
import type { AnyAction, Caller } from '../contract/policy/caller.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import { knownAnswersOf, preconditionsOf } from './conditions.ts';
import { clientOf } from './client.ts';
import * as state from './state.ts';

/** The caller. Throws UnauthorizedError if the credentials are invalid. */
export function callerOf(ctx: Context): Caller {
  const caller = state.caller.get(ctx);
  if (caller === undefined || caller instanceof UnauthorizedError) throw caller ?? new UnauthorizedError();
  return caller;
}

/** The caller with the request id. Throws UnauthorizedError if the credentials are invalid. */
export function callContextOf(ctx: Context): CallContext {
  return { caller: callerOf(ctx), requestId: state.requestId.get(ctx), key: state.requestKey.get(ctx) };
}

function queryIn(ctx: Context): EntryQuery {
  return state.parsedQuery.get(ctx) ?? parseQuery(ctx.querystring);
}

/** The request for services that read or create entries. Call it after reading the body, which may contain files. */
export function requestOf(ctx: Context): EntryRequest {
  // Property by property: in V8, literals that begin with a spread get hidden classes of their own.
  return {
    caller: callerOf(ctx),
    requestId: state.requestId.get(ctx),
    key: state.requestKey.get(ctx),
    query: queryIn(ctx),
    format: state.format.get(ctx),
    client: clientOf(ctx, state.readPoint.get(ctx)),
    ownFiles: state.ownFiles.get(ctx),
    isKnown: knownAnswersOf(ctx),
    expected: undefined,
  };
}

/**
 * The request for services that change or delete the entry in the path, with its preconditions `If-Match` and `If-None-Match`. Throws
 * PreconditionRequiredError if the settings require a precondition that is missing.
 */
export function changeOf(ctx: Context): EntryRequest {
  return {
    caller: callerOf(ctx),
    requestId: state.requestId.get(ctx),
    key: state.requestKey.get(ctx),
    query: queryIn(ctx),
    format: state.format.get(ctx),
    client: clientOf(ctx),
    ownFiles: state.ownFiles.get(ctx),
    isKnown: undefined,
    expected: preconditionsOf(ctx),
  };
}

/** Rejects a request with 401 if its credentials are invalid, and with 403 if its caller has neither permission. */
export function allow(uid: string, action: AnyAction, or?: AnyAction): Middleware {
  return requirePermission(permissionName(uid, action), or && permissionName(uid, or));
}

/** Like `allow`, but with the name of the permission. Undefined: only rejects invalid credentials. */
export function requirePermission(permission: string | undefined, or?: string): Middleware {
  return (ctx, next) => {
    const { role, permissions } = callerOf(ctx);
    if (permission === undefined) return next();
    state.permission.set(ctx, permission);
    const isPermitted = permissions.has(permission) || (or !== undefined && permissions.has(or));
    if (!isPermitted) throw new ForbiddenError({ reason: `${role} lacks ${permission}` });
    return next();
  };
}
