/** A span for each request, following the semantic conventions of OpenTelemetry for HTTP. */
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { Context, Middleware } from 'koa';
import { HEALTH_ROUTES } from '../../contract/routes/health.ts';
import { matchedRoute } from '../../http/matched-route.ts';
import { requestId, traceId } from '../../http/state.ts';
import { copyPrefix } from './copy-prefix.ts';
import type { TracePackages } from './trace-packages.ts';

type Api = TracePackages['api'];

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
/** Maximum length of a path in a span, in characters: a URL may be as long as all headers together. */
const MAX_PATH = 1000;
/** Paths that machines poll every few seconds. */
const UNTRACED: ReadonlySet<string> = new Set([...HEALTH_ROUTES.map(({ path }) => path), '/_metrics']);

/** The attributes known at the start of a request. The query string is left out, as it may contain secrets. */
function attributesOf({ method, path, protocol, req }: Context): Attributes {
  return {
    ...(METHODS.has(method)
      ? { 'http.request.method': method }
      : { 'http.request.method': '_OTHER', 'http.request.method_original': method }),
    'url.path': copyPrefix(path, MAX_PATH),
    'url.scheme': protocol,
    'network.protocol.version': req.httpVersion,
  };
}

/** Ends the span of a request once its response is closed. There is no status if the client disconnected before the response. */
function endSpan(ctx: Context, span: Span, { SpanStatusCode }: Pick<Api, 'SpanStatusCode'>): void {
  const route = matchedRoute(ctx);
  if (route !== undefined) {
    span.setAttribute('http.route', route);
    span.updateName(`${ctx.method} ${route}`);
  }
  const id = requestId.get(ctx);
  if (id !== undefined) span.setAttribute('http.response.header.x-request-id', [id]);
  const { headersSent, statusCode } = ctx.res;
  if (headersSent) span.setAttribute('http.response.status_code', statusCode);
  if (headersSent && statusCode >= 500) {
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(statusCode));
  }
  span.end();
}

/** The middleware that creates the spans. Continues the caller's trace, if there is one. Health checks get no spans. */
export function requestSpans(api: Api, tracer: Tracer): Middleware {
  const { context, propagation, trace } = api;
  return (ctx, next) => {
    if (UNTRACED.has(ctx.path)) return next();
    const parent = propagation.extract(api.ROOT_CONTEXT, ctx.req.headers);
    const name = METHODS.has(ctx.method) ? ctx.method : 'HTTP';
    const span = tracer.startSpan(name, { kind: api.SpanKind.SERVER, attributes: attributesOf(ctx) }, parent);
    if (!span.isRecording()) return context.with(trace.setSpan(parent, span), next);
    traceId.set(ctx, span.spanContext().traceId);
    ctx.res.once('close', () => endSpan(ctx, span, api));
    return context.with(trace.setSpan(parent, span), next);
  };
}
