/** Dispatches by the first path segment, so that the cost does not grow with the number of content types. */
import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { late } from '../base/late.ts';

/** Lazily loaded routes. */
export interface LateRouter {
  /** The common path prefix, such as `/api/auth`. */
  readonly prefix: string;
  load(): Promise<Router>;
}

const PREFIX = /^\/api\/([^/]+)/i;

/** In the order of the `Allow` header. */
const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'DELETE'];

/** The methods that `router` supports for this path. */
function allowedMethods(router: Router, ctx: Context): string[] {
  const { path } = router.match(ctx.path, ctx.method);
  const allowed = new Set(path.flatMap((layer) => layer.methods));
  return METHODS.filter((method) => allowed.has(method));
}

/** Answers OPTIONS with `Allow`, and unsupported methods with 405. */
function answerMethod(ctx: Context, methods: readonly string[]): void {
  ctx.set('Allow', methods.join(', '));
  ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
  if (ctx.method === 'OPTIONS') ctx.body = '';
}

function middlewareOf(router: Router): Middleware {
  const routes = router.routes() as unknown as Middleware;
  return async (ctx: Context, next: Next) => {
    let passed = false;
    await routes(ctx, () => {
      passed = true;
      return Promise.resolve();
    });
    if (!passed) return;
    const methods = allowedMethods(router, ctx);
    if (methods.length > 0) answerMethod(ctx, methods);
    else await next();
  };
}

function loadedLate(router: LateRouter): Middleware {
  const load = late(async () => middlewareOf(await router.load()));
  return async (ctx, next) => (await load())(ctx, next);
}

function isLate(router: Router | LateRouter): router is LateRouter {
  return 'load' in router;
}

function mounted(router: Router | LateRouter): { readonly prefix: string; readonly middleware: Middleware } {
  return isLate(router)
    ? { prefix: router.prefix, middleware: loadedLate(router) }
    : { prefix: router.opts.prefix ?? '', middleware: middlewareOf(router) };
}

/** One middleware for all built-in and generated routers, each of which owns one path segment below `/api/`. */
export function dispatch(routers: readonly (Router | LateRouter)[]): Middleware {
  const bySegment = new Map<string, Middleware>();
  for (const router of routers) {
    const { prefix, middleware } = mounted(router);
    const segment = PREFIX.exec(prefix)?.[1];
    if (segment === undefined) throw new Error(`a generated router needs a prefix below /api/, not ${prefix}`);
    bySegment.set(segment.toLowerCase(), middleware);
  }
  return (ctx, next) => {
    const segment = PREFIX.exec(ctx.path)?.[1]?.toLowerCase();
    const found = segment === undefined ? undefined : bySegment.get(segment);
    return found ? found(ctx, next) : next();
  };
}
