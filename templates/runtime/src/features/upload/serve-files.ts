/** Serves stored files under `/uploads/`, with headers that keep browsers from running scripts in them with this origin. */
import type { Context, Middleware } from 'koa';
import { NotFoundError } from '../../contract/errors.ts';
import { servedAs } from '../../contract/file-kinds.ts';
import { type ByteRange, isStoredName, type OpenFile, SERVED_AT, type Storage } from '../../storage/storage.ts';

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  // Files are meant to be embedded by pages of other origins.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=86400',
  'Accept-Ranges': 'bytes',
};

const MAX_RANGE_LENGTH = 50;
const RANGE = /^bytes=(?<start>\d{0,15})-(?<end>\d{0,15})$/u;

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

function setHeaders(ctx: Context, name: string): void {
  const { type, disposition } = servedAs(name.slice(name.lastIndexOf('.')).toLowerCase());
  ctx.set({ ...HEADERS, 'Content-Type': type, 'Content-Disposition': disposition, ETag: `"${name}"` });
}

/** Sets status and headers of the response; returns the range to send. */
function answerRange(ctx: Context, size: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = ctx.get('if-range');
  const isStale = condition !== '' && condition !== ctx.response.get('etag');
  const range = isStale ? undefined : parseRange(ctx.get('range'), size);
  if (range === 'unsatisfiable') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${size}`);
  } else if (range) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
    ctx.length = range.end - range.start + 1;
  } else {
    ctx.status = 200;
    ctx.length = size;
  }
  return range;
}

async function answer(ctx: Context, file: OpenFile): Promise<void> {
  const range = answerRange(ctx, file.size);
  if (range === 'unsatisfiable' || ctx.method === 'HEAD') {
    await file.close();
    return;
  }
  const { length } = ctx;
  const type = ctx.response.get('content-type');
  ctx.body = await file.read(range);
  ctx.set('Content-Type', type);
  if (length !== undefined) ctx.length = length;
}

/** Handles GET and HEAD under `/uploads/`. Throws NotFoundError if there is no stored file with this name. */
export function serveFiles(storage: Storage): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(SERVED_AT)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    const name = ctx.path.slice(SERVED_AT.length);
    const file = isStoredName(name) ? await storage.open(name) : undefined;
    if (!file) throw new NotFoundError();
    setHeaders(ctx, name);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return file.close();
    }
    await answer(ctx, file);
  };
}
