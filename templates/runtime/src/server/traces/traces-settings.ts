/** Whether traces are wanted: the variables are those of OpenTelemetry, most of which its SDK reads by itself. */

export interface TracesSettings {
  /** The address of the collector, or of what it has for traces. */
  readonly endpoint: string;
  /** `http/protobuf`, `http/json`, or one that is not supported. */
  readonly protocol: string;
  /** Whether the traces of callers are continued. */
  readonly continues: boolean;
}

/** For an address that the SDK would ignore without a word, and take its own for. */
export const WRONG_ENDPOINT = 'the endpoint must be http://… or https://…';

export function isWebAddress(url: string): boolean {
  return /^https?:\/\//iu.test(url) && URL.canParse(url);
}

function itemsOf(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim().toLowerCase());
}

/** Undefined: there are none. An empty variable counts as absent. */
export function tracesSettings(environment: NodeJS.ProcessEnv): TracesSettings | undefined {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const endpoint = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined) return undefined;
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  if (!itemsOf(read('OTEL_TRACES_EXPORTER') ?? 'otlp').includes('otlp')) return undefined;
  return {
    endpoint,
    protocol: read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf',
    continues: read('OTEL_PROPAGATORS')?.toLowerCase() !== 'none',
  };
}
