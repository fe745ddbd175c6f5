/** `GET /_metrics`, on a dedicated port or with a token, since metrics reveal how the server is used. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { ForbiddenError, UnauthorizedError } from '../../contract/errors.ts';
import type { MetricsSettings } from './metrics-settings.ts';
import { listenError } from '../listen-error.ts';

/** Returns all metrics in the text format of Prometheus. */
export type Collect = () => Promise<string>;

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** `/metrics` is the default of Prometheus. */
const PATHS: ReadonlySet<string | undefined> = new Set(['/_metrics', '/metrics']);

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether a request has the token, if one is required. Takes constant time. */
function mayRead(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  return timingSafeEqual(hashOf(authorization ?? ''), hashOf(`Bearer ${token}`));
}

/** Serves metrics on the port of the API, with a token only. */
export function metricsRoute({ token }: Pick<MetricsSettings, 'token'>, collect: Collect): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/_metrics') return next();
    if (token === undefined) {
      throw new ForbiddenError('Metrics are served on METRICS_PORT; on this port, they require METRICS_TOKEN');
    }
    if (!mayRead(ctx.get('authorization'), token)) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedError();
    }
    ctx.set('Content-Type', CONTENT_TYPE);
    ctx.body = await collect();
  };
}

async function answer(request: IncomingMessage, token: string | undefined, collect: Collect) {
  if (!PATHS.has(request.url?.split('?', 1)[0])) return { status: 404, text: 'Metrics are at /_metrics\n' };
  if (!mayRead(request.headers.authorization, token)) return { status: 401, text: 'METRICS_TOKEN is required\n' };
  try {
    return { status: 200, text: await collect() };
  } catch (error) {
    return { status: 500, text: `${String(error)}\n` };
  }
}

/** Listens on `METRICS_PORT`, if it is set. Resolves with a function that closes the server; rejects if it can't listen. */
export async function listenForMetrics(settings: MetricsSettings, collect: Collect): Promise<() => void> {
  const { port, host, token } = settings;
  if (port === undefined) return () => undefined;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request, token, collect).then(({ status, text }) => {
      response.writeHead(status, { 'Content-Type': CONTENT_TYPE }).end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    throw listenError(error, { host, port, prefix: 'METRICS_' });
  });
  // Only the API keeps the process alive.
  server.unref();
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
