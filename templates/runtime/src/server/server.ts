/** Puts a server together: database, entries, policy, routes and the middleware around them. */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { Koa, Router } from '../base/common-js.ts';
import type { AdminSettings } from '../contract/admin.ts';
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { TypeHooks } from '../entries/hooks.ts';
import type { Extensions, OwnServices } from './extensions.ts';
import { loadSoon } from '../base/late-packages.ts';
import { isMigrated, migrate } from '../migrator/migrate.ts';
import { type Augment, augmentedDatabase } from '../write/augment.ts';
import { createReader } from '../query/reader.ts';
import type { AnyEntries } from '../entries/typed/create-entries.ts';
import { type OpenedEntries, openEntries } from '../entries/typed/open-entries.ts';
import type { EntryValidators } from '../content/validators/index.ts';
import { corsHeaders } from '../http/cors.ts';
import { dispatch, dispatchedMount, dispatchedRouter } from '../http/dispatch.ts';
import { createDrain } from '../http/drain.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import type { FeatureHost } from '../http/feature.ts';
import { health } from '../http/health.ts';
import { createLogger, type Logger, logRequests } from '../http/log.ts';
import { maxConnections } from '../http/max-connections.ts';
import { keptFor, type ReadinessCheck } from '../http/readiness.ts';
import { checkRouters, schemaRoutes } from './check-routers.ts';
import { checkEndpoints, declaredEndpoints, mountEndpoints } from './mount-endpoints.ts';
import { describeProject } from './describe.ts';
import { NO_MAIL, openMailer } from './open-mailer.ts';
import { checkMounts, loadFeatures, type StartedFeature } from './features.ts';
import { writeReadiness } from './write-readiness.ts';
import { responseFormat } from '../http/response-format.ts';
import { allow, callerOf } from '../http/request.ts';
import { bodyLimit, requestId } from '../http/state.ts';
import type { RouteServices } from '../entries/route-services.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { watchSending } from '../http/send-watch.ts';
import { ownUrl, type Settings } from './settings.ts';
import { endSlowBodies } from '../http/slow-bodies.ts';

/** What a generated project is: everything that came from its schema. */
export interface ServerDefinition {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly api: ApiSettings;
  /** Role → what it may do: `article.find`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly validators: Readonly<Record<string, EntryValidators>>;
  readonly routes: readonly ((services: RouteServices) => Router)[];
  /** The folder `migrations/`. */
  readonly migrations: URL;
  /** The file `openapi.json`. */
  readonly openapi: URL;
  /** Whether the documentation is served: in production too, in development alone, or nowhere. */
  readonly docs: boolean | 'development';
  /** Whether agents have tools at `/mcp`. */
  readonly mcp: boolean;
  /** The page for editors at `/admin`; not set: there is none. */
  readonly admin?: AdminSettings;
}

/** A server that is put together. */
export interface ContentServer {
  readonly app: Koa;
  readonly services: OwnServices<AnyEntries>;
  readonly logger: Logger;
  /** Starts to listen; resolves with the address when connections are accepted. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  /** Turns `/_ready` to 503, after the drain delay stops to accept, finishes the requests that run, closes the database. */
  close(): Promise<void>;
}

/** Hooks of any types: the generated `defineExtensions` is where they are typed. */
export type AnyExtensions = Extensions<Record<string, TypeHooks>, AnyEntries>;

export interface ServerOptions {
  readonly settings: Settings;
  readonly extensions?: AnyExtensions;
  /** What is added to every write. */
  readonly augments?: readonly Augment[];
}

/** How long the answer of a readiness check holds: nobody needs to be asked more often. */
const READY_KEPT_MS = 200;

/** How long a body may take to arrive that is no form with files. */
const BODY_TIMEOUT_MS = 120_000;

/**
 * Room for a query with thousands of ids, and an end for clients that send a slow head. How long a body may take is
 * `endSlowBodies`' to say: Node's own limit is one of length, which no large upload over a slow line can keep.
 */
const HTTP_LIMITS = { maxHeaderSize: 160 * 1024, headersTimeout: 20_000, requestTimeout: 0 };

function ownServices({ services: { collection, single }, contextOf }: OpenedEntries): OwnServices<AnyEntries> {
  // By name: entries and logger are getters of a class, which a spread leaves out.
  const { entries, mailer, log, inTransaction } = contextOf(undefined);
  const ofRequest: OwnServices<AnyEntries>['contextOf'] = (ctx) => contextOf(requestId.get(ctx));
  return { entries, mailer, log, inTransaction, contextOf: ofRequest, collection, single, allow };
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

/** What is put together before the middleware. */
interface Parts {
  readonly services: OwnServices<AnyEntries>;
  readonly features: readonly StartedFeature[];
  readonly logger: Logger;
  readonly readiness: readonly ReadinessCheck[];
  readonly headers: readonly Middleware[];
}

/** Everything that answers requests to the API, but for what the team adds to it. Throws where two parts would answer the same. */
function dispatchAll(definition: ServerDefinition, { services, features }: Parts): Middleware {
  const routers = definition.routes.map((routes) => routes(services));
  checkRouters(definition.contentTypes, routers);
  return dispatch([
    ...routers.map((router) => dispatchedRouter('the schema', router)),
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

function createApp(definition: ServerDefinition, extensions: AnyExtensions, settings: Settings, parts: Parts): Koa {
  const { services, features, logger, readiness, headers } = parts;
  const ofFeatures = features.map(({ running }) => running.middleware);
  // Of the addresses that forwarded a request, only the last is the proxy's own word; anybody can make up the others.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  const use = (all: readonly (Middleware | undefined)[]): void => {
    for (const middleware of all) if (middleware) app.use(middleware);
  };
  const callers = ['Authorization', ...(definition.admin ? ['X-Admin-Session'] : [])].join(', ');
  use([logRequests(logger, settings), ...headers, errorEnvelope(logger), health(readiness)]);
  use(ofFeatures.map((middleware) => middleware?.assets));
  app.use((ctx, next) => {
    bodyLimit.set(ctx, definition.api.bodyLimit);
    // What one caller is answered, no cache between gives to another.
    ctx.vary(callers);
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    return next();
  });
  use([responseFormat(definition.api)]);
  use(ofFeatures.map((middleware) => middleware?.api));
  use(extensions.middleware ?? []);
  use([ownRoutes(extensions, services), endpointsOf(definition, extensions, parts), dispatchAll(definition, parts)]);
  // What fails below Koa (a broken socket) is no request's error.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection error'));
  return app;
}

const DROP_REPORT_INTERVAL_MS = 60_000;

/** Keeps descriptors for files and the database, and says when that costs connections. */
function limitConnections(http: HttpServer, logger: Logger): void {
  const most = maxConnections();
  if (most === undefined) return;
  http.maxConnections = most;
  let reportedAt = -Infinity;
  http.on('drop', () => {
    if (performance.now() - reportedAt < DROP_REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    logger.warn({ maxConnections: most }, 'refused connections: the limit of open files (ulimit -n) allows no more');
  });
}

function listen(http: HttpServer, settings: Settings, logger: Logger): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(settings.port, settings.host, () => {
      http.off('error', reject);
      limitConnections(http, logger);
      loadSoon();
      resolve({ host: settings.host, port: (http.address() as AddressInfo).port });
    });
  });
}

async function prepareDatabase(definition: ServerDefinition, settings: Settings, logger: Logger): Promise<Database> {
  const database = await openDatabase(settings.databaseUrl, settings.database);
  try {
    const directory = fileURLToPath(definition.migrations);
    if (settings.migrateOnStart) {
      const { changed, unsealed } = await migrate(database, { directory, dialect: database.dialect.name }, 'up');
      for (const name of changed) logger.info({ migration: name }, 'migration applied');
      for (const name of unsealed) {
        logger.warn({ migration: name }, 'migration not applied, as it is not sealed: content-gen migrations seal');
      }
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Starts the features in their order; stops those that have started if one of them fails. */
async function startFeatures(
  host: FeatureHost<Settings>,
  chosen: readonly string[],
): Promise<readonly StartedFeature[]> {
  const started: StartedFeature[] = [];
  try {
    for (const feature of await loadFeatures(host.definition.contentTypes, chosen)) {
      started.push({ feature, running: await feature.start(host) });
    }
    started.forEach(checkMounts);
    return started;
  } catch (error) {
    await stopFeatures(started);
    throw error;
  }
}

async function stopFeatures(features: readonly StartedFeature[]): Promise<void> {
  for (const { running } of features) await running.stop?.();
}

/** The names of the features that schema and settings choose. */
function chosenFeatures({ docs, mcp, admin }: ServerDefinition, { production }: Settings): readonly string[] {
  const hasDocs = docs === 'development' ? !production : docs;
  return [...(hasDocs ? ['docs'] : []), ...(mcp ? ['mcp'] : []), ...(admin ? ['admin'] : [])];
}

/** Tells the features that the server listens; what they do then is no reason not to. */
function announce(features: readonly StartedFeature[], url: string, logger: Logger): void {
  for (const { feature, running } of features) {
    running.listening?.(url).catch((error: unknown) => {
      logger.warn({ err: error, feature: feature.name }, 'could not do what follows the start');
    });
  }
}

/** Opens what works on the database, which is closed if that fails. */
async function prepareParts(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  options: Pick<
    FeatureHost<Settings>,
    'database' | 'reader' | 'hooked' | 'services' | 'settings' | 'mailer' | 'logger'
  >,
): Promise<Pick<Parts, 'features' | 'readiness'>> {
  const { database, settings, logger } = options;
  let features: readonly StartedFeature[] = [];
  const isReady = () => isMigrated(database, fileURLToPath(definition.migrations)).catch(() => false);
  try {
    const describe = () => describeProject(definition, extensions);
    const tools = () => features.flatMap(({ running }) => running.tools ?? []);
    const pageAccounts = async () => {
      const offered = features.find(({ running }) => running.pageAccounts)?.running.pageAccounts?.();
      return offered ?? Promise.reject(new Error('this server has no accounts'));
    };
    const host = { ...options, definition, isMigrated: await isReady(), describe, tools, pageAccounts };
    features = await startFeatures(host, chosenFeatures(definition, settings));
    const databaseCheck = keptFor(READY_KEPT_MS, async () =>
      (await isReady()) ? undefined : 'the database lacks migrations or is out of reach',
    );
    const ofFeatures = features.flatMap(({ running }) => running.readiness ?? []);
    return { features, readiness: [databaseCheck, writeReadiness(database, logger), ...ofFeatures] };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Does something that needs what has been opened, and closes that if it throws. */
async function orClose<T>(close: () => Promise<void>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the database, migrates it if the settings say so, and puts the server together.
 * Throws with a message for people when the database can't be opened or migrated.
 */
export async function createServer(
  definition: ServerDefinition,
  { settings, extensions = {}, augments = [] }: ServerOptions,
): Promise<ContentServer> {
  const logger = createLogger(settings.logLevel, settings.logFormat);
  const database = augmentedDatabase(await prepareDatabase(definition, settings, logger), augments);
  const readerIn = (of: Database) =>
    createReader({ database: of, types: definition.contentTypes, api: definition.api });
  const mailer = await openMailer(extensions.mailer, settings, logger);
  const opened = openEntries({
    database,
    readerIn,
    definition,
    hooks: extensions.hooks ?? {},
    mailer: mailer ?? NO_MAIL,
    logger,
  });
  const { reader, hooked, services: entryServices } = opened;
  const parts = await prepareParts(definition, extensions, {
    database,
    reader,
    hooked,
    services: entryServices,
    settings,
    mailer,
    logger,
  });
  const services = ownServices(opened);
  const cors = corsHeaders(settings.cors);
  const headers = [await securityHeaders(), ...(cors ? [cors] : [])];
  const { keepAliveTimeout, clientTimeout, sendBufferSize } = settings;
  const http = createHttpServer({ ...HTTP_LIMITS, keepAliveTimeout });
  const drain = createDrain(http, settings.stop);
  const stopping: ReadinessCheck = () => (drain.isDraining() ? 'the server is stopping' : undefined);
  const readiness = [stopping, ...parts.readiness];
  const closeAll = async (): Promise<void> => {
    await stopFeatures(parts.features);
    mailer?.close?.();
    await database.close();
  };
  const app = await orClose(closeAll, () =>
    createApp(definition, extensions, settings, { ...parts, readiness, services, logger, headers }),
  );
  let isStarted = false;
  const handle = app.callback();
  const sending = watchSending({ timeout: clientTimeout, bufferSize: sendBufferSize }, logger);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (sending.isFreeing()) setImmediate(answer, request, response);
    else void handle(request, response).then(() => sending.watch(response));
  };
  http.on('request', (request, response) => {
    drain.track(request, response);
    answer(request, response);
  });
  endSlowBodies(http, { silence: clientTimeout, total: BODY_TIMEOUT_MS });
  return {
    app,
    services,
    logger,
    listen: async () => {
      await orClose(closeAll, () => extensions.onStart?.(services));
      isStarted = true;
      const address = await listen(http, settings, logger);
      announce(parts.features, ownUrl(address.host, address.port), logger);
      return address;
    },
    close: async () => {
      await drain.stop();
      try {
        if (isStarted) await extensions.onStop?.(services);
      } finally {
        await closeAll();
      }
    },
  };
}
