/** Files in a bucket of Amazon S3, or of a compatible object store. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsV4Signer } from 'aws4fetch';
import type { Client } from '../base/client.ts';
import { ClientGoneError, HttpError, NotFoundError, ServiceUnavailableError } from '../contract/errors.ts';
import { servedAs } from '../contract/file-kinds.ts';
import { isStoredName, type ListedFile, type OpenFile, SERVED_AT, type Storage } from './storage.ts';

export interface S3Settings {
  /** Without a path: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /**
   * The base URL from which clients load files. Undefined: this server serves them, and the bucket can stay private.
   */
  readonly publicUrl: string | undefined;
  /** Path-style URLs (`host/bucket/…`) instead of virtual-hosted ones (`bucket.host/…`). */
  readonly forcePathStyle: boolean;
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The key of an object; empty for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** If it disconnects, the request is cancelled. */
  readonly client?: Client | undefined;
}

/** How long a bucket may be silent, in milliseconds: neither take a part of the body nor respond. */
export interface Patience {
  /** After the last byte, a bucket may still have to copy the object. */
  readonly put: number;
  readonly other: number;
}

const PATIENCE: Patience = { put: 100_000, other: 20_000 };
/** In seconds. */
const RETRY_AFTER = 5;
/** The status by which object stores limit requests. */
const TOO_MANY = 429;

/** A bucket, and how to send requests to it. */
interface Bucket {
  readonly settings: S3Settings;
  readonly patience: Patience;
}

function bucketUrl({ endpoint, bucket, forcePathStyle }: S3Settings): string {
  const url = new URL(endpoint);
  if (forcePathStyle) return `${url.origin}/${bucket}/`;
  return `${url.protocol}//${bucket}.${url.host}/`;
}

/** A response that is not a failure of the bucket, but of its settings. */
class RefusedError extends Error {}

/** The code of an object store in the body of an error. */
function codeIn(text: string): string {
  return /<Code>(?<code>\w{1,60})<\/Code>/u.exec(text)?.groups?.['code'] ?? 'no code';
}

function unavailable(error: unknown): ServiceUnavailableError {
  // `fetch failed` has the reason as its cause.
  const cause = (error as Error).cause ?? error;
  return new ServiceUnavailableError(RETRY_AFTER, cause, 'The storage of files is not available');
}

/** URL and headers of a signed request. */
async function signed({ settings }: Bucket, { method, name, query, headers = {} }: S3Request) {
  const { accessKeyId, secretAccessKey, region } = settings;
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const url = `${bucketUrl(settings)}${name}${search}`;
  const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' });
  const request = await signer.sign();
  const all = new Headers(request.headers);
  // Sizes and ranges are those of the stored bytes. Not signed, because proxies change this header.
  all.set('Accept-Encoding', 'identity');
  return { url: request.url, headers: all };
}

/** The chunks of a body; calls `onChunk` for each that is taken. */
async function* noting(body: Readable, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    onChunk();
    yield chunk;
  }
}

/**
 * Sends a signed request, and resolves to what `read` makes of the response, whose status may be any. Throws ClientGoneError, and
 * ServiceUnavailableError if the bucket can't be reached, is silent, or responds that it is not available.
 */
async function send<T>(bucket: Bucket, request: S3Request, read: (response: Response) => T | Promise<T>): Promise<T> {
  const { method, body, client } = request;
  const controller = new AbortController();
  const silent = (): void => controller.abort(new Error('the storage did not respond in time'));
  const timer = setTimeout(silent, method === 'PUT' ? bucket.patience.put : bucket.patience.other);
  const stopWatching = client?.onGone(() => controller.abort(new ClientGoneError()));
  const chunks =
    body &&
    Readable.from(
      noting(body, () => timer.refresh()),
      { objectMode: false },
    );
  try {
    const { url, headers } = await signed(bucket, request);
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: controller.signal,
      ...(chunks && { body: Readable.toWeb(chunks) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
    });
    if (response.status < 500 && response.status !== TOO_MANY) return await read(response);
    throw new Error(`the storage responded with ${response.status}, ${codeIn(await response.text())}`);
  } catch (error) {
    throw error instanceof HttpError || error instanceof RefusedError ? error : unavailable(error);
  } finally {
    clearTimeout(timer);
    stopWatching?.();
    chunks?.destroy();
    body?.destroy();
  }
}

/** Returns the body. Throws on an error status, with the code of the object store and nothing secret. */
async function expectSuccess(response: Response, what: string): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  throw new RefusedError(`the storage refused to ${what} files: ${response.status}, ${codeIn(text)}`);
}

/**
 * The body of an object, or a part of it. Throws unless it has exactly `length` bytes, since the server announces that many, and
 * NotFoundError for an object that was deleted in the meantime.
 */
async function contentOf(response: Response, status: number, length: number): Promise<Readable> {
  if (response.status === 404) {
    await response.text();
    throw new NotFoundError();
  }
  if (!response.ok || !response.body) await expectSuccess(response, 'read');
  const found = Number(response.headers.get('content-length') ?? Number.NaN);
  if (response.status === status && found === length) return Readable.fromWeb(response.body as ReadableStream);
  await response.body?.cancel();
  throw new RefusedError(`the storage sent ${found} bytes with the status ${response.status} instead of ${length}`);
}

function openFile(bucket: Bucket, name: string, size: number, client: Client | undefined): OpenFile {
  return {
    size,
    read(range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const [status, length] = range === undefined ? [200, size] : [206, range.end - range.start + 1];
      return send(bucket, { method: 'GET', name, headers, client }, (response) => contentOf(response, status, length));
    },
    close: () => Promise.resolve(),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of an element without children; undefined if it is missing. */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>(?<text>[^<]*)</${element}>`, 'u').exec(xml)?.groups?.['text'];
  return text?.replaceAll(/&(amp|lt|gt|quot|apos);/gu, (whole, name: string) => ENTITIES[name] ?? whole);
}

function listedIn(xml: string): ListedFile[] {
  const contents = xml.match(/<Contents>.*?<\/Contents>/gsu) ?? [];
  return contents.flatMap((entry) => {
    const name = textIn(entry, 'Key') ?? '';
    const storedAt = Date.parse(textIn(entry, 'LastModified') ?? '');
    return isStoredName(name) ? [{ name, size: Number(textIn(entry, 'Size')), storedAt }] : [];
  });
}

async function* listFiles(bucket: Bucket): AsyncGenerator<ListedFile> {
  let token: string | undefined;
  do {
    const query = { 'list-type': '2', ...(token === undefined ? {} : { 'continuation-token': token }) };
    const page = await send(bucket, { method: 'GET', name: '', query }, (response) => expectSuccess(response, 'list'));
    yield* listedIn(page);
    token = textIn(page, 'NextContinuationToken');
  } while (token !== undefined);
}

/** A storage in one bucket, which must exist. */
export function s3Storage(settings: S3Settings, patience = PATIENCE): Storage {
  const { publicUrl } = settings;
  const bucket = { settings, patience };
  return {
    provider: 's3',
    urlOf: (name) => (publicUrl === undefined ? `${SERVED_AT}${name}` : `${publicUrl.replace(/\/+$/u, '')}/${name}`),
    async put(name, { path, size, sha256 }) {
      const { type, disposition } = servedAs(name.slice(name.lastIndexOf('.')));
      const headers = {
        'content-length': String(size),
        'content-type': type,
        'content-disposition': disposition,
        // The object store verifies it.
        'x-amz-content-sha256': sha256,
      };
      const request = { method: 'PUT', name, headers, body: createReadStream(path) } as const;
      await send(bucket, request, (response) => expectSuccess(response, 'store'));
    },
    async remove(name) {
      await send(bucket, { method: 'DELETE', name }, (response) =>
        response.status === 404 ? response.text() : expectSuccess(response, 'delete'),
      );
    },
    open: (name, client) =>
      send(bucket, { method: 'HEAD', name, client }, async (response) => {
        if (response.status === 404) return undefined;
        if (!response.ok) await expectSuccess(response, 'open');
        return openFile(bucket, name, Number(response.headers.get('content-length')), client);
      }),
    list: () => listFiles(bucket),
  };
}
