/** Which route answers a request. */
import type { Context } from 'koa';

/** `/api/articles/:id`; undefined for a path that no router has. Known once the request is answered. */
export function matchedRoute(ctx: Context): string | undefined {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown };
  return typeof route === 'string' ? route : undefined;
}
