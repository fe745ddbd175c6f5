/** Mounts the project's endpoints beside the other routes of a server. */
import type { Context, Middleware } from 'koa';
import { loadZod } from '../base/lazy-packages.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { knownPermissions } from '../contract/policy/permissions.ts';
import type { MountedRoute } from '../contract/routes/entries.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import { middlewareOf } from '../http/dispatch.ts';
import type { CallableRoute } from '../http/inner-request.ts';
import { routerOf } from '../http/mount-routes.ts';
import { type Endpoint, endpointHandler, type EndpointTools } from './endpoints.ts';

/** The part of the extensions that declares endpoints. */
export interface DeclaresEndpoints {
  endpoints?(tools: EndpointTools<never>): readonly Endpoint[];
}

/** The project's endpoints. zod is loaded only if it declares any. */
export function declaredEndpoints({ endpoints }: DeclaresEndpoints): readonly Endpoint[] {
  return endpoints?.({ z: loadZod(), route: (declaration) => declaration }) ?? [];
}

/** `GET /api/articles/{}`: equal for routes that match the same requests. */
function shapeOf({ method, path }: Pick<MountedRoute, 'method' | 'path'>): string {
  return `${method} ${path
    .toLowerCase()
    .replaceAll(/\{\w*\}/gu, '{}')
    .replace(/\/$/u, '')}`;
}

/** An endpoint as a mounted route. */
export function mountedOf({ method, path, permission }: Endpoint): MountedRoute {
  return { id: `${method} ${path}`, method, path, permission: permission ?? undefined };
}

/** Throws if an endpoint has an unknown permission, or the same method and path as another route. The message names it. */
export function checkEndpoints(
  endpoints: readonly Endpoint[],
  types: ContentTypes,
  others: readonly MountedRoute[],
): void {
  const known = new Set(knownPermissions(types));
  const taken = new Map(others.map((route) => [shapeOf(route), route.id]));
  for (const { id, method, path, permission } of endpoints.map(mountedOf)) {
    if (permission !== undefined && !known.has(permission)) {
      throw new Error(`the endpoint ${id} requires the permission ${permission}, which this server does not know`);
    }
    const other = taken.get(shapeOf({ method, path }));
    if (other !== undefined) {
      throw new Error(`the endpoint ${id} has the method and path of ${other}: choose another path`);
    }
    taken.set(shapeOf({ method, path }), `the endpoint ${id}`);
  }
}

/** An endpoint with its handler, which counts calls for its rate limit. */
export interface OpenEndpoint {
  readonly endpoint: Endpoint;
  readonly route: CallableRoute;
}

/** The project's endpoints with their handlers. */
export function openEndpoints(
  extensions: DeclaresEndpoints,
  contextOf: (ctx: Context) => ExtensionContext<unknown>,
): readonly OpenEndpoint[] {
  return declaredEndpoints(extensions).map((endpoint) => {
    const { method, path, permission } = mountedOf(endpoint);
    return { endpoint, route: { method, path, permission, handle: endpointHandler(endpoint, contextOf) } };
  });
}

/** The middleware that handles requests to the endpoints and passes on all others. */
export function mountEndpoints(endpoints: readonly OpenEndpoint[]): Middleware {
  const mounted = endpoints.map(({ endpoint, route }) => ({ row: mountedOf(endpoint), handle: route.handle }));
  const handlers = mounted.map(({ row, handle }) => [row.id, handle] as const);
  return middlewareOf(
    routerOf(
      mounted.map(({ row }) => row),
      Object.fromEntries(handlers),
    ),
  );
}
