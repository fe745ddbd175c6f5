/** Reads request bodies: JSON in UTF-8 or multipart, with size limits. */
import type { Context } from 'koa';
import { BadRequestError, HttpError } from '../contract/errors.ts';
import { withPauseAfter } from '../base/long-work.ts';
import { loadRawBody } from '../base/lazy-packages.ts';
import { parseJson } from '../contract/values/parse-json.ts';
import { clientOf } from './client.ts';
import { discardRest } from './discard-rest.ts';
import { waitForBodyTurn } from './long-requests.ts';
import { bodyLimit, bodyWatch, format, formReader, parsedBody } from './state.ts';

const MISSING_DATA = 'Missing "data" payload in the request body';
const JSON_TYPES = ['json', '+json'];

interface BodyError {
  readonly type?: string;
}

function unsupported(message: string): HttpError {
  return new HttpError(415, 'UnsupportedMediaTypeError', message);
}

/** The body if it has arrived as a whole, as small ones do with their head: then it is read without the events of a stream. */
async function arrivedBytes({ req }: Context, limit: number): Promise<Buffer | undefined> {
  // The parser hands over what has arrived with the head before other work goes on.
  if (!req.complete) await Promise.resolve();
  if (!req.complete || req.readableFlowing !== null || req.readableLength > limit) return undefined;
  return (req.read() as Buffer | null) ?? undefined;
}

async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  try {
    const bytes =
      (await arrivedBytes(ctx, limit)) ??
      (await loadRawBody()(ctx.req, { length: ctx.get('content-length') || null, limit }));
    const watch = bodyWatch.get(ctx);
    watch?.update(bytes);
    watch?.end();
    return bytes;
  } catch (error) {
    const { type } = error as BodyError;
    if (type === 'entity.too.large') {
      discardRest(ctx.req);
      throw new HttpError(413, 'PayloadTooLargeError', `The body is larger than ${limit} bytes`);
    }
    throw new BadRequestError('The body ended before it was complete');
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new BadRequestError('The body is not valid UTF-8');
  }
}

function parse(bytes: Buffer): unknown {
  const text = decode(bytes);
  return text === '' ? {} : parseJson(text);
}

/** Whether a request has a body, complete or not. */
export function hasBody(ctx: Context): boolean {
  return ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0;
}

/** Whether there is a body that is said to be JSON. What most clients say needs no parsing. */
export function hasJson(ctx: Context): boolean {
  const { headers } = ctx.req;
  const isPlain = headers['content-type'] === 'application/json' && headers['content-length'] !== undefined;
  return isPlain || Boolean(ctx.is(JSON_TYPES));
}

function refuseEncoding(ctx: Context): void {
  const encoding = ctx.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw unsupported('The body must not be compressed');
}

async function parseObject(ctx: Context): Promise<object> {
  const bytes = hasBody(ctx) ? await readBytes(ctx, bodyLimit.get(ctx) ?? 0) : undefined;
  if (bytes) await waitForBodyTurn(ctx, bytes.length);
  const body = bytes ? await withPauseAfter(() => parse(bytes), clientOf(ctx)) : {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new BadRequestError('The body must be a JSON object');
}

/**
 * The whole body, not validated: for requests without `data`. Throws HttpError 415 for another content type than JSON
 * or a content encoding, 413 over the size limit, 400 for malformed JSON and for a body that is not an object.
 */
export async function readObject(ctx: Context): Promise<object> {
  const known = parsedBody.get(ctx);
  if (known) return known;
  refuseEncoding(ctx);
  if (hasBody(ctx) && !hasJson(ctx)) throw unsupported('The body must be application/json');
  return parseObject(ctx);
}

/** The bytes of the body as they were sent, for signatures. Throws HttpError 413 over the size limit. */
export async function readRaw(ctx: Context, limit = bodyLimit.get(ctx) ?? 0): Promise<Buffer> {
  return hasBody(ctx) ? readBytes(ctx, limit) : Buffer.alloc(0);
}

/**
 * The `data` of the body, not validated. Files of a multipart body are stored, and `data` has their ids. Throws
 * HttpError 415 for another content type or a content encoding, 413 over the size limit, 400 for malformed JSON, a body
 * that is not an object, and missing `data`.
 */
export async function readData(ctx: Context): Promise<unknown> {
  refuseEncoding(ctx);
  const readForm = formReader.get(ctx);
  if (readForm && hasBody(ctx) && ctx.is('multipart/form-data')) {
    if (format.get(ctx)?.rules === 'v5') throw new BadRequestError(MISSING_DATA);
    return readForm(ctx);
  }
  if (hasBody(ctx) && !hasJson(ctx)) {
    throw unsupported('The body must be application/json or multipart/form-data');
  }
  const body = await parseObject(ctx);
  const data: unknown = Object.hasOwn(body, 'data') ? (body as { data: unknown }).data : undefined;
  if (typeof data !== 'object' || data === null) throw new BadRequestError(MISSING_DATA);
  return data;
}
