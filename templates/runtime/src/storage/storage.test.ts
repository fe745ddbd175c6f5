/** The storage drivers: local and S3, image formats, and what remains after a crash. */
import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
// @ts-expect-error: it has no types.
import S3rver from 's3rver';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { get, pngOf, send, startUploadServer, type UploadServer } from '../../test-support/upload-server.ts';
import { sql } from '../database/sql.ts';
import { readSettings } from '../server/settings.ts';
import type { Sharp } from '../features/upload/image-formats.ts';
import { type S3Settings, s3Storage } from './s3-storage.ts';
import { sweepPending } from '../features/upload/sweeper.ts';
import { openTempFolder } from './temp-folder.ts';

const hmac = (key: string | Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest();
const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Whether a request is signed with the secret, by an independent implementation of Signature Version 4. */
function isSigned({ method, url, headers }: IncomingMessage, secret: string): boolean {
  const groups =
    /^AWS4-HMAC-SHA256 Credential=\w+\/(?<scope>[^,]+), ?SignedHeaders=(?<names>[^,]+), ?Signature=(?<signature>\w+)$/.exec(
      headers.authorization ?? '',
    )?.groups;
  if (!groups?.['scope'] || !groups['names']) return false;
  const lines = groups['names'].split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const payload = String(headers['x-amz-content-sha256']);
  const { pathname, searchParams } = new URL(url ?? '', 'http://x');
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
  const request = [method, pathname, query.join('&'), lines.join(''), groups['names'], payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], groups['scope'], sha256(request)].join('\n');
  const key = groups['scope'].split('/').reduce<string | Buffer>((so, part) => hmac(so, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex') === groups['signature'];
}

describe('a bucket', () => {
  let bucket: any;
  let front: Server;
  /** The payload hashes of the requests. */
  const payloads: unknown[] = [];
  /** Handles requests in place of the bucket; false for those that the bucket is to handle. */
  let faulty: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let settings: S3Settings;
  let server: UploadServer;

  beforeAll(async () => {
    folder = await temporaryFolder();
    bucket = new S3rver({ port: 0, silent: true, directory: folder.path, configureBuckets: [{ name: 'media' }] });
    const handle = bucket.callback();
    // s3rver does not verify signatures of version 4.
    front = createServer((request, response) => {
      if (faulty(request, response)) return;
      payloads.push(request.headers['x-amz-content-sha256']);
      if (request.headers.authorization === undefined || isSigned(request, 'S3RVER')) handle(request, response);
      else response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { port } = front.address() as AddressInfo;
    await bucket.configureBuckets();
    settings = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'media',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      publicUrl: undefined,
      forcePathStyle: true,
    };
    server = await startUploadServer({ s3: settings });
  });
  afterEach(() => {
    faulty = () => false;
  });
  afterAll(async () => {
    await server.close();
    bucket.logger.exceptions.unhandle();
    front.closeAllConnections();
    front.close();
    await folder.remove();
  });

  const objects = async () => (await readdir(join(folder.path, 'media'))).filter((name) => name.includes('_object'));

  test('files are stored in it, served from it, and removed from it', async () => {
    const content = 'x'.repeat(300_000);
    const { status, body } = await send(server, 'POST', '/api/upload', [['files', content, 'a.txt']]);
    expect([status, body[0].provider, body[0].url]).toEqual([200, 's3', `/uploads/${body[0].hash}.txt`]);
    expect(payloads.at(-1)).toBe(sha256(content));
    const served = await fetch(`${server.origin}${body[0].url}`);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await served.text()).toBe(content);
    const part = await fetch(`${server.origin}${body[0].url}`, { headers: { Range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'xxx']);
    const head = await fetch(`${server.origin}${body[0].url}`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('300000');

    await send(server, 'DELETE', `/api/upload/files/${body[0].id}`, undefined);
    expect(await objects()).toEqual([]);
    expect((await fetch(`${server.origin}${body[0].url}`)).status).toBe(404);
  });

  test('a failed upload leaves nothing in it', async () => {
    const parts = [['files', 'x', 'a.txt'] as const, ['files', 'x', 'refused.txt'] as const];
    expect((await send(server, 'POST', '/api/upload', parts)).status).toBe(500);
    expect(await objects()).toEqual([]);
    expect(await server.count('files')).toBe(0);
  });

  test('R09: its files are listed, and orphaned ones are swept', async () => {
    const storage = s3Storage(settings);
    const { body } = await send(server, 'POST', '/api/upload', [['files', 'kept', 'a.txt']]);
    const path = join(folder.path, 'left');
    await writeFile(path, 'left');
    const sha = sha256('left');
    const [left, other] = [`${'a'.repeat(32)}.txt`, `${'b'.repeat(32)}.txt`];
    for (const name of [left, other]) await storage.put(name, { path, size: 4, sha256: sha });
    const { database } = server;
    await database.run(
      sql`INSERT INTO pending_files (name, provider, removing, since) VALUES (${left}, 's3', 0, 1), (${`${'c'.repeat(32)}.txt`}, 'local', 0, 1)`,
    );
    const listed = [];
    for await (const file of storage.list()) listed.push([file.name, file.size, Date.now() - file.storedAt < 60_000]);
    expect(listed.sort()).toEqual(
      [
        [left, 4, true],
        [other, 4, true],
        [`${body[0].hash}.txt`, 4, true],
      ].sort(),
    );
    expect(await sweepPending({ database, storage, logger: { warn: () => {} } })).toEqual({ removed: 1, left: 0 });
    expect(await storage.open(left)).toBeUndefined();
    await storage.remove(other);
    await send(server, 'DELETE', `/api/upload/files/${body[0].id}`, undefined);
  });

  test('an error of the bucket is reported without secrets, and creates no entry', async () => {
    const wrong = await startUploadServer({ s3: { ...settings, secretAccessKey: 'very-secret' } });
    const { status, body } = await send(wrong, 'POST', '/api/upload', [['files', 'x', 'a.txt']]);
    expect([status, JSON.stringify(body).includes('secret')]).toEqual([500, false]);
    expect(await wrong.count('files')).toBe(0);
    await wrong.close();
  });

  test('no other bytes than announced are sent, and no cache keeps a failure, whatever the bucket does', async () => {
    const { body } = await send(server, 'POST', '/api/upload', [['files', 'x'.repeat(1000), 'a.txt']]);
    const answers: unknown[] = [];
    const note = async (fault: (request: IncomingMessage, response: ServerResponse) => boolean) => {
      faulty = (request, response) => request.method === 'GET' && fault(request, response);
      const { status, headers, text } = await get(server, body[0].url, { Range: 'bytes=1-3' });
      answers.push([status, headers['cache-control'], headers['retry-after'], text.includes('xxx')]);
    };
    // Some object stores ignore ranges.
    await note((request) => {
      delete request.headers.range;
      return false;
    });
    await note(
      (_, response) => response.writeHead(200, { 'Content-Length': 2000 }).end('x'.repeat(2000)) !== undefined,
    );
    await note((_, response) => response.writeHead(404).end() !== undefined);
    await note((_, response) => response.writeHead(503).end('<Code>SlowDown</Code>') !== undefined);
    await note(({ socket }) => socket.destroy() !== undefined);
    expect(answers).toEqual([
      [500, undefined, undefined, false],
      [500, undefined, undefined, false],
      [404, undefined, undefined, false],
      [503, undefined, '5', false],
      [503, undefined, '5', false],
    ]);
    faulty = () => false;
    await send(server, 'DELETE', `/api/upload/files/${body[0].id}`, undefined);
  });

  test('a request to the bucket ends with the client that it is made for', async () => {
    const open = new Set<IncomingMessage>();
    faulty = (request) => {
      open.add(request);
      request.once('close', () => open.delete(request));
      return true;
    };
    const controllers = Array.from({ length: 10 }, () => new AbortController());
    const path = `${server.origin}/uploads/${'d'.repeat(32)}.txt`;
    const sent = controllers.map(({ signal }) => fetch(path, { signal }));
    await expect.poll(() => open.size).toBe(10);
    for (const controller of controllers) controller.abort();
    await Promise.allSettled(sent);
    await expect.poll(() => open.size).toBe(0);
  });

  test('an upload to a bucket that is not available waits for it once, and is swept later', async () => {
    const methods: unknown[] = [];
    faulty = ({ method, socket }) => {
      methods.push(method);
      if (methods.length > 1) socket.destroy();
      return methods.length > 1;
    };
    const parts = ['a.txt', 'b.txt', 'c.txt'].map((name) => ['files', 'x', name] as const);
    const { status, body } = await send(server, 'POST', '/api/upload', parts);
    expect([status, body.error.message]).toEqual([503, 'The storage of files is not available']);
    expect([methods, await server.count('files')]).toEqual([['PUT', 'PUT', 'DELETE'], 0]);
    const context = { database: server.database, storage: s3Storage(settings), logger: { warn: () => {} } };
    const later = Date.now() + 48 * 3_600_000;
    methods.length = 1;
    expect(await sweepPending(context, later)).toEqual({ removed: 0, left: 3 });
    expect(methods).toEqual(['PUT', 'DELETE']);
    faulty = () => false;
    expect(await sweepPending(context, later)).toEqual({ removed: 3, left: 0 });
    expect(await objects()).toEqual([]);
  });

  test('storing a large file may take long, as long as the bucket is not silent', async () => {
    const size = 120_000_000;
    const step = size / 10;
    const path = join(folder.path, 'large');
    const content = Buffer.alloc(size);
    await writeFile(path, content);
    const hash = createHash('sha256').update(content).digest('hex');
    // Longer than the bucket pauses for what systems buffer (some 40 MB at most), and shorter than all of its pauses.
    const patience = 1400;
    const put = (name: string) =>
      s3Storage(settings, { put: patience, other: patience }).put(`${name.repeat(32)}.bin`, {
        path,
        size,
        sha256: hash,
      });
    let taken = 0;
    faulty = (request, response) => {
      void (async () => {
        for await (const chunk of request as AsyncIterable<Buffer>) {
          if (Math.floor((taken + chunk.length) / step) > Math.floor(taken / step)) await sleep(200);
          taken += chunk.length;
        }
        response.end();
      })();
      return true;
    };
    const started = performance.now();
    await put('e');
    expect([taken, performance.now() - started > patience]).toEqual([size, true]);
    faulty = () => true;
    await expect(put('f')).rejects.toThrow('The storage of files is not available');
  });

  test('with a public URL, clients load the files from there', async () => {
    const open = await startUploadServer({ s3: { ...settings, publicUrl: 'https://files.example.org/m/' } });
    const { body } = await send(open, 'POST', '/api/upload', [['files', '<svg/>', 'a.svg']]);
    expect(body[0].url).toBe(`https://files.example.org/m/${body[0].hash}.svg`);
    const direct = await fetch(`${settings.endpoint}/media/${body[0].hash}.svg`);
    expect(direct.headers.get('content-disposition')).toBe('attachment');
    await open.close();
  });
});

test('smaller copies of images are made with sharp, served, and deleted with their image', async () => {
  const server = await startUploadServer({}, sharp as unknown as Sharp);
  const image = await sharp({ create: { width: 1200, height: 600, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { body } = await send(server, 'POST', '/api/upload', [['files', image, 'red.png']]);
  const [file] = body;
  expect(Object.keys(file.formats).sort()).toEqual(['large', 'medium', 'small', 'thumbnail']);
  expect(file.formats.thumbnail).toMatchObject({
    name: 'thumbnail_red.png',
    hash: `thumbnail_${file.hash}`,
    ext: '.png',
    mime: 'image/png',
    width: 245,
    height: 123,
    url: `/uploads/thumbnail_${file.hash}.png`,
  });
  expect((await fetch(`${server.origin}${file.formats.large.url}`)).headers.get('content-type')).toBe('image/png');
  // An image that can't be decoded is kept, without formats.
  const broken = await send(server, 'POST', '/api/upload', [['files', pngOf(500, 500), 'broken.png']]);
  expect([broken.status, broken.body[0].formats, broken.body[0].width]).toEqual([200, null, 500]);
  await send(server, 'DELETE', `/api/upload/files/${file.id}`, undefined);
  expect(await server.stored()).toEqual([`${broken.body[0].hash}.png`]);
  expect(await server.arriving()).toEqual([]);
  await server.close();
});

test('images that would have to be decoded as a whole are kept without formats where they are too large for that', async () => {
  let [most, running] = [0, 0];
  const noted = ((path: string, options: object) => {
    const image = sharp(path, options);
    const toFile = async (target: string) => {
      running += 1;
      most = Math.max(most, running);
      return await image.toFile(target).finally(() => (running -= 1));
    };
    return {
      metadata: async () => ({ ...(await image.metadata()), ...header }),
      timeout: () => ({ rotate: () => ({ resize: () => ({ toFormat: () => ({ toFile }) }) }) }),
    };
  }) as unknown as Sharp;
  let header: object = {};
  const server = await startUploadServer({ maxPixels: 268_000_000 }, noted);
  const image = await sharp({ create: { width: 300, height: 100, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const formats = async () => {
    const { body } = await send(server, 'POST', '/api/upload', [['files', image, 'a.png']]);
    return Object.keys(body[0].formats ?? {});
  };
  const size = { width: 9000, height: 9000, channels: 4, depth: 'uchar' };
  for (const [said, made] of [
    [{}, ['thumbnail']],
    [{ ...size, isProgressive: false }, ['thumbnail']],
    [{ ...size, isProgressive: true }, []],
    [{ ...size, isProgressive: true, channels: 1 }, ['thumbnail']],
    [{ ...size, isProgressive: true, channels: 2, depth: 'ushort' }, []],
  ] as const) {
    header = said;
    expect(await formats(), JSON.stringify(said)).toEqual(made);
  }
  header = {};
  // A WebP file of 16,000 × 16,000 pixels. Decoded, it takes a gigabyte.
  const webp = Buffer.from('UklGRhwAAABXRUJQVlA4TA8AAAAvf/6fDwcQ/Y/+ByKi/wEA', 'base64');
  const { body } = await send(server, 'POST', '/api/upload', [['files', webp, 'a.webp']]);
  expect(body[0]).toMatchObject({ mime: 'image/webp', width: 16_000, formats: null });
  await Promise.all(Array.from({ length: 8 }, formats));
  // One caller leaves room to others.
  expect(most).toBe(1);
  await server.close();
});

test('no further copy of an image is made, and nothing is stored, when its client is gone', async () => {
  const controller = new AbortController();
  let made = 0;
  const noted = ((path: string, options: object) => {
    const image = sharp(path, options);
    const { toFile } = image;
    return Object.assign(image, {
      async toFile(target: string) {
        made += 1;
        controller.abort();
        const file = await toFile.call(image, target);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return file;
      },
    });
  }) as unknown as Sharp;
  const server = await startUploadServer({}, noted);
  const image = await sharp({ create: { width: 1200, height: 600, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('files', new Blob([new Uint8Array(image)]), 'red.png');
  const sent = fetch(`${server.origin}/api/upload`, { method: 'POST', body: form, signal: controller.signal });
  await expect(sent).rejects.toThrow(/aborted/u);
  await expect.poll(() => server.arriving()).toEqual([]);
  expect([made, await server.stored(), await server.count('files')]).toEqual([1, [], 0]);
  await server.close();
});

test('files abandoned by a crash are removed at the next start, files of other processes are not', async () => {
  const folder = await temporaryFolder();
  const directory = join(folder.path, '.incoming');
  await mkdir(directory);
  const ended = Number((await promisify(execFile)(process.execPath, ['-p', 'process.pid'])).stdout);
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const random = 'a'.repeat(32);
  const stale = [
    `${host}-${ended}-${random}.part`,
    `${host}-${process.pid}-${random}.part`,
    `ffffffff-2-${random}.part`,
  ];
  const kept = [`${host}-${process.ppid}-${random}.part`, `ffffffff-1-${random}.part`, 'notes.txt'];
  for (const name of [...stale, ...kept]) await writeFile(join(directory, name), 'x');
  const long = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(directory, stale[2] ?? ''), long, long);
  await utimes(join(directory, 'notes.txt'), long, long);
  await openTempFolder(directory);
  expect((await readdir(directory)).sort()).toEqual(kept.sort());
  await folder.remove();
});

test('settings of uploads are validated like all others', () => {
  const { uploads } = readSettings('x', { UPLOAD_ALLOWED_TYPES: 'image/*, application/pdf', UPLOAD_MAX_SIZE: '10' });
  expect(uploads).toMatchObject({ allowedTypes: ['image/*', 'application/pdf'], maxSize: 10, s3: undefined });
  const bad = { UPLOAD_MAX_SIZE: '1 GB', UPLOAD_ALLOWED_TYPES: 'png', S3_BUCKET: 'b/../x', S3_ENDPOINT: 'ftp://x' };
  expect(() => readSettings('x', bad)).toThrow(
    /UPLOAD_MAX_SIZE.*\n.*UPLOAD_ALLOWED_TYPES.*\n.*S3_BUCKET.*\n.*S3_ENDPOINT/,
  );
  expect(() => readSettings('x', { S3_BUCKET: 'media' })).toThrow(
    /S3_ACCESS_KEY_ID must be set.*\n.*S3_SECRET_ACCESS_KEY/,
  );
  const s3 = { S3_BUCKET: 'media', S3_REGION: 'eu-central-1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  expect(readSettings('x', s3).uploads.s3?.endpoint).toBe('https://s3.eu-central-1.amazonaws.com');
});
