/** `GET /_health`: the process is alive. `GET /_ready`: it can serve — the database answers and is migrated. */
import type { Context, Middleware } from 'koa';

export function health(isReady: () => Promise<boolean>): Middleware {
  const answer = async (ctx: Context, isGood: () => boolean | Promise<boolean>): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    ctx.status = (await isGood()) ? 204 : 503;
  };
  return (ctx, next) => {
    const { path } = ctx;
    if (path === '/_health') return answer(ctx, () => true);
    return path === '/_ready' ? answer(ctx, isReady) : next();
  };
}
