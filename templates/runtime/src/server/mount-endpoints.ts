/** The team's endpoints among the other routes of a server. */
import type { Context, Middleware } from 'koa';
import { loadZod } from '../base/late-packages.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { knownPermissions } from '../contract/policy/permissions.ts';
import type { MountedRoute } from '../contract/routes/entries.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import { middlewareOf } from '../http/dispatch.ts';
import { routerOf } from '../http/mount-routes.ts';
import { type Endpoint, endpointHandler, type EndpointTools } from './endpoints.ts';

/** The part of the extensions that declares endpoints. */
export interface DeclaresEndpoints {
  endpoints?(tools: EndpointTools<never>): readonly Endpoint[];
}

/** The endpoints of a team; zod is loaded for those who declare any. */
export function declaredEndpoints({ endpoints }: DeclaresEndpoints): readonly Endpoint[] {
  return endpoints?.({ z: loadZod(), route: (declaration) => declaration }) ?? [];
}

/** `GET /api/articles/{}`: routes that match the same requests have the same. */
function shapeOf({ method, path }: Pick<MountedRoute, 'method' | 'path'>): string {
  return `${method} ${path
    .toLowerCase()
    .replaceAll(/\{\w*\}/gu, '{}')
    .replace(/\/$/u, '')}`;
}

/** Where an endpoint is, and what it needs. */
export function mountedOf({ method, path, permission }: Endpoint): MountedRoute {
  return { id: `${method} ${path}`, method, path, permission: permission ?? undefined };
}

/** Throws, naming the endpoint, for one whose permission nobody can be given, and for one that another route answers. */
export function checkEndpoints(
  endpoints: readonly Endpoint[],
  types: ContentTypes,
  others: readonly MountedRoute[],
): void {
  const known = new Set(knownPermissions(types));
  const taken = new Map(others.map((route) => [shapeOf(route), route.id]));
  for (const { id, method, path, permission } of endpoints.map(mountedOf)) {
    if (permission !== undefined && !known.has(permission)) {
      throw new Error(`the endpoint ${id} needs the permission ${permission}, which this server does not know`);
    }
    const other = taken.get(shapeOf({ method, path }));
    if (other !== undefined) {
      throw new Error(`the endpoint ${id} has the method and path of ${other}: take another path`);
    }
    taken.set(shapeOf({ method, path }), `the endpoint ${id}`);
  }
}

/** Answers the endpoints, and hands on every other request. */
export function mountEndpoints(
  endpoints: readonly Endpoint[],
  contextOf: (ctx: Context) => ExtensionContext<unknown>,
): Middleware {
  const handlers = endpoints.map((endpoint) => [mountedOf(endpoint).id, endpointHandler(endpoint, contextOf)] as const);
  return middlewareOf(routerOf(endpoints.map(mountedOf), Object.fromEntries(handlers)));
}
