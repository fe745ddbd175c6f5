/** Expensive requests are processed one per turn of the event loop, so that a burst of them doesn't block short requests. */
import type { Context, Middleware } from 'koa';
import { clientOf } from './client.ts';
import { turnForLongWork } from '../base/long-work.ts';
import { LONG_BODY_SIZE, LONG_QUERY_LENGTH } from '../contract/limits.ts';

/** Delays requests with a long query string until it is their turn. */
export function delayLongQueries(): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring.length > LONG_QUERY_LENGTH) await turnForLongWork(clientOf(ctx));
    return next();
  };
}

/** Delays a request whose response describes all content types until it is its turn: that takes tens of milliseconds with hundreds of types. */
export async function waitForTurn(ctx: Context): Promise<void> {
  await turnForLongWork(clientOf(ctx));
}

/** Delays a request with a long body until it is its turn. `size` is that of the received body, in bytes. */
export async function waitForBodyTurn(ctx: Context, size: number): Promise<void> {
  if (size > LONG_BODY_SIZE) await turnForLongWork(clientOf(ctx));
}
