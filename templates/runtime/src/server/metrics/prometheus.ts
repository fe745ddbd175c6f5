/** The package for metrics, which only servers with `METRICS` or `METRICS_PORT` install. */
import type * as Package from 'prom-client';
import { explainMissingPackage } from '../../base/missing-module.ts';

export type Prometheus = (typeof Package)['default'];

/** Loads the package. Rejects with an error that says how to install it. */
export async function loadPrometheus(): Promise<Prometheus> {
  const loaded = await import('prom-client').catch(
    explainMissingPackage('METRICS (or METRICS_PORT)', 'prom-client@15'),
  );
  return loaded.default;
}
