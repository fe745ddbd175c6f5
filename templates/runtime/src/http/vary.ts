/** `Vary`, as each answer has it. */
import type { Context } from 'koa';

/** Adds `names` to `Vary`, of which nobody has said any before: unlike `ctx.vary`, it does not parse what is there. */
export function varyBy(ctx: Context, names: string): void {
  const given = ctx.res.getHeader('Vary');
  ctx.res.setHeader('Vary', given === undefined ? names : `${String(given)}, ${names}`);
}
