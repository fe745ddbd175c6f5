/** The metrics of a server that runs as a single process, or of one of its workers. */
import type { Middleware } from 'koa';
import type { Database } from '../../database/database.ts';
import type { Supervised } from '../workers/worker.ts';
import type { MetricsSettings } from './metrics-settings.ts';
import { loadPrometheus } from './prometheus.ts';
import { createMetrics, type FurtherMeasures } from './registry.ts';
import { listenForMetrics, metricsRoute } from './serve-metrics.ts';

/** The middleware of metrics, and the server on the metrics port. */
export interface OpenedMetrics {
  /** Counts requests. */
  readonly count: Middleware;
  /** Serves `GET /_metrics`. */
  readonly route: Middleware;
  listen(): Promise<void>;
  close(): void;
}

/** What metrics are taken from, besides the database. */
export interface MetricsSources extends FurtherMeasures {
  readonly supervised: Supervised | undefined;
}

/**
 * Opens metrics. In a worker (`supervised`), the supervisor owns the metrics port, and aggregates the metrics of all workers. Rejects if
 * the package is missing.
 */
export async function openMetrics(
  settings: MetricsSettings,
  database: Pick<Database, 'activity'>,
  { supervised, ...further }: MetricsSources,
): Promise<OpenedMetrics> {
  const { registry, middleware } = createMetrics(await loadPrometheus(), database, further);
  supervised?.onCollect(() => registry.getMetricsAsJSON());
  const collect = (): Promise<string> => supervised?.collectAll() ?? registry.metrics();
  let end = (): void => undefined;
  return {
    count: middleware,
    route: metricsRoute(settings, collect),
    async listen() {
      if (!supervised) end = await listenForMetrics(settings, collect);
    },
    close: () => end(),
  };
}
