/**
 * Liveness probe `GET /_health`, and readiness probe `GET /_ready`, which responds with 503 and the reason if a check fails.
 */
import type { Context, Middleware } from 'koa';
import { HttpError } from '../contract/errors.ts';
import { HEALTH_ROUTES } from '../contract/routes/health.ts';
import { notReady, type ReadinessCheck } from './readiness.ts';

const isRead = (ctx: Context): boolean => ctx.method === 'GET' || ctx.method === 'HEAD';

function refuseMethod(ctx: Context): void {
  ctx.set('Allow', 'GET, HEAD');
  ctx.status = 405;
}

/** `checks` run in order, until one fails. */
export function health(checks: readonly ReadinessCheck[]): Middleware {
  const answerReady = async (ctx: Context): Promise<void> => {
    const problem = await notReady(checks);
    if (problem !== undefined) throw new HttpError(503, 'ServiceUnavailableError', `Not ready: ${problem}`);
    ctx.status = 204;
  };
  return (ctx, next) => {
    const route = HEALTH_ROUTES.find(({ path }) => path === ctx.path);
    if (!route) return next();
    if (!isRead(ctx)) return refuseMethod(ctx);
    if (route.id === 'ready') return answerReady(ctx);
    ctx.status = 204;
  };
}
