/** CORS headers for the origins that the settings name. */
import type { Context, Middleware } from 'koa';

/** Undefined where browsers may call from nowhere else; then not even the package is loaded. */
export async function corsHeaders(origins: readonly string[]): Promise<Middleware | undefined> {
  if (origins.length === 0) return undefined;
  const { default: cors } = await import('@koa/cors');
  const allowed = new Set(origins);
  const origin = (ctx: Context): string => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : '');
  return cors({ origin, keepHeadersOnError: true });
}
