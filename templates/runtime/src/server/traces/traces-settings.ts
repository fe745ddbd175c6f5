/** Settings of traces. The variables are those of OpenTelemetry, most of which its SDK reads itself. */

export interface TracesSettings {
  /** The URL of the collector, or of its endpoint for traces. */
  readonly endpoint: string;
  /** `http/protobuf`, `http/json`, or an unsupported one. */
  readonly protocol: string;
  /** Whether callers' traces are continued. */
  readonly continues: boolean;
}

/** The problem with an address that the SDK would silently replace by its default. */
export const WRONG_ENDPOINT = 'the endpoint must be http://… or https://…';

/** Whether a text is an HTTP or HTTPS URL. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//iu.test(url) && URL.canParse(url);
}

function itemsOf(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim().toLowerCase());
}

/** The settings; undefined if traces are disabled. Empty variables count as unset. */
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
