/** Traces of one process, sent to a collector over OTLP. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { StatementWatch } from '../../database/statement-watch.ts';
import type { Logger } from '../../http/log.ts';
import type { Settings } from '../settings.ts';
import { reportingExporter } from './reporting-exporter.ts';
import { requestSpans } from './request-spans.ts';
import { databaseAttributes, statementSpans } from './statement-spans.ts';
import { loadTracePackages, type TracePackages } from './trace-packages.ts';
import { isWebAddress, type TracesSettings, WRONG_ENDPOINT } from './traces-settings.ts';

/** What creates spans, and sends them. */
export interface OpenedTraces {
  /** Traces requests. Must be the first middleware. */
  readonly request: Middleware;
  /** Traces statements. */
  readonly watch: StatementWatch;
  /** Flushes pending spans, but doesn't wait long for the collector. Never rejects. */
  close(): Promise<void>;
}

/** How long a stopping server waits for the collector, in milliseconds. */
const FLUSH_TIME = 2000;

/** The instrumentation scope of all spans. */
const SCOPE = '@content-gen/runtime';

/** Whether the process was started with another OpenTelemetry SDK, which creates its own spans for requests and statements. */
function isTaken({ trace, ProxyTracerProvider }: TracePackages['api']): boolean {
  const current = trace.getTracerProvider();
  const none = new ProxyTracerProvider().getDelegate();
  return !(current instanceof ProxyTracerProvider) || current.getDelegate() !== none;
}

function createProvider(
  { sdk, resources, exporter }: TracePackages,
  service: Readonly<Record<string, string>>,
  logger: Logger,
) {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  // The SDK reads sampling, limits, queue and collector address from the environment.
  return new sdk.NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ ...service, 'service.instance.id': randomUUID() }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(reportingExporter(new exporter.OTLPTraceExporter(), logger))],
  });
}

/** Opens traces for the service `name`. Undefined, with a message in the log, if that isn't possible: a server works without. */
export function openTraces(
  { endpoint, protocol, continues }: TracesSettings,
  { name, databaseUrl }: { readonly name: string } & Pick<Settings, 'databaseUrl'>,
  logger: Logger,
): OpenedTraces | undefined {
  const packages = isWebAddress(endpoint) ? loadTracePackages(protocol) : WRONG_ENDPOINT;
  if (typeof packages === 'string') {
    logger.warn(`traces are not sent: ${packages}`);
    return undefined;
  }
  const { api } = packages;
  if (isTaken(api)) {
    logger.info('traces are left to the OpenTelemetry SDK that this process was started with');
    return undefined;
  }
  const provider = createProvider(packages, { 'service.name': name }, logger);
  provider.register(continues ? {} : { propagator: null });
  const tracer = provider.getTracer(SCOPE);
  return {
    request: requestSpans(api, tracer),
    watch: statementSpans(api, tracer, databaseAttributes(databaseUrl)),
    async close() {
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(FLUSH_TIME, undefined, { ref: false })]);
      for (const part of [api.trace, api.context, api.propagation]) part.disable();
    },
  };
}
