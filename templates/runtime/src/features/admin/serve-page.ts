/** Serves the admin page: its assets, and its HTML document for every other path below `/admin/` (client-side routing). */
import type { Context, Middleware } from 'koa';
import { lazyImport } from '../../base/lazy-import.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { DOCUMENT, ENCODINGS, type PageFile, type PageFiles, readPage } from './page-files.ts';

const MOUNT = '/admin';

/** File names contain a content hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Allows the page to load media from the origin of `mediaUrl`. It has no frames: previews open in a tab. */
function contentSecurityPolicy(mediaUrl: string | undefined): string {
  const from = (own: string, other: string | undefined): string =>
    other === undefined ? own : `${own} ${new URL(other).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${from("'self' data: blob:", mediaUrl)}`,
    `media-src ${from("'self' blob:", mediaUrl)}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function send(ctx: Context, file: PageFile): Promise<void> {
  const encoding = ctx.acceptsEncodings(...ENCODINGS);
  const chosen = ENCODINGS.find((known) => known === encoding) ?? 'identity';
  ctx.vary('Accept-Encoding');
  ctx.set('ETag', `"${file.etag}-${chosen}"`);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.body = await file.body(chosen);
  ctx.set('Content-Type', file.type);
  if (chosen !== 'identity') ctx.set('Content-Encoding', chosen);
}

/** Whether the path is a client-side route: unlike file names, these have no dot in the last segment. */
function isPagePath(name: string): boolean {
  return !name.slice(name.lastIndexOf('/') + 1).includes('.');
}

async function answer(ctx: Context, files: PageFiles, policy: string): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    ctx.status = 405;
    return;
  }
  if (ctx.path === MOUNT) return ctx.redirect(`${MOUNT}/`);
  const name = ctx.path.slice(MOUNT.length + 1);
  const isDocument = name === DOCUMENT || isPagePath(name);
  // Looked up among the listed files, so path traversal is impossible.
  const file = files.get(isDocument ? DOCUMENT : name);
  if (!file) throw new NotFoundError();
  ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': isDocument ? 'no-cache' : FOREVER });
  await send(ctx, file);
}

/** Middleware for `/admin`; reads the files on the first request. `folders` overrides where the built page is searched; `mediaUrl` is where files on another host are. */
export function servePage(mediaUrl: string | undefined, folders?: readonly string[]): Middleware {
  const policy = contentSecurityPolicy(mediaUrl);
  const load = lazyImport(() => readPage(folders));
  const deliver: Middleware = async (ctx, next) => {
    const files = await load();
    return files ? answer(ctx, files, policy) : next();
  };
  return (ctx, next) => {
    const isBelow = ctx.path === MOUNT || ctx.path.startsWith(`${MOUNT}/`);
    return isBelow ? deliver(ctx, next) : next();
  };
}
