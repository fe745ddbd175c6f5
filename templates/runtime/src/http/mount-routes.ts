/** Routers out of rows of the table of routes and the functions that answer them. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { Router as KoaRouter } from '../base/common-js.ts';
import type { MountedRoute } from '../contract/routes/entries.ts';
import { need } from './request.ts';

/** Answers a request whose caller is permitted to make it. */
export type Handler = (ctx: Context) => unknown;

/** Handlers by the ids of their routes. */
export type Handlers<Id extends string = string> = Readonly<Record<Id, Handler>>;

/** The ids in a table of routes. */
export type IdsOf<Table> = Table extends readonly { readonly id: infer Id extends string }[] ? Id : never;

/** Routes with what loads their handlers: for the first request to one of them. */
export interface RouteMount {
  readonly routes: readonly MountedRoute[];
  load(): Promise<Handlers> | Handlers;
}

/** The compiler sees to it that each route has a handler, and each handler a route. */
export function mountRoutes<const Table extends readonly MountedRoute[]>(
  routes: Table,
  load: () => Promise<Handlers<IdsOf<Table>>>,
): RouteMount {
  return { routes, load };
}

/** `/api/users/{id}` → `/api/users/:id` */
function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

/** A router of these routes, each behind the permission that it needs. Throws for a route or a handler that lacks the other. */
export function routerOf(routes: readonly MountedRoute[], handlers: Handlers): Router {
  const ids = new Set(routes.map(({ id }) => id));
  const unknown = Object.keys(handlers).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`handlers without a route: ${unknown.join(', ')}`);
  const router = new KoaRouter();
  for (const { id, method, path, permission } of routes) {
    const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (!handler) throw new Error(`the route ${method} ${path} has no handler ${id}`);
    router.register(routerPath(path), [method], [need(permission), async (ctx: Context) => void (await handler(ctx))]);
  }
  return router;
}
