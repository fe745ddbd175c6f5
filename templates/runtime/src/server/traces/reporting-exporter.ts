/** An exporter that logs a warning when its collector starts to reject spans. */
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../../http/log.ts';

/** Minimum interval between warnings in the log, in milliseconds. */
const REPORT_INTERVAL = 600_000;

/** Wraps an exporter, so that its failures are logged. */
export function reportingExporter(
  exporter: Pick<SpanExporter, 'export' | 'shutdown'>,
  logger: Pick<Logger, 'warn'>,
): SpanExporter {
  let isFailing = false;
  let reportedAt = -Infinity;

  function report({ message: reason }: Error): void {
    if (isFailing || performance.now() - reportedAt < REPORT_INTERVAL) return;
    reportedAt = performance.now();
    logger.warn({ reason }, 'the collector does not accept the traces: they are dropped');
  }

  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) report(result.error);
        isFailing = result.error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
