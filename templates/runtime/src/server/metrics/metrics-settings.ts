/** Settings of metrics: where they are served, and to whom. */
import { anyText, flag, matching, optional, type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';

export interface MetricsSettings {
  /** A dedicated port for metrics. */
  readonly port: number | undefined;
  readonly host: string;
  /** The token that requests must send as `Authorization: Bearer …`. */
  readonly token: string | undefined;
}

/** The environment variables of these settings. */
export const metricsVariables = {
  METRICS: withDefault(flag, false),
  METRICS_PORT: optional(wholeNumber(0, 65_535)),
  METRICS_HOST: withDefault(anyText, '127.0.0.1'),
  METRICS_TOKEN: optional(matching(/^[\w.~+/=-]{16,}$/u, 'must have at least 16 characters: openssl rand -hex 32')),
};

/** A problem if anybody could read the metrics. */
export function publicMetricsProblem(environment: NodeJS.ProcessEnv): string[] {
  if (environment['METRICS'] !== 'true' || environment['METRICS_PORT'] || environment['METRICS_TOKEN']) return [];
  return [
    'METRICS requires METRICS_PORT, a port only for metrics, or METRICS_TOKEN: otherwise everyone could read /_metrics',
  ];
}

/** The settings; undefined if metrics are disabled. */
export function metricsSettings(data: ValuesOf<typeof metricsVariables>): MetricsSettings | undefined {
  if (!data.METRICS && data.METRICS_PORT === undefined) return undefined;
  return { port: data.METRICS_PORT, host: data.METRICS_HOST, token: data.METRICS_TOKEN };
}
