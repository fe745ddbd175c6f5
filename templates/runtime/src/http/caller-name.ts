/** Who sends a request, for limits on what one caller may use. */
import type { Context } from 'koa';
import { UnauthorizedError } from '../contract/errors.ts';
import { normalizeAddress } from './address.ts';
import * as state from './state.ts';

/** Identifies a signed-in user by account, and any other caller by IP address; behind a trusted proxy, that of the proxy's client. */
export function callerName(ctx: Pick<Context, 'state' | 'ip'>): string {
  const caller = state.caller.get(ctx);
  const userId = caller instanceof UnauthorizedError ? undefined : caller?.userId;
  return userId === undefined ? normalizeAddress(ctx.ip) : `user ${userId}`;
}
