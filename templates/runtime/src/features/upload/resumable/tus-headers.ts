/** Headers of the protocol tus that all answers have, errors too. */
import type { Middleware } from 'koa';
import { HttpError } from '../../../contract/errors.ts';
import { RESUMABLE_PATH } from '../../../contract/routes/resumable.ts';

export const TUS_VERSION = '1.0.0';
const EXTENSIONS = 'creation,expiration,termination';

/** What pages of other origins may read. */
const EXPOSED = [
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
  'Upload-Metadata',
  'Upload-File-Id',
];
const CORS_HEADER = 'Access-Control-Expose-Headers';

/** Methods that clients behind proxies send as `POST`. */
const OVERRIDING: ReadonlySet<string> = new Set(['PATCH', 'DELETE']);

/** Answers `OPTIONS`, too. `maxSize`: of a file, in bytes. */
export function tusHeaders(maxSize: number): Middleware {
  return (ctx, next) => {
    const isBelow = ctx.path.startsWith(`${RESUMABLE_PATH}/`);
    if (!isBelow && ctx.path !== RESUMABLE_PATH) return next();
    ctx.set({ 'Tus-Resumable': TUS_VERSION, 'Cache-Control': 'no-store' });
    const shared = ctx.response.get(CORS_HEADER);
    if (shared !== '') ctx.set(CORS_HEADER, [shared, ...EXPOSED].join(','));
    if (ctx.method === 'OPTIONS') {
      ctx.set({ 'Tus-Version': TUS_VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Max-Size': String(maxSize) });
    }
    const override = ctx.get('X-HTTP-Method-Override').toUpperCase();
    if (isBelow && ctx.method === 'POST' && OVERRIDING.has(override)) ctx.method = override;
    return next();
  };
}

/** Throws HttpError 412 unless the client speaks the same version. */
export function requireVersion(version: string): void {
  if (version === TUS_VERSION) return;
  const message = `Tus-Resumable must be ${TUS_VERSION}: uploads continue by the protocol tus, https://tus.io`;
  throw new HttpError(412, 'PreconditionFailedError', message, {}, { 'Tus-Version': TUS_VERSION });
}
