/** How the page is served: paths, headers and encodings. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { Koa } from '../../base/common-js.ts';
import { errorEnvelope } from '../../http/error-envelope.ts';
import { createLogger } from '../../http/log.ts';
import { openOwnPart } from './own-part.ts';
import { servePage } from './serve-page.ts';

const SCRIPT = `console.log(${JSON.stringify('content '.repeat(200))});`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Server;
/** The address of the team's own module. */
let module: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const page = join(folder.path, 'admin');
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html>the page');
  writeFileSync(join(page, 'assets/index-D0AUCSOr.js'), SCRIPT);
  writeFileSync(join(page, 'preview.js'), SCRIPT);
  writeFileSync(join(folder.path, 'secret.txt'), 'of the server');
  mkdirSync(join(folder.path, 'own/parts'), { recursive: true });
  writeFileSync(join(folder.path, 'own/index.js'), "import './parts/color.js';");
  writeFileSync(join(folder.path, 'own/parts/color.js'), SCRIPT);
  writeFileSync(join(folder.path, 'own/index.js.map'), '{}');
  writeFileSync(join(folder.path, 'own/later.ts'), SCRIPT);
  const own = openOwnPart(pathToFileURL(join(folder.path, 'own/')), true);
  const nothing = openOwnPart(pathToFileURL(join(folder.path, 'nothing/')), true);
  module = (await own?.described())?.module ?? '';
  expect(await nothing?.described()).toBeUndefined();
  const app = new Koa();
  app.use(errorEnvelope(createLogger('silent')));
  app.use(
    servePage({
      mediaUrl: 'https://files.example.net/bucket',
      previewUrl: 'https://site.example.net:8443/{slug}?id={id}',
      own,
      folders: [join(folder.path, 'nothing'), page],
    }),
  );
  app.use((ctx) => {
    ctx.body = 'of the API';
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server?.close();
  await folder?.remove();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Sends the path unchanged: `fetch` would normalize it. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('every path that is not a file has the document, which is revalidated each time', async () => {
  for (const path of ['/admin/', '/admin/articles', '/admin/articles/7?tab=seo', '/admin/index.html']) {
    const { status, headers, bytes } = await get(path);
    expect([status, bytes.toString()], path).toEqual([200, '<!doctype html>the page']);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    const again = await get(path, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  }
  const { status, headers } = await get('/admin');
  expect([status, headers['location']]).toEqual([302, '/admin/']);
  expect((await get('/administration')).bytes.toString()).toBe('of the API');
});

test('files are cached forever, and compressed', async () => {
  const path = '/admin/assets/index-D0AUCSOr.js';
  const plain = await get(path);
  expect(plain.bytes.toString()).toBe(SCRIPT);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await get(path, { 'accept-encoding': encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(bytes.length) });
    expect(headers['etag']).not.toBe(plain.headers['etag']);
    expect(decompress(bytes).toString()).toBe(SCRIPT);
    expect(bytes.length).toBeLessThan(SCRIPT.length / 5);
  }
  const head = await get(path, {}, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  const post = await get(path, {}, 'POST');
  expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test('the page runs only its own scripts, and can not be framed', async () => {
  const { headers } = await get('/admin/');
  const policy = String(headers['content-security-policy']);
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob: https://files.example.net",
    "media-src 'self' blob: https://files.example.net",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src https://site.example.net:8443',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test('pages of other hosts may load the preview script, which is revalidated each time, and nothing else', async () => {
  const { status, headers } = await get('/admin/preview.js');
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' });
  for (const path of ['/admin/', '/admin/assets/index-D0AUCSOr.js']) {
    expect((await get(path)).headers['cross-origin-resource-policy'], path).toBeUndefined();
  }
});

test('modules of the team are cached forever under the hash of all of them, with the policy of the page', async () => {
  const { headers: ofPage } = await get('/admin/');
  for (const path of [module, module.replace('index.js', 'parts/color.js')]) {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': ofPage['content-security-policy'],
    });
    expect((await get(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
  }
  // Of a version that another process has, or had.
  const other = await get('/admin/extensions/other/index.js');
  expect([other.status, other.headers['cache-control']]).toEqual([200, 'no-cache']);
  for (const name of ['index.js.map', 'later.ts', 'later.js', 'parts', '../../secret.txt', 'constructor', 'version']) {
    expect((await get(module.replace('index.js', name))).status, name).toBe(404);
  }
});

test('no path leads to another file', async () => {
  for (const path of [
    '/admin/../secret.txt',
    '/admin/assets/../../secret.txt',
    '/admin/%2e%2e/secret.txt',
    '/admin/..%2fsecret.txt',
    '/admin/..%5csecret.txt',
    '/admin//etc/passwd.txt',
    '/admin/assets/%00.js',
    '/admin/assets/%zz.js',
    '/admin/constructor.js',
  ]) {
    const { status, bytes } = await get(path);
    expect(status, path).toBe(404);
    expect(bytes.toString()).not.toContain('of the server');
  }
});
