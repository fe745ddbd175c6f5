/** Aggregates the metrics of all workers, in the supervisor process. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { WorkerIndex } from '../../base/siblings.ts';
import type { FromWorker, ToWorker } from '../workers/messages.ts';
import type { MetricsSettings } from './metrics-settings.ts';
import { loadPrometheus, type Prometheus } from './prometheus.ts';
import { listenForMetrics } from './serve-metrics.ts';

type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Timeout for a worker's reply, in milliseconds. For a busy worker, its previous metrics are used. */
const PATIENCE = 1000;

/** Whether a metric only grows. Others, such as gauges, describe live workers. */
function isCumulative({ type }: { readonly type: unknown }): boolean {
  return type === 'counter' || type === 'histogram';
}

/** The metrics of all workers. Cumulative ones of ended workers are kept, since counters must not decrease. */
function createTotals({ AggregatorRegistry }: Prometheus) {
  const last = new Map<WorkerIndex, Snapshot>();
  let past: Snapshot = [];
  return {
    note: (worker: WorkerIndex, snapshot: Snapshot) => void last.set(worker, snapshot),
    ended(worker: WorkerIndex): void {
      const found = last.get(worker)?.filter(isCumulative);
      last.delete(worker);
      if (found) past = AggregatorRegistry.aggregate([past, found]).getMetricsAsArray() as unknown as Snapshot;
    },
    sum: () => AggregatorRegistry.aggregate([past, ...last.values()]).metrics(),
  };
}

/** The connection to the workers. */
export interface WorkerChannel {
  /** The workers that accept requests. */
  running(): readonly WorkerIndex[];
  send(worker: WorkerIndex, message: ToWorker): void;
}

/** Receives events of the workers. */
export interface GatheredMetrics {
  /** A worker has sent a message. */
  heard(worker: WorkerIndex, message: FromWorker): void;
  /** A worker has ended. */
  ended(worker: WorkerIndex): void;
}

/**
 * Aggregates metrics for requests to the metrics port and to workers. Rejects if the package is missing, or if it
 * can't listen on the port.
 */
export async function gatherMetrics(settings: MetricsSettings, channel: WorkerChannel): Promise<GatheredMetrics> {
  const prometheus = await loadPrometheus();
  const totals = createTotals(prometheus);
  const waiting = new Map<number, (snapshot: Snapshot | undefined) => void>();
  const { Gauge, Registry } = prometheus;
  const own = new Registry();
  const workers = new Gauge({ name: 'server_workers', help: 'Workers that serve requests.', registers: [own] });
  let asked = 0;

  function ask(worker: WorkerIndex): Promise<void> {
    asked += 1;
    const id = asked;
    return new Promise((resolve) => {
      const settle = (snapshot: Snapshot | undefined): void => {
        clearTimeout(timer);
        waiting.delete(id);
        if (snapshot) totals.note(worker, snapshot);
        resolve();
      };
      const timer = setTimeout(settle, PATIENCE, undefined);
      waiting.set(id, settle);
      channel.send(worker, { kind: 'collect', id });
    });
  }

  async function collect(): Promise<string> {
    const running = channel.running();
    await Promise.all(running.map(ask));
    workers.set(running.length);
    return `${await own.metrics()}\n${await totals.sum()}`;
  }

  await listenForMetrics(settings, collect);
  return {
    heard(worker, message) {
      if (message.kind === 'collected') waiting.get(message.id)?.(message.metrics as Snapshot);
      if (message.kind !== 'gather') return;
      const { id } = message;
      collect().then(
        (text) => channel.send(worker, { kind: 'gathered', id, text }),
        () => undefined,
      );
    },
    ended: (worker) => totals.ended(worker),
  };
}
