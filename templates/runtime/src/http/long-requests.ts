/** Long query strings and bodies, which are begun in turns: what is sent at once does not hold up what is sent meanwhile. */
import type { Context, Middleware } from 'koa';
import { clientOf } from '../base/client.ts';
import { createTurns } from '../base/turns.ts';
import { LONG_BODY, LONG_QUERY } from '../contract/limits.ts';

/** Of the one thread that a process has. */
const turns = createTurns();

/** Waits for its turn with a long query string. */
export function longQueries(): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring.length > LONG_QUERY) await turns(clientOf(ctx));
    return next();
  };
}

/** The same with a body of `size` bytes, which has arrived. */
export async function turnOfBody(ctx: Context, size: number): Promise<void> {
  if (size > LONG_BODY) await turns(clientOf(ctx));
}
