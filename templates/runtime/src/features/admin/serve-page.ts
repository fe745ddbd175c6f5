/** Delivers the page: its document for every path below `/admin/` that is no file, and the files that it consists of. */
import type { Context, Middleware } from 'koa';
import { late } from '../../base/late.ts';
import type { AdminSettings } from '../../contract/admin.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { DOCUMENT, ENCODINGS, type PageFile, type PageFiles, readPage } from './page-files.ts';

const MOUNT = '/admin';

/** The names of files have their hash in them. */
const FOREVER = 'public, max-age=31536000, immutable';

function originOf(url: string): string {
  // A placeholder is no part of an origin.
  return new URL(url.replaceAll(/[{}]/gu, '')).origin;
}

/** What the page may load. `files` is where files are, if that is another host; `preview` is shown within the page. */
function contentSecurityPolicy({ files, preview }: PageOrigins): string {
  const from = (own: string, other: string | undefined): string =>
    other === undefined ? own : `${own} ${originOf(other)}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${from("'self' data: blob:", files)}`,
    `media-src ${from("'self' blob:", files)}`,
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${preview === undefined ? "'none'" : originOf(preview)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** URLs of other hosts. */
interface PageOrigins {
  readonly files: string | undefined;
  readonly preview: string | undefined;
}

export function pageOrigins(admin: AdminSettings | undefined, files: string | undefined): PageOrigins {
  return { files, preview: typeof admin === 'object' ? admin.previewUrl : undefined };
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

/** A path of the page, which its script takes apart: no file is called so. */
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
  // Only what was listed is there: no path leads out of the folder.
  const file = files.get(isDocument ? DOCUMENT : name);
  if (!file) throw new NotFoundError();
  ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': isDocument ? 'no-cache' : FOREVER });
  await send(ctx, file);
}

/** Requests to other paths cost a look at theirs. `folders`: where the page may be. */
export function servePage(origins: PageOrigins, folders?: readonly string[]): Middleware {
  const policy = contentSecurityPolicy(origins);
  const load = late(() => readPage(folders));
  const deliver: Middleware = async (ctx, next) => {
    const files = await load();
    return files ? answer(ctx, files, policy) : next();
  };
  return (ctx, next) => {
    const isBelow = ctx.path === MOUNT || ctx.path.startsWith(`${MOUNT}/`);
    return isBelow ? deliver(ctx, next) : next();
  };
}
