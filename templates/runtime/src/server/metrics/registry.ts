/** The metrics of one process, for Prometheus. */
import type { Context, Middleware } from 'koa';
import type { Counter, Gauge, Registry } from 'prom-client';
import { counters } from '../../base/counters.ts';
import { gauges } from '../../base/gauges.ts';
import type { Database, DatabaseActivity } from '../../database/database.ts';
import { matchedRoute } from '../../http/matched-route.ts';
import type { Prometheus } from './prometheus.ts';

/** Bounds of the histogram of durations, in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** First segments of known paths outside the routers. Others get no series of their own, since clients can request any path. */
const PLACES: ReadonlySet<string> = new Set(['_health', '_ready', '_metrics', 'uploads', 'admin', 'docs', 'mcp']);

/** The label `route`: `/api/articles/:id`, or the first segment of a path outside the routers, or `other`. */
function routeOf(ctx: Context): string {
  const route = matchedRoute(ctx);
  if (route !== undefined) return route;
  const first = ctx.path.split('/', 2)[1] ?? '';
  return PLACES.has(first) ? `/${first}` : 'other';
}

function countRequests({ Counter, Gauge, Histogram }: Prometheus, registers: Registry[]): Middleware {
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its response, without the time to send the response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const running = new Gauge({ name: 'http_requests_in_flight', help: 'Requests in progress.', registers });
  const bytes = new Counter({ name: 'http_response_bytes_total', help: 'Bytes of response bodies.', registers });
  return async (ctx, next) => {
    const started = performance.now();
    running.inc();
    try {
      await next();
    } finally {
      running.dec();
      const method = METHODS.has(ctx.method) ? ctx.method : 'other';
      const route = routeOf(ctx);
      requests.inc({ method, route, status: ctx.status });
      duration.observe({ method, route }, (performance.now() - started) / 1000);
      if (ctx.method !== 'HEAD') bytes.inc(ctx.length ?? 0);
    }
  };
}

type Measure = readonly [name: string, help: string, value: () => number];

/** What metrics show of optional parts. */
export interface FurtherMeasures {
  /** The number of events that wait. */
  readonly webhooks: { pending(): Promise<number> } | undefined;
  /** The numbers of jobs that wait, and that were given up. */
  readonly jobs: { counts(): Promise<{ readonly pending: number; readonly failed: number }> } | undefined;
  /** The number of schedules and releases that wait for their time; undefined if drafts are not published at a time. */
  readonly schedules?: { waiting(): Promise<number> } | undefined;
  /** Whether clients are told of events. */
  readonly events?: boolean | undefined;
  /** Whether there is an audit. */
  readonly audit?: boolean | undefined;
}

const COUNTERS: readonly Measure[] = [
  ['query_cache_hits_total', 'Queries whose shape was in the cache.', () => counters.queriesReused],
  ['query_cache_misses_total', 'Queries whose shape was compiled.', () => counters.queriesCompiled],
  ['database_retries_total', 'Retries of statements and transactions.', () => counters.databaseRetries],
  [
    'database_busy_total',
    'Writes that waited for another process to release the SQLite file.',
    () => counters.databaseBusy,
  ],
  ['database_slow_statements_total', 'Statements longer than SLOW_STATEMENT_MS.', () => counters.slowStatements],
];

const WEBHOOK_COUNTERS: readonly Measure[] = [
  ['webhook_events_told_total', 'Events that receivers have accepted.', () => counters.webhooksTold],
  ['webhook_failures_total', 'Tries to tell an event that failed.', () => counters.webhookFailures],
];

const JOB_COUNTERS: readonly Measure[] = [
  ['jobs_done_total', 'Jobs that are done.', () => counters.jobsDone],
  ['job_failures_total', 'Runs of jobs that failed.', () => counters.jobFailures],
  ['jobs_given_up_total', 'Jobs that failed in all their tries.', () => counters.jobsGivenUp],
];

const SCHEDULE_COUNTERS: readonly Measure[] = [
  ['schedules_done_total', 'Schedules and releases that were done at their time.', () => counters.schedulesDone],
  ['schedules_refused_total', 'Schedules and releases that could not be done.', () => counters.schedulesRefused],
];

const EVENT_COUNTERS: readonly Measure[] = [
  ['events_told_total', 'Events that this process has told its clients.', () => counters.eventsTold],
  [
    'event_clients_cut_total',
    'Clients of events that were cut off as they did not read.',
    () => counters.eventClientsCut,
  ],
];

const AUDIT_COUNTERS: readonly Measure[] = [
  ['audit_rows_total', 'Rows of the audit that were added to its chain.', () => counters.auditRows],
  ['audit_refusals_total', 'Refusals of rights and sign-ins that the audit has counted.', () => counters.auditRefusals],
];

/** Shows a number that all processes have in common. */
function showShared(
  { Gauge }: Prometheus,
  { name, help, read, registers }: { name: string; help: string; read: () => Promise<number>; registers: Registry[] },
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers,
    // Workers are asked one by one, and their values are not added.
    aggregator: 'max',
    async collect() {
      gauge.set(await read().catch(() => 0));
    },
  });
}

function showJobs(prometheus: Prometheus, jobs: NonNullable<FurtherMeasures['jobs']>, registers: Registry[]): void {
  countMeasures(prometheus, JOB_COUNTERS, registers);
  showShared(prometheus, {
    name: 'jobs_pending',
    help: 'Jobs that wait or run, in any process; at most 100000.',
    read: async () => (await jobs.counts()).pending,
    registers,
  });
  showShared(prometheus, {
    name: 'jobs_failed',
    help: 'Jobs that were given up and are kept; at most 100000.',
    read: async () => (await jobs.counts()).failed,
    registers,
  });
}

function showSchedules(
  prometheus: Prometheus,
  schedules: NonNullable<FurtherMeasures['schedules']>,
  registers: Registry[],
): void {
  countMeasures(prometheus, SCHEDULE_COUNTERS, registers);
  showShared(prometheus, {
    name: 'schedules_waiting',
    help: 'Schedules and releases that wait for their time; at most 100000 of each.',
    read: () => schedules.waiting(),
    registers,
  });
}

function showWebhooks(
  prometheus: Prometheus,
  webhooks: NonNullable<FurtherMeasures['webhooks']>,
  registers: Registry[],
): void {
  countMeasures(prometheus, WEBHOOK_COUNTERS, registers);
  showShared(prometheus, {
    name: 'webhook_events_pending',
    help: 'Events that wait to be told, by any process; at most 100000 for each receiver.',
    read: () => webhooks.pending(),
    registers,
  });
}

function showEvents(prometheus: Prometheus, registers: Registry[]): void {
  countMeasures(prometheus, EVENT_COUNTERS, registers);
  const clients: Gauge = new prometheus.Gauge({
    name: 'event_clients',
    help: 'Clients that wait for events.',
    registers,
    collect: () => clients.set(gauges.eventClients),
  });
  const lag: Gauge = new prometheus.Gauge({
    name: 'event_lag_seconds',
    help: 'How old the events were that were told last.',
    registers,
    aggregator: 'max',
    collect: () => lag.set(gauges.eventLag / 1000),
  });
}

function countMeasures(prometheus: Prometheus, measures: readonly Measure[], registers: Registry[]): void {
  for (const [name, help, value] of measures) {
    const counter: Counter = new prometheus.Counter({
      name,
      help,
      registers,
      collect() {
        counter.reset();
        counter.inc(value());
      },
    });
  }
}

const GAUGES: readonly (readonly [name: string, help: string, key: keyof DatabaseActivity])[] = [
  ['database_connections_open', 'Open connections to the database server.', 'open'],
  ['database_connections_idle', 'Idle connections to the database server.', 'idle'],
  ['database_connections_max', 'DATABASE_POOL_SIZE.', 'most'],
  ['database_waiting', 'Requests waiting for a connection; on SQLite, for their turn to write.', 'waiting'],
  ['database_slow_reads', 'Slow reads in progress; on SQLite, in separate processes.', 'slowReads'],
  ['database_slow_reads_waiting', 'Slow reads that are waiting.', 'slowReadsWaiting'],
];

function showActivity(prometheus: Prometheus, database: Pick<Database, 'activity'>, registers: Registry[]): void {
  for (const [name, help, key] of GAUGES) {
    const gauge: Gauge = new prometheus.Gauge({
      name,
      help,
      registers,
      collect: () => gauge.set(database.activity()[key]),
    });
  }
}

/** The metrics of this process, and the middleware that counts requests, which must come first. */
export function createMetrics(
  prometheus: Prometheus,
  database: Pick<Database, 'activity'>,
  { webhooks, jobs, schedules, events, audit }: FurtherMeasures,
): {
  readonly registry: Registry;
  readonly middleware: Middleware;
} {
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  countMeasures(prometheus, COUNTERS, registers);
  if (webhooks) showWebhooks(prometheus, webhooks, registers);
  if (jobs) showJobs(prometheus, jobs, registers);
  if (schedules) showSchedules(prometheus, schedules, registers);
  if (events) showEvents(prometheus, registers);
  if (audit) countMeasures(prometheus, AUDIT_COUNTERS, registers);
  showActivity(prometheus, database, registers);
  return { registry, middleware: countRequests(prometheus, registers) };
}
