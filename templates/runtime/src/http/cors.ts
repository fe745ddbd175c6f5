/** CORS headers for the configured origins. */
import type { Context, Middleware } from 'koa';
import { loadCors } from '../base/lazy-packages.ts';
import { err, ok } from '../contract/values/cast-result.ts';
import type { ReadText } from '../base/environment.ts';
import { varyBy } from './vary.ts';

export interface CorsSettings {
  /** Allowed origins, such as `https://example.org`; `*` allows all. */
  readonly origins: readonly string[];
  /** Whether pages on this machine are allowed, on any port: for development. */
  readonly localhost: boolean;
}

/** Response headers that pages may read, besides those that CORS always allows. */
const exposeHeaders = ['ETag', 'Retry-After', 'Idempotency-Replayed'];

const LOCALHOST = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/u;
const PROBLEM = 'must be *, or origins such as https://example.org, separated by commas';

/** The origin of a URL as browsers send it: in lower case, without a default port. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** Parses an origin or `*`. One with a path is rejected, since it would never match what browsers send. */
export const readOrigin: ReadText<string> = (text) => {
  if (text === '*') return ok(text);
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/]/iu.test(text) || !URL.canParse(text)) return err(PROBLEM);
  const url = new URL(text);
  const origin = originOf(url);
  if (/^[^:]+:\/\/[^/?#@]+$/u.test(text)) return ok(origin);
  return err(`must be origins, without a path, a trailing slash or a user: ${origin} instead of ${text}`);
};

/**
 * Undefined if no other origin is allowed. Credentials (cookies) are never allowed: callers of this server send
 * `Authorization`.
 */
export function corsHeaders({ origins, localhost }: CorsSettings): Middleware | undefined {
  if (origins.length === 0 && !localhost) return undefined;
  const allowed = new Set(origins);
  const isOpen = allowed.has('*');
  const origin = (ctx: Context): string => {
    if (isOpen) return '*';
    const asking = ctx.get('Origin');
    return allowed.has(asking) || (localhost && LOCALHOST.test(asking)) ? asking : '';
  };
  let cors: Middleware | undefined;
  return (ctx, next) => {
    if (ctx.get('Origin') === '') {
      // A cache must not serve this response to other origins.
      if (!isOpen) varyBy(ctx, 'Origin');
      return next();
    }
    return (cors ??= loadCors()({ origin, exposeHeaders, keepHeadersOnError: true }))(ctx, next);
  };
}
