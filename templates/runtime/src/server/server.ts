/** Assembles a server: database, entries, policy, routes, and the middleware around them. */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Middleware } from 'koa';
import type { Koa } from '../base/common-js.ts';
import { isJobWorker, NO_SIBLINGS, SINGLE_WORKER } from '../base/siblings.ts';
import { ASSUMED_ROWS } from '../contract/costs.ts';
import { guardsFiles } from '../contract/policy/guarded-files.ts';
import type { Database } from '../database/database.ts';
import { bothWatches } from '../database/statement-watch.ts';
import { hasHook } from '../entries/hooks.ts';
import type { AnyEntries } from '../entries/typed/any-entries.ts';
import { type OpenedEntries, openEntries } from '../entries/typed/open-entries.ts';
import { createSecret } from '../features/auth/secrets.ts';
import { corsHeaders } from '../http/cors.ts';
import { createDrain } from '../http/drain.ts';
import { createLogger, type Logger } from '../http/log.ts';
import { allow } from '../http/request.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { watchSending } from '../http/send-watch.ts';
import { endSlowBodies } from '../http/slow-bodies.ts';
import { requestId } from '../http/state.ts';
import { createFileUrls, type FileUrls } from '../query/file-urls.ts';
import { reportingOnce } from '../query/ignored-names.ts';
import { createReader, type Reader } from '../query/reader.ts';
import { type Augment, augmentedDatabase } from '../write/augment.ts';
import { backupSource } from './backup/backup-source.ts';
import type { BackupSchedule } from './backup/schedule-backups.ts';
import { createApp, type Parts } from './create-app.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import { routeCalls } from './actions/route-calls.ts';
import type { OwnServices } from './extensions.ts';
import { lazyAccounts } from './lazy-accounts.ts';
import { lazyReleases } from './lazy-releases.ts';
import { listen } from './listen.ts';
import type { MetricsSources, OpenedMetrics } from './metrics/open-metrics.ts';
import type { OpenedTraces } from './traces/open-traces.ts';
import { NO_MAIL, openMailer } from './open-mailer.ts';
import { prepareDatabase } from './prepare-database.ts';
import { setPasswordCost } from '../base/password.ts';
import { ownUrl, type Settings } from './settings.ts';
import { advanceAll, announce, drainFeatures, prepareFeatures, stopFeatures } from './start-features.ts';
import { loadedOnce, loadRoutes } from './load-routes.ts';
import { loadJobs } from './load-jobs.ts';
import { withRenames } from './load-history.ts';
import { loadTimings } from './load-timings.ts';
import { loadTellers } from './load-tellers.ts';
import { loadOwnGraphql } from './load-own-graphql.ts';
import { openEndpoints } from './mount-endpoints.ts';
import type { Supervised } from './workers/worker.ts';

/** An assembled server. */
export interface ContentServer {
  readonly app: Koa;
  readonly services: OwnServices<AnyEntries>;
  readonly logger: Logger;
  /** Starts to listen. Resolves with the address once connections are accepted. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  /** For tests: moves the time of jobs, schedules and releases, does what is due by then, and resolves once it is done. */
  advance(milliseconds: number): Promise<void>;
  /** Turns `/_ready` to 503; after the drain delay, stops accepting connections, finishes requests and closes the database. */
  close(): Promise<void>;
}

/** Options beside the project's definition. */
export interface ServerOptions {
  readonly settings: Settings;
  readonly extensions?: AnyExtensions;
  /** Additions to every write. */
  readonly augments?: readonly Augment[];
  /** The connection to the supervisor and the other workers, if this process is a worker. */
  readonly supervised?: Supervised;
}

/** Timeout for receiving a request body, except forms with files. */
const BODY_TIMEOUT_MS = 120_000;

/**
 * Room for a query with thousands of ids, and a timeout for clients that send headers slowly. `endSlowBodies` limits the time of
 * bodies: Node's own `requestTimeout` is a total, which large uploads over slow connections would exceed.
 */
const HTTP_LIMITS = { maxHeaderSize: 160 * 1024, headersTimeout: 20_000, requestTimeout: 0 };

function ownServices(
  { services: { collection, single }, contextOf }: OpenedEntries,
  runsJobs: boolean,
): OwnServices<AnyEntries> {
  // Not by a spread, which would omit entries and log: these are getters of a class.
  const { entries, jobs, mailer, sessions, roles, log, inTransaction } = contextOf(undefined);
  const ofRequest: OwnServices<AnyEntries>['contextOf'] = (ctx) => contextOf(requestId.get(ctx));
  const context = { entries, jobs, mailer, sessions, roles, log, inTransaction };
  return { ...context, contextOf: ofRequest, collection, single, allow, runsJobs };
}

/** Creates readers of databases and transactions. */
function readersOf(
  { contentTypes: types, api, costs }: ServerDefinition,
  fileUrls: ReturnType<typeof fileUrlsOf>,
  { database: main, logger }: { readonly database: Database; readonly logger: Logger },
): (database: Database) => Reader {
  const rows = costs && (costs.rows ?? ASSUMED_ROWS);
  const reportIgnored = reportingOnce((ignored) =>
    logger.warn(ignored, 'populate names an attribute that does not exist: it is ignored'),
  );
  // In a transaction nobody is charged: that may write to the database.
  return (database) =>
    createReader({ database, types, api, reportIgnored, fileUrls, costRows: database === main ? rows : undefined });
}

/** Schedules backups, if the settings have an interval. Only one of the workers makes them. */
async function loadBackups(
  { contentTypes }: ServerDefinition,
  settings: Settings,
  logger: Logger,
): Promise<BackupSchedule | undefined> {
  if (settings.backup.every === undefined || !isJobWorker(settings.worker ?? SINGLE_WORKER)) return undefined;
  const { scheduleBackups } = await import('./backup/schedule-backups.ts');
  return scheduleBackups(backupSource(settings, contentTypes), settings.backup, logger);
}

/** Opens metrics, if enabled. */
async function loadMetrics(
  { events, audit }: ServerDefinition,
  { metrics }: Settings,
  database: Database,
  { features, ...further }: MetricsSources & Pick<Parts, 'features'>,
): Promise<OpenedMetrics | undefined> {
  if (!metrics) return undefined;
  const waiting = features.find(({ running }) => running.waiting)?.running;
  const schedules = waiting && { waiting: async () => (await waiting.waiting?.()) ?? 0 };
  const { openMetrics } = await import('./metrics/open-metrics.ts');
  return openMetrics(metrics, database, { ...further, schedules, events, audit });
}

/** Opens traces, if enabled. */
async function loadTraces(
  { name }: ServerDefinition,
  { traces, databaseUrl }: Settings,
  logger: Logger,
): Promise<OpenedTraces | undefined> {
  if (!traces) return undefined;
  const { openTraces } = await import('./traces/open-traces.ts');
  return openTraces(traces, { name, databaseUrl }, logger);
}

/** Undefined if whoever knows the addresses of files may read them. */
function fileUrlsOf(definition: ServerDefinition, { jwtSecret, uploads }: Settings): FileUrls | undefined {
  if (!guardsFiles(definition) || !Object.hasOwn(definition.contentTypes.types, 'file')) return undefined;
  return createFileUrls({
    name: definition.name,
    secret: jwtSecret ?? createSecret(),
    lifetime: uploads.urlLifetime,
    publicUrl: uploads.s3?.publicUrl,
  });
}

/** Hooks that change what is read of a type. */
const READ_HOOKS = ['beforeFind', 'transform'];

/** Whether code of the project decides what is found of a type. */
function readByOwnCode(
  { contentTypes: { types } }: ServerDefinition,
  { actions = {} }: AnyExtensions,
  hooked: OpenedEntries['hooked'],
): (uid: string) => boolean {
  return (uid) => {
    const type = types[uid];
    return actions[uid] !== undefined || READ_HOOKS.some((name) => type && hasHook(hooked(type).hooks, name));
  };
}

/** Runs `work`, and calls `close` if it throws. */
async function orClose<T>(close: () => Promise<void>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await close();
    throw error;
  }
}

/** The middleware that sets headers of every response. */
async function headersOf({ cors }: Settings, positions: Middleware | undefined): Promise<readonly Middleware[]> {
  const all = [await securityHeaders(), corsHeaders(cors), positions];
  return all.filter((middleware) => middleware !== undefined);
}

/** What the routes of some entries do, for calls that are no requests to them. */
function callsWith({ contentTypes: types }: ServerDefinition, { actions = {} }: AnyExtensions) {
  return ({ services, contextOf }: Pick<OpenedEntries, 'services' | 'contextOf'>) =>
    routeCalls(services, { types, actions, contextOf });
}

interface Answering {
  readonly app: ContentServer['app'];
  readonly drain: ReturnType<typeof createDrain>;
  readonly settings: Settings;
  readonly logger: Logger;
}

/** Answers the requests of a server. While answers that nobody reads are ended, further requests wait. */
function answerRequests(http: HttpServer, { app, drain, settings, logger }: Answering): void {
  const { clientTimeout: timeout, sendBufferSize: bufferSize } = settings;
  const handle = app.callback();
  const sending = watchSending({ timeout, bufferSize }, logger);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (sending.isFreeing()) setImmediate(answer, request, response);
    else void handle(request, response).then(() => sending.watch(response));
  };
  http.on('request', (request, response) => {
    drain.track(request, response);
    answer(request, response);
  });
}

function loggerOf({ worker, logLevel, logFormat }: Settings): Logger {
  return createLogger(logLevel, logFormat, worker === undefined ? null : { worker: worker.index });
}

/**
 * Opens the database, applies migrations if the settings say so, and assembles the server.
 * Throws an error with a message for users if the database can't be opened or migrated.
 */
export async function createServer(
  project: ServerDefinition,
  { settings, extensions = {}, augments = [], supervised }: ServerOptions,
): Promise<ContentServer> {
  const definition = await withRenames(loadedOnce(project));
  setPasswordCost(settings.auth.passwordCost);
  const logger = loggerOf(settings);
  const tellers = await loadTellers(definition, settings, logger);
  const { webhooks, history } = tellers;
  const jobs = await loadJobs(definition, extensions, settings, logger);
  const traces = await loadTraces(definition, settings, logger);
  const timings = await loadTimings(definition);
  const prepared = await orClose(
    async () => traces?.close(),
    () => prepareDatabase(definition, settings, { logger, watch: bothWatches(traces?.watch, timings?.watch) }),
  );
  const database = tellers.telling(augmentedDatabase(prepared.database, augments));
  const fileUrls = fileUrlsOf(definition, settings);
  const readerIn = readersOf(definition, fileUrls, { database, logger });
  const mailer = await openMailer(extensions.mailer, settings, logger);
  const opened = openEntries({
    database,
    readerIn,
    definition,
    hooks: extensions.hooks ?? {},
    mailer: mailer ?? NO_MAIL,
    jobs: jobs?.at,
    tellsUpdates: tellers.tellsUpdates,
    inRelease: lazyReleases(definition.contentTypes, () => parts.features),
    ...lazyAccounts(() => parts.features),
    logger,
  });
  const callsOf = callsWith(definition, extensions);
  const services = ownServices(opened, isJobWorker(settings.worker ?? SINGLE_WORKER));
  const endpoints = openEndpoints(extensions, services.contextOf);
  const parts = await prepareFeatures(definition, extensions, {
    database,
    fileUrls,
    reader: opened.reader,
    hooked: opened.hooked,
    provide: opened.provide,
    services: opened.services,
    calls: callsOf(opened),
    inTransaction: (work) =>
      opened.transact((inside, database) =>
        work({ calls: callsOf(inside), database, hooked: inside.hooked, attempt: database.attempt }),
      ),
    settings,
    mailer,
    logger,
    siblings: supervised?.siblings ?? NO_SIBLINGS,
    ...tellers.host,
    timings,
    isReadByOwnCode: readByOwnCode(definition, extensions, opened.hooked),
    ...(await loadOwnGraphql(definition, extensions, endpoints)),
  });
  const headers = await headersOf(settings, prepared.positions);
  const http = createHttpServer({ ...HTTP_LIMITS, keepAliveTimeout: settings.keepAliveTimeout });
  const drain = createDrain(http, settings.stop);
  const readiness = [() => (drain.isDraining() ? 'the server is stopping' : undefined), ...parts.readiness];
  const metrics = await loadMetrics(definition, settings, database, { supervised, webhooks, jobs, ...parts });
  const backups = await loadBackups(definition, settings, logger);
  const closeAll = async (): Promise<void> => {
    metrics?.close();
    await backups?.stop();
    await jobs?.stop(0);
    await Promise.all([webhooks?.stop(), history?.stop()]);
    await stopFeatures(parts.features);
    mailer?.close?.();
    await Promise.all([database.close(), traces?.close()]);
  };
  const app = await orClose(closeAll, () =>
    createApp(definition, extensions, settings, {
      ...parts,
      database,
      readiness,
      services,
      endpoints,
      contextOf: opened.contextOf,
      logger,
      headers,
      metrics,
      traces,
      catchUp: prepared.catchUp,
    }),
  );
  let isStarted = false;
  let listening: ReturnType<typeof listen> | undefined;
  answerRequests(http, { app, drain, settings, logger });
  endSlowBodies(http, { silence: settings.clientTimeout, total: BODY_TIMEOUT_MS });
  return {
    app,
    services,
    logger,
    advance: (milliseconds) => advanceAll(jobs, parts.features, milliseconds),
    listen: async () => {
      await orClose(closeAll, () => extensions.onStart?.(services));
      await orClose(closeAll, () => metrics?.listen());
      await orClose(closeAll, () => webhooks?.start(prepared.database));
      if (services.runsJobs) history?.start(prepared.database);
      if (services.runsJobs) jobs?.start(prepared.database, opened.contextOf);
      isStarted = true;
      listening = listen(http, settings, logger);
      const address = await listening;
      announce(parts.features, ownUrl(address.host, address.port), logger);
      void loadRoutes(definition, logger, drain.isDraining);
      return address;
    },
    close: async () => {
      // A worker gets connections as soon as its supervisor has opened the port, which may be before it knows.
      await listening?.catch(() => undefined);
      drainFeatures(parts.features);
      await Promise.all([drain.stop(), jobs?.stop(settings.stop.stopTimeout)]);
      try {
        if (isStarted) await extensions.onStop?.(services);
      } finally {
        await closeAll();
      }
    },
  };
}
