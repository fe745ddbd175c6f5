/** Long query strings and bodies are processed one per turn of the event loop, so that a burst of them doesn't block short requests. */
import type { Context, Middleware } from 'koa';
import { clientOf } from '../base/client.ts';
import { createTurns } from '../base/turns.ts';
import { LONG_BODY, LONG_QUERY } from '../contract/limits.ts';

/** Shared by all requests of the process. */
const turns = createTurns();

/** Delays requests with a long query string until it is their turn. */
export function longQueries(): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring.length > LONG_QUERY) await turns(clientOf(ctx));
    return next();
  };
}

/** Waits until it is the turn of a request with a long body. `size`: of the received body, in bytes. */
export async function turnOfBody(ctx: Context, size: number): Promise<void> {
  if (size > LONG_BODY) await turns(clientOf(ctx));
}
