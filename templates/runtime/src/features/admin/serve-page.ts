/** Serves the admin page: its assets, and its HTML document for every other path below `/admin/` (client-side routing). */
import type { Context, Middleware } from 'koa';
import { lazyImport } from '../../base/lazy-import.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { unlogged } from '../../http/state.ts';
import type { OwnPart } from './own-part.ts';
import { DOCUMENT, ENCODINGS, type PageFile, type PageFiles, readPage } from './page-files.ts';

const MOUNT = '/admin';

/** Below it, the team's own part. */
const OWN = 'extensions/';

/** File names contain a content hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The script of sites that are previewed, which they load from here. */
const PREVIEW_SCRIPT = 'preview.js';

/** Where the page is, and which other hosts it shows something of. */
interface Page {
  /** Where files on another host are. */
  readonly mediaUrl?: string | undefined;
  /** The preview of an entry, with placeholders after its host; undefined if there is none. */
  readonly previewUrl?: string | undefined;
  /** The team's own part of the page. */
  readonly own?: OwnPart | undefined;
  /** Overrides where the built page is searched. */
  readonly folders?: readonly string[];
}

/** Allows the page to load media from the origin of `mediaUrl`, and to frame that of `previewUrl`. */
function contentSecurityPolicy({ mediaUrl, previewUrl }: Page): string {
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
    `frame-src ${previewUrl === undefined ? "'none'" : new URL(previewUrl).origin}`,
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

/** What else than the policy a file is sent with. Only the preview script is for the pages of other hosts, by its unchanging name. */
function headersOf(name: string, isDocument: boolean): Readonly<Record<string, string>> {
  if (name !== PREVIEW_SCRIPT) return { 'Cache-Control': isDocument ? 'no-cache' : FOREVER };
  return { 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' };
}

/** Answers a request for the team's own part of the page, if it is one. */
async function answerOwn(ctx: Context, name: string, own: OwnPart): Promise<boolean> {
  const found = await own.answer(name);
  if (!found) return false;
  if (found.isPolled) unlogged.set(ctx, true);
  ctx.set('Cache-Control', found.isLasting ? FOREVER : 'no-cache');
  await send(ctx, found.file);
  return true;
}

async function answer(ctx: Context, files: PageFiles, policy: string, own: OwnPart | undefined): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    ctx.status = 405;
    return;
  }
  if (ctx.path === MOUNT) return ctx.redirect(`${MOUNT}/`);
  const name = ctx.path.slice(MOUNT.length + 1);
  ctx.set('Content-Security-Policy', policy);
  if (own && name.startsWith(OWN) && (await answerOwn(ctx, name.slice(OWN.length), own))) return;
  const isDocument = name === DOCUMENT || isPagePath(name);
  // Looked up among the listed files, so path traversal is impossible.
  const file = files.get(isDocument ? DOCUMENT : name);
  if (!file) throw new NotFoundError();
  ctx.set(headersOf(name, isDocument));
  await send(ctx, file);
}

/** Middleware for `/admin`; reads the files on the first request. */
export function servePage(page: Page): Middleware {
  const policy = contentSecurityPolicy(page);
  const load = lazyImport(() => readPage(page.folders));
  const deliver: Middleware = async (ctx, next) => {
    const files = await load();
    return files ? answer(ctx, files, policy, page.own) : next();
  };
  return (ctx, next) => {
    const isBelow = ctx.path === MOUNT || ctx.path.startsWith(`${MOUNT}/`);
    return isBelow ? deliver(ctx, next) : next();
  };
}
