/** Puts Koa middleware around a handler. */
import type { Context, Middleware } from 'koa';

type Handler = (ctx: Context) => Promise<unknown>;

/** The handler inside of `middleware`, whose first element is the outermost. */
export function through(middleware: readonly Middleware[], handler: Handler): Handler {
  return middleware.reduceRight<Handler>((next, outer) => async (ctx) => outer(ctx, () => next(ctx)), handler);
}
