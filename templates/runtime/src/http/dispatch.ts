/** Dispatches by the first path segments, so that the cost does not grow with the number of content types. */
import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { lazyImport } from '../base/lazy-import.ts';
import { type RouteMount, routerOf } from './mount-routes.ts';

/** Routes with the middleware that handles them. */
export interface Dispatched {
  /** Their owner in error messages: `the feature auth`. */
  readonly owner: string;
  readonly paths: readonly string[];
  readonly middleware: Middleware;
}

/** In the order of the `Allow` header. */
const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The key of a path: `/api/articles` for everything below it, `/admin` outside of the API. */
function scopeOf(path: string): string {
  const lower = path.toLowerCase();
  const from = lower.startsWith('/api/') ? '/api/'.length : 1;
  const end = lower.indexOf('/', from);
  return end < 0 ? lower : lower.slice(0, end);
}

/** The methods that `router` supports for this path. */
function allowedMethods(router: Router, ctx: Context): string[] {
  const { path } = router.match(ctx.path, ctx.method);
  const allowed = new Set(path.flatMap((layer) => layer.methods));
  return METHODS.filter((method) => allowed.has(method));
}

/** Responds to OPTIONS with `Allow`, and to unsupported methods with 405. */
function answerMethod(ctx: Context, methods: readonly string[]): void {
  ctx.set('Allow', methods.join(', '));
  ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
  if (ctx.method === 'OPTIONS') ctx.body = '';
}

/** The router as middleware. Handles OPTIONS and unsupported methods of its paths if no later middleware responds. */
export function middlewareOf(router: Router): Middleware {
  const routes = router.routes() as unknown as Middleware;
  return async (ctx: Context, next: Next) => {
    let passed = false;
    await routes(ctx, () => {
      passed = true;
      return Promise.resolve();
    });
    if (!passed) return;
    await next();
    if (ctx.status !== 404 || (ctx.body !== undefined && ctx.body !== null)) return;
    const methods = allowedMethods(router, ctx);
    if (methods.length > 0) answerMethod(ctx, methods);
  };
}

/** The routes of a feature. The first request to one of them loads the handlers. */
export function dispatchedMount(owner: string, { routes, load }: RouteMount): Dispatched {
  const handlers = lazyImport(async () => load());
  const paths = routes.map(({ path }) => path);
  return dispatchedRouter(owner, paths, async () => routerOf(routes, await handlers()));
}

/** A lazy router: the first request to one of the paths loads it. If `load` fails, the next request tries again. */
export function dispatchedRouter(owner: string, paths: readonly string[], load: () => Promise<Router>): Dispatched {
  let loaded: Middleware | undefined;
  const first: Middleware = async (ctx, next) => {
    loaded = middlewareOf(await load());
    return loaded(ctx, next);
  };
  return { owner, paths, middleware: (ctx, next) => (loaded ?? first)(ctx, next) };
}

/** The routes with others before them, which the first request loads. */
export function before(routes: Dispatched, load: () => Promise<Middleware>): Dispatched {
  const further = lazyImport(load);
  return {
    ...routes,
    middleware: async (ctx, next) => (await further())(ctx, () => routes.middleware(ctx, next)),
  };
}

/**
 * Both routes of one scope. Throws if they could handle the same path: only a single type has no paths below its own,
 * so that it can be `/api/auth` beside `/api/auth/local`.
 */
function beside(one: Dispatched, other: Dispatched, scope: string): Dispatched {
  const isScope = (path: string): boolean => path.toLowerCase() === scope;
  const isApart = (here: Dispatched, there: Dispatched): boolean =>
    here.paths.filter((path) => scopeOf(path) === scope).every(isScope) && !there.paths.some(isScope);
  if (!isApart(one, other) && !isApart(other, one)) {
    throw new Error(`${one.owner} and ${other.owner} both have routes at ${scope}: one of them must move`);
  }
  return {
    owner: one.owner,
    paths: [...one.paths, ...other.paths],
    middleware: (ctx, next) => one.middleware(ctx, () => other.middleware(ctx, next)),
  };
}

/** Combines all routes into one middleware. Throws if two would handle the same paths. */
export function dispatch(all: readonly Dispatched[]): Middleware {
  const byScope = new Map<string, Dispatched>();
  for (const part of all) {
    for (const scope of new Set(part.paths.map(scopeOf))) {
      const other = byScope.get(scope);
      byScope.set(scope, other ? beside(other, part, scope) : part);
    }
  }
  return (ctx, next) => {
    const found = byScope.get(scopeOf(ctx.path));
    return found ? found.middleware(ctx, next) : next();
  };
}
