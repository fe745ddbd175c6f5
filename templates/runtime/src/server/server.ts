/** Puts a server together: database, entries, policy, routes and the middleware around them. */
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { Koa, Router } from '../base/common-js.ts';
import { openAuth, type Auth } from '../features/auth/open-auth.ts';
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { TypeHooks } from '../entries/hooks.ts';
import type { Extensions, OwnServices } from './extensions.ts';
import { localeRoutes } from '../features/locales/locale-routes.ts';
import { late } from '../base/late.ts';
import { loadSoon } from '../base/late-packages.ts';
import { leftOut } from '../base/left-out.ts';
import { isMigrated, migrate } from '../migrator/migrate.ts';
import { augmentedDatabase, type Augment } from '../write/augment.ts';
import { createReader } from '../query/reader.ts';
import type { AnyEntries } from '../entries/typed/create-entries.ts';
import { openEntries } from '../entries/typed/open-entries.ts';
import type { UploadOptions } from '../features/upload/context.ts';
import type { Uploads } from '../features/upload/mount-uploads.ts';
import type { EntryValidators } from '../content/validators/index.ts';
import { authenticate } from '../features/auth/authenticate.ts';
import { corsHeaders } from '../http/cors.ts';
import { dispatch, type LateRouter } from '../http/dispatch.ts';
import { createDrain } from '../http/drain.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { health } from '../http/health.ts';
import { createLogger, logRequests, type Logger } from '../http/log.ts';
import { maxConnections } from '../http/max-connections.ts';
import { keptFor, type ReadinessCheck } from '../http/readiness.ts';
import { writeReadiness } from './write-readiness.ts';
import { allow, callerOf } from '../http/request.ts';
import { bodyLimit, formReader, type FormReader } from '../http/state.ts';
import type { RouteServices } from '../entries/route-services.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { watchSending } from '../http/send-watch.ts';
import type { Settings } from './settings.ts';
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

const loadEntryForm = late(() => import('../features/upload/entry-form.ts'));

const readForm: FormReader = async (ctx) => {
  const { readEntryForm } = await loadEntryForm();
  return readEntryForm(ctx);
};

function ownServices({ services, entries }: ReturnType<typeof openEntries>): OwnServices<AnyEntries> {
  return { collection: services.collection, single: services.single, allow, entries };
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
  return router.routes();
}

function createApp(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: Settings,
  parts: {
    readonly services: OwnServices<AnyEntries>;
    readonly auth: Auth;
    /** Undefined if nothing in the schema refers to files. */
    readonly uploads: Uploads | undefined;
    readonly logger: Logger;
    readonly readiness: readonly ReadinessCheck[];
    readonly database: Database;
    readonly headers: readonly Middleware[];
  },
): Koa {
  const { services, auth, uploads, logger, readiness, database, headers } = parts;
  // Of the addresses that forwarded a request, only the last is the proxy's own word; anybody can make up the others.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  app.use(logRequests(logger, settings));
  for (const middleware of headers) app.use(middleware);
  app.use(errorEnvelope(logger));
  app.use(health(readiness));
  if (uploads) app.use(uploads.files);
  app.use((ctx, next) => {
    bodyLimit.set(ctx, definition.api.bodyLimit);
    formReader.set(ctx, readForm);
    // What one caller is answered, no cache between gives to another.
    ctx.vary('Authorization');
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    return next();
  });
  app.use(authenticate(auth.authenticator));
  if (uploads) app.use(uploads.requests);
  for (const middleware of extensions.middleware ?? []) app.use(middleware);
  const own = ownRoutes(extensions, services);
  if (own) app.use(own);
  const routers: (Router | LateRouter)[] = definition.routes.map((routes) => routes(services));
  if (uploads) routers.push(uploads.routes);
  routers.push(...auth.routes, localeRoutes(definition.contentTypes, database));
  app.use(dispatch(routers));
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

interface Parts {
  readonly uploads: Uploads | undefined;
  readonly auth: Auth;
  /** What `GET /_ready` asks. */
  readonly readiness: readonly ReadinessCheck[];
}

async function openFiles(options: UploadOptions): Promise<Uploads | undefined> {
  if (!Object.hasOwn(options.types.types, 'file')) return undefined;
  const { mountUploads } = await import('../features/upload/mount-uploads.ts').catch(leftOut('media'));
  return mountUploads(options);
}

/** Opens what works on the database, which is closed if that fails. */
async function prepareParts(
  definition: ServerDefinition,
  options: {
    readonly database: Database;
    readonly settings: Settings;
    readonly extensions: AnyExtensions;
    readonly logger: Logger;
  },
): Promise<Parts> {
  const { database, settings, extensions, logger } = options;
  const { contentTypes: types, api } = definition;
  const isReady = () => isMigrated(database, fileURLToPath(definition.migrations)).catch(() => false);
  try {
    const reader = createReader({ database, types, api });
    const uploads = await openFiles({ database, types, reader, settings: settings.uploads, logger });
    const { mailer } = extensions;
    const auth = await openAuth({ database, definition, settings, mailer, logger }, await isReady());
    const databaseCheck = keptFor(READY_KEPT_MS, async () =>
      (await isReady()) ? undefined : 'the database lacks migrations or is out of reach',
    );
    return {
      uploads,
      auth,
      readiness: [databaseCheck, writeReadiness(database, logger), ...(uploads ? [uploads.readiness] : [])],
    };
  } catch (error) {
    await database.close();
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
  const logger = createLogger(settings.logLevel);
  const database = augmentedDatabase(await prepareDatabase(definition, settings, logger), augments);
  const parts = await prepareParts(definition, { database, settings, extensions, logger });
  const services = ownServices(openEntries({ database, definition, hooks: extensions.hooks ?? {} }));
  const cors = corsHeaders(settings.cors);
  const headers = [await securityHeaders(), ...(cors ? [cors] : [])];
  const { keepAliveTimeout, clientTimeout, sendBufferSize } = settings;
  const http = createHttpServer({ ...HTTP_LIMITS, keepAliveTimeout });
  const drain = createDrain(http, settings.stop);
  const stopping: ReadinessCheck = () => (drain.isDraining() ? 'the server is stopping' : undefined);
  const readiness = [stopping, ...parts.readiness];
  const app = createApp(definition, extensions, settings, { ...parts, readiness, services, logger, database, headers });
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
    listen: () => listen(http, settings, logger),
    close: async () => {
      await drain.stop();
      await parts.auth.close();
      await parts.uploads?.close();
      await database.close();
    },
  };
}
