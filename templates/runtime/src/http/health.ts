/** `GET /_health`: the process is alive. `GET /_ready`: it can serve — the database answers and is migrated. */
import type { Middleware } from 'koa';

export function health(isReady: () => Promise<boolean>): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/_health' && ctx.path !== '/_ready') return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    ctx.status = ctx.path === '/_health' || (await isReady()) ? 204 : 503;
  };
}
