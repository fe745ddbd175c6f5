/**
 * Runs one server as several processes, with Node's cluster module: the supervisor owns the port, distributes connections, restarts
 * workers that die, and stops them all together. It opens no database and handles no requests.
 */
import cluster, { type Worker } from 'node:cluster';
import { createLogger, flushLog, type Logger } from '../../http/log.ts';
import type { GatheredMetrics } from '../metrics/gather-metrics.ts';
import type { MetricsSettings } from '../metrics/metrics-settings.ts';
import { CLOSING_TIME, type Settings } from '../settings.ts';
import { type FromWorker, type ToWorker, WORKER_VARIABLE } from './messages.ts';

/** The first delay before a worker is restarted; it doubles with every failure. In milliseconds, like all times here. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 30_000;
/** A worker that lived this long resets its failures. */
const LONG_LIFE = 60_000;
/** How much longer than a worker the supervisor waits when stopping. */
const GRACE = 1000;
const LOG_TIME = 1000;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The place of a worker and its successors. */
interface Slot {
  readonly index: number;
  worker: Worker | undefined;
  /** As returned by `performance.now()`. */
  startedAt: number;
  /** The number of consecutive early exits. */
  failures: number;
  /** Where the worker listens; undefined until it does. */
  address: Address | undefined;
}

interface Supervisor {
  readonly slots: readonly Slot[];
  readonly logger: Logger;
  /** The time after which this process exits even if workers are still running. */
  readonly longestStop: number;
  metrics: GatheredMetrics | undefined;
  phase: 'starting' | 'running' | 'stopping';
}

function tell(slot: Slot, message: ToWorker): void {
  if (slot.worker?.isConnected()) slot.worker.send(message, () => undefined);
}

function tellOthers({ slots }: Supervisor, from: Slot, message: ToWorker): void {
  for (const slot of slots) if (slot !== from) tell(slot, message);
}

/** Starts a worker. Resolves with its address once it listens, or with the exit code if it ends before. */
function startWorker(
  supervisor: Supervisor,
  slot: Slot,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null } | Address> {
  const worker = cluster.fork({ ...environment, [WORKER_VARIABLE]: `${slot.index}/${supervisor.slots.length}` });
  slot.worker = worker;
  slot.startedAt = performance.now();
  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      supervisor.metrics?.heard(slot.index, message);
      if (message.kind === 'publish') {
        const { topic, message: published } = message;
        tellOthers(supervisor, slot, { kind: 'published', topic, message: published, from: slot.index });
      }
      if (message.kind !== 'listening') return;
      slot.address = { host: message.host, port: message.port };
      resolve(slot.address);
    });
    // A process that can't be spawned emits `error`, but not `exit`.
    worker.on('error', () => resolve({ code: null }));
    worker.once('exit', (code, signal) => {
      const isOurs = slot.address !== undefined || supervisor.phase === 'running';
      slot.worker = undefined;
      slot.address = undefined;
      tellOthers(supervisor, slot, { kind: 'ended', worker: slot.index });
      supervisor.metrics?.ended(slot.index);
      resolve({ code });
      if (isOurs) startAgain(supervisor, slot, { code, signal });
    });
  });
}

/** Restarts a worker that has ended, after a delay. It applies no migrations, since the very first worker has done so. */
function startAgain(
  supervisor: Supervisor,
  slot: Slot,
  how: { readonly code: number | null; readonly signal: string },
): void {
  if (supervisor.phase === 'stopping') return;
  if (performance.now() - slot.startedAt >= LONG_LIFE) slot.failures = 0;
  const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** slot.failures);
  slot.failures += 1;
  supervisor.logger.error({ ended: slot.index, ...how, delay }, 'a worker has exited and is being restarted');
  setTimeout(() => {
    if (supervisor.phase !== 'stopping') void startWorker(supervisor, slot, { MIGRATE_ON_START: 'false' });
  }, delay);
}

function ended({ slots }: Supervisor): Promise<unknown> {
  const running = slots.flatMap(({ worker }) => worker ?? []);
  return Promise.all(running.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
}

async function stop(supervisor: Supervisor, code: number): Promise<never> {
  supervisor.phase = 'stopping';
  setTimeout(() => process.exit(1), supervisor.longestStop).unref();
  const all = ended(supervisor);
  let failed = false;
  for (const slot of supervisor.slots) {
    // A worker that is still starting may not handle messages yet. Not both: to a worker, the second one means at once.
    if (!slot.address) {
      slot.worker?.process.kill('SIGTERM');
      continue;
    }
    slot.worker?.once('exit', (status) => void (failed ||= status !== 0));
    tell(slot, { kind: 'stop' });
  }
  await all;
  supervisor.logger.info('stopped');
  await flushLog(LOG_TIME);
  return process.exit(code || (failed ? 1 : 0));
}

/** The first signal stops gracefully, a second one immediately: the workers end with this process. */
function stopOnSignals(supervisor: Supervisor): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (supervisor.phase === 'stopping') process.exit(1);
      void stop(supervisor, 0);
    });
  }
}

/** Opens the aggregated metrics. */
async function openMetrics(settings: MetricsSettings, slots: readonly Slot[]): Promise<GatheredMetrics> {
  const { gatherMetrics } = await import('../metrics/gather-metrics.ts');
  return gatherMetrics(settings, {
    running: () => slots.flatMap(({ address, index }) => (address ? [index] : [])),
    send: (worker, message) => {
      const slot = slots[worker - 1];
      if (slot) tell(slot, message);
    },
  });
}

/** Starts workers, and ends the process if one of them can't start: it has printed the reason to stderr. */
async function startAll(supervisor: Supervisor, slots: readonly Slot[], environment: Record<string, string>) {
  const started = await Promise.all(slots.map((slot) => startWorker(supervisor, slot, environment)));
  const failed = started.find((outcome) => 'code' in outcome);
  if (!failed || supervisor.phase === 'stopping') return;
  supervisor.logger.error({ code: failed.code }, 'a worker could not start, so the server stops');
  await stop(supervisor, 1);
}

/**
 * Runs the server as `settings.workers` processes until SIGTERM or SIGINT. The first worker starts alone: it applies migrations, and
 * if it can't start, the reason is printed only once.
 */
export async function supervise(name: string, settings: Settings): Promise<void> {
  const logger = createLogger(settings.logLevel, settings.logFormat);
  const slots = Array.from({ length: settings.workers }, (_, index): Slot => {
    return { index: index + 1, worker: undefined, startedAt: 0, failures: 0, address: undefined };
  });
  const { drainDelay, stopTimeout } = settings.stop;
  const longestStop = drainDelay + stopTimeout + CLOSING_TIME + GRACE;
  const supervisor: Supervisor = { slots, logger, longestStop, metrics: undefined, phase: 'starting' };
  if (settings.metrics) supervisor.metrics = await openMetrics(settings.metrics, slots);
  stopOnSignals(supervisor);
  await startAll(supervisor, slots.slice(0, 1), {});
  await startAll(supervisor, slots.slice(1), { MIGRATE_ON_START: 'false' });
  if (supervisor.phase === 'stopping') return;
  supervisor.phase = 'running';
  const address = slots[0]?.address;
  const workers = slots.length;
  if (address) logger.info({ ...address, workers }, `${name} listens at http://${address.host}:${address.port}`);
}
