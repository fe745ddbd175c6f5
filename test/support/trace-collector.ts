/** A trace collector: an HTTP server that accepts OTLP as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly arrayValue?: object };

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2: server; 3: client. */
  readonly kind: number;
  /** Code 2: error. */
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, string | number | object | undefined>>;
  /** The attributes of the resource. */
  readonly service: Readonly<Record<string, string | number | object | undefined>>;
}

type Attributes = readonly { readonly key: string; readonly value: Value }[];

interface SentSpan extends Omit<CollectedSpan, 'attributes' | 'service'> {
  readonly attributes: Attributes;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

function plain(attributes: Attributes): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, arrayValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? arrayValue : Number(intValue)),
    ]),
  );
}

function spansIn({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = plain(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), service })),
    );
  });
}

export interface TraceCollector {
  readonly port: number;
  readonly spans: readonly CollectedSpan[];
  /** Everything received, as text. */
  received(): string;
  /** Content types that were received. */
  readonly types: ReadonlySet<string>;
  close(): void;
}

/** `isMute`: accepts connections and requests, and never responds. */
export async function openCollector({ isMute = false } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const types = new Set<string>();
  let received = '';
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received += body;
      types.add(request.headers['content-type'] ?? '');
      if (request.headers['content-type'] === 'application/json') spans.push(...spansIn(JSON.parse(body) as Sent));
      if (!isMute) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    spans,
    received: () => received,
    types,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
