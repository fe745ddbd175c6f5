/** The header `Vary`. */
import type { Context } from 'koa';

/** Adds `names` to `Vary`. Faster than `ctx.vary`, because it does not check for duplicates: call it once for each name. */
export function varyBy(ctx: Context, names: string): void {
  const given = ctx.res.getHeader('Vary');
  ctx.res.setHeader('Vary', given === undefined ? names : `${String(given)}, ${names}`);
}
