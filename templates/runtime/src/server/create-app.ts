/** The Koa application: everything that answers requests, in the order in which it sees them. */
import type { Middleware } from 'koa';
import { Koa, Router } from '../base/common-js.ts';
import { ADMIN_HEADER } from '../contract/admin.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { RouteServices } from '../entries/route-services.ts';
import type { AnyEntries } from '../entries/typed/create-entries.ts';
import { dispatch, type Dispatched, dispatchedMount, dispatchedRouter } from '../http/dispatch.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { health } from '../http/health.ts';
import { type Logger, logRequests } from '../http/log.ts';
import type { ReadinessCheck } from '../http/readiness.ts';
import { callerOf } from '../http/request.ts';
import { responseFormat } from '../http/response-format.ts';
import { bodyLimit, requireIfMatch } from '../http/state.ts';
import { varyBy } from '../http/vary.ts';
import { checkRouter, routedTypes, routesOf, schemaRoutes } from './check-routers.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import type { OwnServices } from './extensions.ts';
import type { StartedFeature } from './features.ts';
import type { OpenedMetrics } from './metrics/open-metrics.ts';
import type { OpenedTraces } from './traces/open-traces.ts';
import { checkEndpoints, declaredEndpoints, mountEndpoints } from './mount-endpoints.ts';
import type { Settings } from './settings.ts';

/** What is put together before the middleware. */
export interface Parts {
  readonly services: OwnServices<AnyEntries>;
  readonly features: readonly StartedFeature[];
  readonly logger: Logger;
  readonly readiness: readonly ReadinessCheck[];
  readonly headers: readonly Middleware[];
  readonly metrics: OpenedMetrics | undefined;
  readonly traces: OpenedTraces | undefined;
  /** Waits until the database has what the caller has written. */
  readonly catchUp: Middleware | undefined;
}

/** The team's routes, if it has any. */
function ownRoutes(extensions: AnyExtensions, services: OwnServices<AnyEntries>) {
  if (!extensions.routes) return undefined;
  const router = new Router();
  // Bad credentials are refused by every route.
  router.use((ctx, next) => {
    callerOf(ctx);
    return next();
  });
  extensions.routes(router, services);
  return router.routes() as unknown as Middleware;
}

/** The routes of a type of the schema. Throws where it has no code; its requests fail where its code has other routes. */
function dispatchedType(type: ContentType, { modules }: ServerDefinition, services: RouteServices): Dispatched {
  const load = modules[type.uid];
  if (!load) throw new Error(`The generated code lacks the type ${type.uid}: generate the project again.`);
  const paths = routesOf(type).map(({ path }) => path);
  return dispatchedRouter('the schema', paths, async () => {
    const router = (await load()).routes(services);
    checkRouter(type, router);
    return router;
  });
}

/** Everything that answers requests to the API, but for what the team adds to it. Throws where two parts would answer the same. */
function dispatchAll(definition: ServerDefinition, { services, features }: Parts): Middleware {
  return dispatch([
    ...routedTypes(definition.contentTypes).map((type) => dispatchedType(type, definition, services)),
    ...features.flatMap(({ feature, running }) =>
      running.mounts.map((mount) => dispatchedMount(`the feature ${feature.name}`, mount)),
    ),
  ]);
}

/** The team's endpoints, if it has any. Throws for one that can't be. */
function endpointsOf(definition: ServerDefinition, extensions: AnyExtensions, parts: Parts): Middleware | undefined {
  const endpoints = declaredEndpoints(extensions);
  if (endpoints.length === 0) return undefined;
  const { contentTypes } = definition;
  const ofFeatures = parts.features.flatMap(({ feature }) => feature.routes);
  checkEndpoints(endpoints, contentTypes, [...schemaRoutes(contentTypes), ...ofFeatures]);
  return mountEndpoints(endpoints, parts.services.contextOf);
}

/** Throws where two parts would answer the same requests, and for an endpoint that can't be. */
export function createApp(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: Settings,
  parts: Parts,
): Koa {
  const { services, features, logger, readiness, headers, metrics, traces, catchUp } = parts;
  const ofFeatures = features.map(({ running }) => running.middleware);
  // Of the addresses that forwarded a request, only the last is the proxy's own word; anybody can make up the others.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  const use = (all: readonly (Middleware | undefined)[]): void => {
    for (const middleware of all) if (middleware) app.use(middleware);
  };
  const callers = ['Authorization', ...(definition.admin ? [ADMIN_HEADER] : [])].join(', ');
  use([traces?.request, metrics?.count, logRequests(logger, settings)]);
  use([...headers, errorEnvelope(logger), health(readiness)]);
  use([metrics?.route, catchUp]);
  use(ofFeatures.map((middleware) => middleware?.assets));
  app.use((ctx, next) => {
    bodyLimit.set(ctx, definition.api.bodyLimit);
    if (definition.api.requireIfMatch) requireIfMatch.set(ctx, true);
    // What one caller is answered, no cache between gives to another.
    varyBy(ctx, callers);
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    return next();
  });
  use([responseFormat(definition.api, definition.admin !== undefined)]);
  use(ofFeatures.map((middleware) => middleware?.api));
  use(extensions.middleware ?? []);
  use([ownRoutes(extensions, services), endpointsOf(definition, extensions, parts), dispatchAll(definition, parts)]);
  // What fails below Koa (a broken socket) is no request's error.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection error'));
  return app;
}
