/** Who sends a request, for limits on what one caller may use. */
import type { Context } from 'koa';
import { UnauthorizedError } from '../contract/errors.ts';
import { clientAddress } from './address.ts';
import * as state from './state.ts';

/**
 * Identifies a signed-in user by account, a program by its API token, and any other caller by IP address; behind a trusted proxy, that
 * of the proxy's client.
 */
export function callerName(ctx: Pick<Context, 'state' | 'ip' | 'req'>): string {
  const found = state.caller.get(ctx);
  const caller = found instanceof UnauthorizedError ? undefined : found;
  if (caller?.userId !== undefined) return `user ${caller.userId}`;
  return caller?.tokenId === undefined ? clientAddress(ctx) : `token ${caller.tokenId}`;
}

/** Whether the caller of a request has no valid credentials. */
export function isAnonymous(ctx: Pick<Context, 'state'>): boolean {
  const caller = state.caller.get(ctx);
  return caller === undefined || caller instanceof UnauthorizedError || caller.kind === 'public';
}
