/** Serves stored files under `/uploads/`, with headers that keep browsers from running scripts in them with this origin. */
import type { Context, Middleware } from 'koa';
import { NotFoundError } from '../../contract/errors.ts';
import { servedAs } from '../../contract/file-kinds.ts';
import { clientOf } from '../../http/client.ts';
import { matchesIfNoneMatch } from '../../http/conditions.ts';
import type { NamesBefore } from './accepted-formats.ts';
import { type ByteRange, isStoredName, type OpenFile, SERVED_AT, type Storage } from '../../storage/storage.ts';

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  // Files are meant to be embedded by pages of other origins.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
};

/** For files that everyone may read who knows their address. */
export const PUBLIC = 'public, max-age=86400';

const MAX_RANGE_LENGTH = 50;
const RANGE = /^bytes=(?<start>\d*)-(?<end>\d*)$/u;

/**
 * The requested range: undefined for the whole file, also if the header is malformed or asks for several ranges;
 * `unsatisfiable` if the range starts after the end.
 */
function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const groups = header.length > MAX_RANGE_LENGTH ? undefined : RANGE.exec(header)?.groups;
  if (!groups || (groups['start'] === '' && groups['end'] === '')) return undefined;
  const last = size - 1;
  if (groups['start'] === '') {
    const length = Number(groups['end']);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: last };
  }
  const start = Number(groups['start']);
  const end = groups['end'] === '' ? last : Math.min(Number(groups['end']), last);
  if (groups['end'] !== '' && Number(groups['end']) < start) return undefined;
  return start > last ? 'unsatisfiable' : { start, end };
}

function setHeaders(ctx: Context, name: string, caching: string): void {
  const { type, disposition } = servedAs(name.slice(name.lastIndexOf('.')).toLowerCase());
  ctx.set({
    ...HEADERS,
    'Cache-Control': caching,
    'Content-Type': type,
    'Content-Disposition': disposition,
    ETag: `"${name}"`,
  });
}

/** The range to send; undefined for the whole file, also if `If-Range` has another tag than this file. */
function rangeFor(ctx: Context, name: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = ctx.get('if-range');
  return condition === '' || condition === `"${name}"` ? parseRange(ctx.get('range'), size) : undefined;
}

/** Sets status, length and headers of a range. */
function setRange(ctx: Context, range: ByteRange | 'unsatisfiable' | undefined, size: number): void {
  if (range === 'unsatisfiable') {
    ctx.status = 416;
    // A cache that ignores ranges would keep it in place of the file.
    ctx.set({ 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' });
  } else if (range) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
    ctx.length = range.end - range.start + 1;
  } else {
    ctx.status = 200;
    ctx.length = size;
  }
}

async function answer(ctx: Context, name: string, file: OpenFile, caching: string): Promise<void> {
  if (matchesIfNoneMatch(ctx, name)) {
    await file.close();
    setHeaders(ctx, name, caching);
    ctx.status = 304;
    return;
  }
  const range = rangeFor(ctx, name, file.size);
  // Before the headers: a failure must not be kept by caches as if it were the file.
  const content = ctx.method === 'HEAD' || range === 'unsatisfiable' ? await file.close() : await file.read(range);
  if (content) ctx.body = content;
  setHeaders(ctx, name, caching);
  setRange(ctx, range, file.size);
}

/** How a request may read a file, as `Cache-Control`; undefined if it may not. */
export type ReadFile = (ctx: Context, name: string) => string | Promise<string | undefined>;

/** The first of the files that there is, with its name. */
async function openFirst(
  storage: Storage,
  names: readonly string[],
  ctx: Context,
): Promise<{ readonly found: string; readonly file: OpenFile } | undefined> {
  for (const found of names) {
    const file = await storage.open(found, clientOf(ctx));
    if (file) return { found, file };
  }
  return undefined;
}

/**
 * Handles GET and HEAD under `/uploads/`. Throws NotFoundError if there is no stored file with this name, or `mayRead` refuses it: by
 * default everyone may read it. `before`: the other formats of a size, which are as readable as the size.
 */
export function serveFiles(storage: Storage, mayRead: ReadFile = () => PUBLIC, before?: NamesBefore): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(SERVED_AT)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    const name = ctx.path.slice(SERVED_AT.length);
    const others = isStoredName(name) ? before?.(name, ctx.get('accept')) : undefined;
    if (others) ctx.vary('Accept');
    const opened = isStoredName(name) ? await openFirst(storage, [...(others ?? []), name], ctx) : undefined;
    if (!opened) throw new NotFoundError();
    const { found, file } = opened;
    let caching: string | undefined;
    try {
      caching = await mayRead(ctx, name);
    } finally {
      if (caching === undefined) await file.close();
    }
    if (caching === undefined) throw new NotFoundError();
    await answer(ctx, found, file, caching);
  };
}
