/** Creates routers from rows of the table of routes and their handlers. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { Router as KoaRouter } from '../base/common-js.ts';
import type { MountedRoute } from '../contract/routes/entries.ts';
import { keyed } from './keyed.ts';
import { requirePermission } from './request.ts';

/** Handles a request, after the caller's permission was checked. */
export type Handler = (ctx: Context) => unknown;

/** Handlers by the ids of their routes. */
export type Handlers<Id extends string = string> = Readonly<Record<Id, Handler>>;

/** The ids in a table of routes. */
export type IdsOf<Table> = Table extends readonly { readonly id: infer Id extends string }[] ? Id : never;

/** Routes whose handlers are loaded by the first request to one of them. */
export interface RouteMount {
  readonly routes: readonly MountedRoute[];
  load(): Promise<Handlers> | Handlers;
}

/** A mount whose types ensure that each route has a handler, and each handler a route. */
export function mountRoutes<const Table extends readonly MountedRoute[]>(
  routes: Table,
  load: () => Promise<Handlers<IdsOf<Table>>>,
): RouteMount {
  return { routes, load };
}

/** `/api/users/{id}` → `/api/users/:id` */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

/** A router that checks each route's permission. Throws for a route without a handler, and for a handler without a route. */
export function routerOf(routes: readonly MountedRoute[], handlers: Handlers): Router {
  const ids = new Set(routes.map(({ id }) => id));
  const unknown = Object.keys(handlers).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`handlers without a route: ${unknown.join(', ')}`);
  const router = new KoaRouter();
  for (const { id, method, path, permission, keyed: isKeyed } of routes) {
    const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (!handler) throw new Error(`the route ${method} ${path} has no handler ${id}`);
    router.register(
      routerPath(path),
      [method],
      [requirePermission(permission), ...(isKeyed ? [keyed] : []), async (ctx: Context) => void (await handler(ctx))],
    );
  }
  return router;
}
