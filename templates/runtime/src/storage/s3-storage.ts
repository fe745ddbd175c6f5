/** Files in a bucket of Amazon S3, or of a compatible object store. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsV4Signer } from 'aws4fetch';
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
}

/** How long to wait for the headers of a response. */
const TIMEOUT_MS = 100_000;

function bucketUrl({ endpoint, bucket, forcePathStyle }: S3Settings): string {
  const url = new URL(endpoint);
  if (forcePathStyle) return `${url.origin}/${bucket}/`;
  return `${url.protocol}//${bucket}.${url.host}/`;
}

/** Sends a signed request. Returns a response of any status; throws on a network error or timeout. */
async function send(settings: S3Settings, { method, name, query, headers = {}, body }: S3Request): Promise<Response> {
  const { accessKeyId, secretAccessKey, region } = settings;
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const url = `${bucketUrl(settings)}${name}${search}`;
  const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' });
  const signed = await signer.sign();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('the storage did not respond in time')), TIMEOUT_MS);
  try {
    return await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'error',
      signal: controller.signal,
      ...(body === undefined
        ? {}
        : { body: Readable.toWeb(body) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
    });
  } finally {
    clearTimeout(timer);
    body?.destroy();
  }
}

/** Returns the body. Throws on an error status, with the code of the object store and nothing secret. */
async function expectSuccess(response: Response, what: string): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  const code = /<Code>(?<code>\w{1,60})<\/Code>/u.exec(text)?.groups?.['code'] ?? 'no code';
  throw new Error(`the storage refused to ${what} files: ${response.status}, ${code}`);
}

function openFile(settings: S3Settings, name: string, size: number): OpenFile {
  return {
    size,
    async read(range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const response = await send(settings, { method: 'GET', name, headers });
      if (!response.ok || !response.body) await expectSuccess(response, 'read');
      return Readable.fromWeb(response.body as ReadableStream);
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

async function* listFiles(settings: S3Settings): AsyncGenerator<ListedFile> {
  let token: string | undefined;
  do {
    const query = { 'list-type': '2', ...(token === undefined ? {} : { 'continuation-token': token }) };
    const page = await expectSuccess(await send(settings, { method: 'GET', name: '', query }), 'list');
    yield* listedIn(page);
    token = textIn(page, 'NextContinuationToken');
  } while (token !== undefined);
}

/** A storage in one bucket, which must exist. */
export function s3Storage(settings: S3Settings): Storage {
  const { publicUrl } = settings;
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
      const response = await send(settings, { method: 'PUT', name, headers, body: createReadStream(path) });
      await expectSuccess(response, 'store');
    },
    async remove(name) {
      const response = await send(settings, { method: 'DELETE', name });
      if (response.status !== 404) await expectSuccess(response, 'delete');
    },
    async open(name) {
      const response = await send(settings, { method: 'HEAD', name });
      if (response.status === 404) return undefined;
      if (!response.ok) await expectSuccess(response, 'open');
      return openFile(settings, name, Number(response.headers.get('content-length')));
    },
    list: () => listFiles(settings),
  };
}
