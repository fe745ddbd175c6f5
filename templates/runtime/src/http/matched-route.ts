/** The route of a request. */
import type { Context } from 'koa';

/** The route's pattern, such as `/api/articles/:id`; undefined if no router matched. Set once the request was handled. */
export function matchedRoute(ctx: Context): string | undefined {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown };
  return typeof route === 'string' ? route : undefined;
}
