/** The Koa application: middleware and routes in the order in which they handle a request. */
import type { Middleware } from 'koa';
import { Koa, Router } from '../base/common-js.ts';
import { ADMIN_HEADER } from '../contract/admin.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import type { RouteServices } from '../entries/route-services.ts';
import type { AnyEntries } from '../entries/typed/any-entries.ts';
import type { OpenedEntries } from '../entries/typed/open-entries.ts';
import {
  before,
  dispatch,
  type Dispatched,
  dispatchedMount,
  dispatchedRouter,
  middlewareOf,
} from '../http/dispatch.ts';
import { routerPath } from '../http/mount-routes.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { health } from '../http/health.ts';
import { allowKeyed, lazyKeyedRequests } from '../http/keyed.ts';
import { parseQueriesInLinearTime } from '../http/linear-query.ts';
import { type Logger, logRequests } from '../http/log.ts';
import { delayLongQueries } from '../http/long-requests.ts';
import type { ReadinessCheck } from '../http/readiness.ts';
import { callerOf } from '../http/request.ts';
import { responseFormat } from '../http/response-format.ts';
import { createSecret } from '../features/auth/secrets.ts';
import { createEntryTags } from '../http/entry-tags.ts';
import { bodyLimit, entryTags, onceByKey, requireIfMatch } from '../http/state.ts';
import { varyBy } from '../http/vary.ts';
import { checkRouter, routedTypes, routesOf, schemaRoutes } from './check-routers.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import { routedServices } from './actions/wrap-services.ts';
import type { OwnServices } from './extensions.ts';
import type { StartedFeature } from './features.ts';
import type { OpenedMetrics } from './metrics/open-metrics.ts';
import type { OpenedTraces } from './traces/open-traces.ts';
import { checkEndpoints, mountEndpoints, type OpenEndpoint } from './mount-endpoints.ts';
import type { Settings } from './settings.ts';

/** The parts of a server that its middleware is built from. */
export interface Parts {
  readonly database: Database;
  readonly services: OwnServices<AnyEntries>;
  readonly contextOf: OpenedEntries['contextOf'];
  readonly features: readonly StartedFeature[];
  /** The project's endpoints. */
  readonly endpoints: readonly OpenEndpoint[];
  readonly logger: Logger;
  readonly readiness: readonly ReadinessCheck[];
  readonly headers: readonly Middleware[];
  readonly metrics: OpenedMetrics | undefined;
  readonly traces: OpenedTraces | undefined;
  /** Waits until the database node has caught up with the caller's writes. */
  readonly catchUp: Middleware | undefined;
}

/** The project's routes, if it has any. */
function ownRoutes(extensions: AnyExtensions, services: OwnServices<AnyEntries>) {
  if (!extensions.routes) return undefined;
  const router = new Router();
  // Every route refuses invalid credentials.
  router.use((ctx, next) => {
    callerOf(ctx);
    return next();
  });
  extensions.routes(router, services);
  return router.routes() as unknown as Middleware;
}

/** The routes of features below those of a type; undefined if there are none. */
function furtherMiddleware(
  type: ContentType,
  features: readonly StartedFeature[],
  { allow }: Pick<RouteServices, 'allow'>,
): (() => Promise<Middleware>) | undefined {
  const mounts = features.flatMap(({ running: { ofTypes } }) => ofTypes ?? []);
  if (mounts.every(({ routesOf: ofFeature }) => ofFeature(type).length === 0)) return undefined;
  return async () => {
    const router = new Router();
    for (const mount of mounts) {
      const handlers = await mount.handlersOf(type);
      for (const { action, method, path, permits } of mount.routesOf(type)) {
        const handler = handlers[action];
        if (!handler) throw new Error(`the route ${method} ${path} has no handler`);
        const steps: Middleware[] = [allow(type.uid, permits), async (ctx) => void (await handler(ctx))];
        router.register(routerPath(path), [method], steps);
      }
    }
    return middlewareOf(router);
  };
}

/** The routes of a type of the schema. Throws if the type has no code. If the code has different routes, its requests fail. */
function dispatchedType(
  type: ContentType,
  { routes }: ServerDefinition,
  services: RouteServices,
  further: (() => Promise<Middleware>) | undefined,
): Dispatched {
  const load = routes[type.uid];
  if (!load) throw new Error(`The generated code lacks the type ${type.uid}: generate the project again.`);
  const paths = routesOf(type).map(({ path }) => path);
  const dispatched = dispatchedRouter('the schema', paths, async () => {
    const router = (await load())(services);
    checkRouter(type, router);
    return router;
  });
  return further ? before(dispatched, further) : dispatched;
}

/** All routes of the schema and of features, without the project's own. Throws if two of them would handle the same requests. */
function dispatchAll(
  definition: ServerDefinition,
  { actions }: AnyExtensions,
  { services, contextOf, features }: Parts,
): Middleware {
  const { contentTypes: types } = definition;
  const generated = { ...services, allow: allowKeyed };
  const routed = actions ? routedServices(generated, { types, actions, contextOf }) : generated;
  const unkeyed = actions ? routedServices(services, { types, actions, contextOf }) : services;
  return dispatch([
    ...routedTypes(definition.contentTypes).map((type) =>
      dispatchedType(type, definition, routed, furtherMiddleware(type, features, unkeyed)),
    ),
    ...features.flatMap(({ feature, running }) =>
      running.mounts.map((mount) => dispatchedMount(`the feature ${feature.name}`, mount)),
    ),
  ]);
}

/** The project's endpoints, if it has any. Throws if one is invalid. */
function endpointsOf({ contentTypes }: ServerDefinition, { endpoints, features }: Parts): Middleware | undefined {
  if (endpoints.length === 0) return undefined;
  const ofFeatures = features.flatMap(({ feature }) => feature.routes);
  const declared = endpoints.map(({ endpoint }) => endpoint);
  checkEndpoints(declared, contentTypes, [...schemaRoutes(contentTypes), ...ofFeatures]);
  return mountEndpoints(endpoints);
}

/** Creates the application. Throws if two parts would handle the same requests, and if an endpoint is invalid. */
export function createApp(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: Settings,
  parts: Parts,
): Koa {
  const { database, services, features, logger, readiness, headers, metrics, traces, catchUp } = parts;
  const ofFeatures = features.map(({ running }) => running.middleware);
  // Only the last address in X-Forwarded-For is set by the proxy itself; clients can forge the others.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  parseQueriesInLinearTime(app);
  const use = (all: readonly (Middleware | undefined)[]): void => {
    for (const middleware of all) if (middleware) app.use(middleware);
  };
  const secret = settings.jwtSecret ?? createSecret();
  const tags = createEntryTags({ name: definition.name, secret });
  const once = lazyKeyedRequests(database, secret);
  const callers = ['Authorization', ...(definition.admin ? [ADMIN_HEADER] : [])].join(', ');
  use([traces?.request, metrics?.count, logRequests(logger, settings)]);
  use([...headers, errorEnvelope(logger), health(readiness)]);
  use([metrics?.route, delayLongQueries(), catchUp]);
  use(ofFeatures.map((middleware) => middleware?.assets));
  app.use((ctx, next) => {
    bodyLimit.set(ctx, definition.api.bodyLimit);
    entryTags.set(ctx, tags);
    onceByKey.set(ctx, once);
    if (definition.api.requireIfMatch) requireIfMatch.set(ctx, true);
    // Keeps shared caches from serving one caller's response to another.
    varyBy(ctx, callers);
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    return next();
  });
  use([responseFormat(definition.api, definition.admin !== undefined)]);
  use(ofFeatures.map((middleware) => middleware?.api));
  use(extensions.middleware ?? []);
  use([ownRoutes(extensions, services), endpointsOf(definition, parts), dispatchAll(definition, extensions, parts)]);
  // Failures below Koa, such as a broken socket, are not errors of a request.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection error'));
  return app;
}
