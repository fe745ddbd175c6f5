/** The packages of OpenTelemetry, which only servers with traces install. */
import type * as Api from '@opentelemetry/api';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace-node';
import { loadOptional } from '../../base/load-package.ts';

/** The loaded packages. */
export interface TracePackages {
  readonly api: typeof Api;
  readonly resources: typeof Resources;
  readonly sdk: typeof Sdk;
  readonly exporter: { readonly OTLPTraceExporter: new () => Sdk.SpanExporter };
}

/** The versions to install: later ones need a later Node.js than this server does. */
const VERSIONS: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.9',
  '@opentelemetry/resources': '2',
  '@opentelemetry/sdk-trace-node': '2',
  '@opentelemetry/exporter-trace-otlp-proto': '0.223',
  '@opentelemetry/exporter-trace-otlp-http': '0.223',
};

/** Protocol → exporter package. */
const EXPORTERS: ReadonlyMap<string, string> = new Map([
  ['http/protobuf', '@opentelemetry/exporter-trace-otlp-proto'],
  ['http/json', '@opentelemetry/exporter-trace-otlp-http'],
]);

/** The packages that a protocol needs; undefined if it isn't supported. */
function namesFor(protocol: string): readonly string[] | undefined {
  const exporter = EXPORTERS.get(protocol);
  if (exporter === undefined) return undefined;
  return ['@opentelemetry/api', '@opentelemetry/resources', '@opentelemetry/sdk-trace-node', exporter];
}

/** Loads the packages, or returns a text that says why that isn't possible, and what to do about it. */
export function loadTracePackages(protocol: string): TracePackages | string {
  const names = namesFor(protocol);
  if (!names) return `the protocol ${protocol} is not supported: set it to ${[...EXPORTERS.keys()].join(' or ')}`;
  const [api, resources, sdk, exporter] = names.map(loadOptional);
  if (!api || !resources || !sdk || !exporter) {
    const install = names.map((name) => `${name}@${VERSIONS[name]}`).join(' ');
    return `their packages are not installed: npm install ${install}`;
  }
  return { api, resources, sdk, exporter } as TracePackages;
}
