/** The routes of files, over HTTP. Numbers such as B106 refer to the project's list of attacks. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  get,
  type Part,
  pngOf,
  send,
  startUploadServer,
  type UploadServer,
} from '../../../test-support/upload-server.ts';

let server: UploadServer;
let everything: ReadonlySet<string>;
beforeAll(async () => {
  server = await startUploadServer();
  everything = server.permissions;
});
afterEach(() => {
  server.permissions = everything;
});
afterAll(() => server.close());

type Bytes = Buffer<ArrayBuffer>;

const jsonOf = (response: Response): Promise<any> => response.json();
const text = (name: string, content = 'hello'): Part => ['files', content, name, 'text/plain'];

const info = (value: unknown): Part => ['fileInfo', JSON.stringify(value)];
const to = (ref: string, refId: string | number, field: string): Part[] => [
  ['ref', ref],
  ['refId', String(refId)],
  ['field', field],
];

async function upload(...parts: readonly Part[]): Promise<any[]> {
  const { status, body } = await send(server, 'POST', '/api/upload', parts);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function article(data: object): Promise<number> {
  const response = await fetch(`${server.origin}/api/articles`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: { title: 'a', ...data } }),
  });
  return (await jsonOf(response)).data.id;
}

async function gallery(id: number): Promise<string[]> {
  const { body } = await send(server, 'GET', `/api/articles/${id}?populate=gallery`, undefined);
  return body.data.attributes.gallery.data.map((file: any) => file.attributes.name);
}

/** Everything that a rejected request must leave unchanged. */
async function state() {
  return {
    files: await server.count('files'),
    links: await server.count('articles_gallery_files'),
    stored: await server.stored(),
    arriving: await server.arriving(),
  };
}

/** Uploads a file with this raw file name. */
function rawUpload(filename: string): Promise<Response> {
  const escaped = filename.replaceAll('\\', '\\\\');
  const head = `--b\r\nContent-Disposition: form-data; name="files"; filename="${escaped}"\r\nContent-Type: text/plain\r\n\r\n`;
  return fetch(`${server.origin}/api/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `${head}hello\r\n--b--\r\n`,
  });
}

describe('the routes', () => {
  test('an upload returns flat files, which can be listed, read, served and deleted', async () => {
    const [first, second] = await upload(text('n1.txt'), text('n2.txt', 'hi'));
    expect(first).toEqual({
      id: expect.any(Number),
      name: 'n1.txt',
      alternativeText: null,
      caption: null,
      width: null,
      height: null,
      formats: null,
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      ext: '.txt',
      mime: 'text/plain',
      size: 0.01,
      url: `/uploads/${first.hash}.txt`,
      previewUrl: null,
      provider: 'local',
      provider_metadata: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: first.createdAt,
    });
    expect([second.name, second.size]).toEqual(['n2.txt', 0]);

    const listed = await send(
      server,
      'GET',
      '/api/upload/files?filters[name][$startsWith]=n&sort=name:desc',
      undefined,
    );
    expect(listed.body.map(({ name }: any) => name)).toEqual(['n2.txt', 'n1.txt']);
    expect(await send(server, 'GET', `/api/upload/files/${first.id}`, undefined)).toEqual({ status: 200, body: first });
    expect((await get(server, first.url)).text).toBe('hello');

    const cover = (await upload(['files', pngOf(30, 20), 'c.png']))[0];
    expect(cover).toMatchObject({ width: 30, height: 20, mime: 'image/png', ext: '.png', formats: null });
    const id = await article({ cover: cover.id, gallery: [first.id, second.id] });
    expect(await send(server, 'DELETE', `/api/upload/files/${first.id}`, undefined)).toEqual({
      status: 200,
      body: first,
    });
    expect((await get(server, first.url)).status).toBe(404);
    expect(await gallery(id)).toEqual(['n2.txt']);
    await send(server, 'DELETE', `/api/upload/files/${cover.id}`, undefined);
    const { body } = await send(server, 'GET', `/api/articles/${id}?populate=cover`, undefined);
    expect(body.data.attributes.cover).toEqual({ data: null });

    await send(server, 'DELETE', `/api/articles/${id}`, undefined);
    expect((await get(server, second.url)).text).toBe('hi');
    for (const path of ['0', 'x', '99999', '1.0', '-1']) {
      expect((await send(server, 'GET', `/api/upload/files/${path}`, undefined)).status).toBe(404);
      expect((await send(server, 'DELETE', `/api/upload/files/${path}`, undefined)).status).toBe(404);
    }
  });

  test('an upload without files, or that is not a form, is refused', async () => {
    const before = await state();
    const other = await send(server, 'POST', '/api/upload', [['other', 'x']]);
    expect(other).toMatchObject({
      status: 400,
      body: { error: { name: 'ValidationError', message: 'Files are empty' } },
    });
    const json = await fetch(`${server.origin}/api/upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":1}',
    });
    expect(json.status).toBe(400);
    expect((await send(server, 'POST', '/api/upload', [['file', 'x', 'x.txt']])).status).toBe(400);
    expect(await state()).toEqual(before);
  });

  test('fileInfo sets name and descriptions of one or all files; with ?id= of an existing file', async () => {
    const [a, b] = await upload(
      text('1.txt'),
      info({ name: 'a', alternativeText: 'A' }),
      text('2.txt'),
      info({ caption: 'B', folder: null }),
    );
    expect([a.name, a.alternativeText, b.name, b.caption]).toEqual(['a', 'A', '2.txt', 'B']);
    const both = await upload(text('1.txt'), text('2.txt'), info([{ caption: 'x' }, { caption: 'y' }]));
    expect(both.map(({ caption }) => caption)).toEqual(['x', 'y']);

    const changed = await send(server, 'POST', `/api/upload?id=${a.id}`, [
      info({ caption: 'new', alternativeText: null }),
    ]);
    expect(changed.body).toMatchObject({ id: a.id, name: 'a', caption: 'new', alternativeText: null, url: a.url });
    expect((await send(server, 'POST', '/api/upload?id=99999', [info({})])).status).toBe(404);
    expect((await send(server, 'POST', '/api/upload?id=x', [info({})])).status).toBe(404);
  });

  test('a file can be replaced, with the checks of an upload', async () => {
    const [file] = await upload(text('old.txt'));
    const path = `/api/upload?id=${file.id}`;
    const replaced = (await send(server, 'POST', path, [['files', pngOf(3, 4), 'x.txt']])).body;
    expect(replaced).toMatchObject({ id: file.id, name: 'old.txt', ext: '.png', width: 3 });
    expect((await get(server, file.url)).status).toBe(404);
    expect((await get(server, replaced.url)).status).toBe(200);
    const before = await state();
    expect((await send(server, 'POST', path, [['files', 'MZ\u0000\u0000', 'x.png']])).status).toBe(400);
    expect((await send(server, 'POST', '/api/upload?id=99999', [text('x')])).status).toBe(404);
    server.permissions = new Set(['upload.upload']);
    expect((await send(server, 'POST', path, [text('x.txt')])).status).toBe(403);
    expect(await state()).toEqual(before);
  });

  test('ref, refId and field add files to an entry, in the same transaction', async () => {
    const [first] = await upload(text('first.txt'));
    const id = await article({ gallery: [first.id] });
    await upload(...to('api::article.article', id, 'gallery'), text('second.txt'), text('third.txt'));
    expect(await gallery(id)).toEqual(['first.txt', 'second.txt', 'third.txt']);
    await upload(...to('article', id, 'cover'), ['files', pngOf(1, 1), 'c.png']);
    const { body } = await send(server, 'GET', `/api/articles/${id}?populate=cover`, undefined);
    expect(body.data.attributes.cover.data.attributes.name).toBe('c.png');

    const before = await state();
    for (const [parts, path] of [
      [to('article', 99_999, 'gallery'), 'refId'],
      [to('article', 'x', 'gallery'), 'refId'],
      [to('article', id, 'title'), 'field'],
      [to('article', id, '__proto__'), 'field'],
      [to('nothing', id, 'gallery'), 'ref'],
      [to('constructor', id, 'gallery'), 'ref'],
      [[['ref', 'article']], 'refId'],
    ] as const) {
      const { status, body } = await send(server, 'POST', '/api/upload', [...parts, text('x.txt')]);
      expect([status, body.error.details.errors?.[0].path]).toEqual([400, [path]]);
    }
    const wrongType = await send(server, 'POST', '/api/upload', [...to('article', id, 'cover'), text('x.txt')]);
    expect(wrongType.body.error.details.errors[0].path).toEqual(['files', '0']);
    server.permissions = new Set(['upload.upload']);
    expect((await send(server, 'POST', '/api/upload', [...to('article', id, 'gallery'), text('x')])).status).toBe(403);
    expect(await state()).toEqual(before);
  });

  test('files whose type an attribute does not allow are refused by id, too, also in components', async () => {
    const [file] = await upload(text('x.txt'));
    const response = await fetch(`${server.origin}/api/articles`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { title: 't', cover: file.id, gallery: [file.id], seo: { image: [file.id] } } }),
    });
    const { error } = await jsonOf(response);
    expect(error.details.errors.map(({ path }: any) => path)).toEqual([['cover'], ['seo', 'image', '0']]);
  });

  test('no bytes are left if the database rejects the entry', async () => {
    const before = await state();
    const { status, body } = await send(server, 'POST', '/api/upload', [text('ok.txt'), text('refused.txt')]);
    expect([status, body.error.message]).toEqual([500, 'Internal Server Error']);
    expect(await state()).toEqual(before);
  });
});

describe('what is accepted', () => {
  test('B106: file names of clients never reach the disk', async () => {
    const names = [
      '../../x',
      '..\\..\\x',
      '/etc/passwd',
      'C:\\x.txt',
      '\0.png',
      'CON',
      '.htaccess',
      'a.',
      '%2e%2e%2fx',
      '../uploads-evil/x',
      `${'é'.repeat(300)}.txt`,
      'a\u202Egnp.exe',
      '',
    ];
    for (const name of names) {
      const response = await rawUpload(name);
      const [file] = await jsonOf(response);
      expect(file.url).toMatch(/^\/uploads\/[0-9a-f]{32}\.txt$/);
      expect(file.name).not.toMatch(/[/\\\0\u202E]/u);
      expect([...file.name].length).toBeLessThanOrEqual(255);
      expect(file.name).not.toBe('');
    }
    expect((await server.stored()).every((name) => /^[0-9a-f]{32}\.[a-z]+$/.test(name))).toBe(true);
  });

  test('B107: the content decides the type; types that a browser could run are downloads', async () => {
    const gif = 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000=1;alert(1)';
    const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [content, name, type, mime, disposition] of [
      ['<script>alert(1)</script>', 'photo.png', 'image/png', 'text/html', 'attachment'],
      [' \n<!-- x --><HTML>', 'a.txt', 'text/plain', 'text/html', 'attachment'],
      ['\u{FEFF}<html>', 'a.csv', 'text/csv', 'text/html', 'attachment'],
      [svg, 'x.svg.png', 'image/png', 'image/svg+xml', 'attachment'],
      ['<?xml version="1.0"?><note/>', 'x.txt', 'text/plain', 'application/xml', 'attachment'],
      ['alert(1)', 'x.js', 'text/javascript', 'text/plain', 'inline'],
      ['a,b\n1,2', 'x.csv', 'text/csv', 'text/csv', 'attachment'],
      [gif, 'x.html', 'text/html', 'image/gif', 'inline'],
      [Buffer.from('\uFEFFHallo, Wört', 'utf16le'), 'a.txt', 'audio/mpeg', 'text/plain', 'inline'],
      [Buffer.from('\uFEFFGrüße 😀', 'utf16le').swap16(), 'b.txt', 'text/plain', 'text/plain', 'inline'],
      ['%PDF-1.4\n<script>', 'x.png', 'image/png', 'application/pdf', 'attachment'],
    ] as const) {
      const [file] = await upload(['files', content, name, type]);
      expect([file.mime, file.name]).toEqual([mime, name]);
      const { headers } = await get(server, file.url);
      expect(headers['content-type'].split(';')[0]).toBe(mime);
      expect(headers['content-disposition']).toBe(disposition);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
    }
  });

  test('B107: a type that is not allowed is refused, with all files of the request', async () => {
    const before = await state();
    for (const content of ['MZ\u0090\u0000\u0003', '\u007FELF\u0002\u0001\u0001\u0000', '\u0000\u0001\u0002']) {
      const { status, body } = await send(server, 'POST', '/api/upload', [
        text('good.txt'),
        ['files', Buffer.from(content, 'latin1'), 'x.png', 'image/png'],
      ]);
      expect([status, body.error.details.errors[0].path]).toEqual([400, ['files', '1']]);
    }
    expect(await state()).toEqual(before);
  });

  test('B109: an image of too many pixels is refused by its header', async () => {
    const before = await state();
    const { status } = await send(server, 'POST', '/api/upload', [['files', pngOf(65_535, 65_535), 'bomb.png']]);
    expect(status).toBe(400);
    expect(await state()).toEqual(before);
  });

  test('B109: the size of an image of many images is read at once', async () => {
    const box = (name: string, ...content: Bytes[]): Bytes => {
      const bytes = Buffer.concat(content);
      const header = Buffer.alloc(8);
      header.writeUInt32BE(bytes.length + 8);
      header.write(name, 4, 'latin1');
      return Buffer.concat([header, bytes]);
    };
    const sizeOf = (width: number, height: number): Bytes => {
      const content = Buffer.alloc(12);
      content.writeUInt32BE(width, 4);
      content.writeUInt32BE(height, 8);
      return box('ispe', content);
    };
    const flags = Buffer.alloc(4);
    const avif = (...sizes: Bytes[]): Bytes =>
      Buffer.concat([
        box('ftyp', Buffer.from('avif\0\0\0\0avifmif1')),
        box('meta', flags, box('hdlr', flags), box('iprp', box('ipco', box('hvcC'), ...sizes))),
      ]);
    // The tiles of a large image have sizes, too.
    const [tiled] = await upload(['files', avif(sizeOf(512, 512), sizeOf(4000, 3000), sizeOf(160, 120)), 'a.avif']);
    expect([tiled.mime, tiled.width, tiled.height]).toEqual(['image/avif', 4000, 3000]);
    const hostile = avif(...Array<Bytes>(13_000).fill(sizeOf(1, 1)));
    const started = performance.now();
    await upload(...Array.from({ length: 5 }, (): Part => ['files', hostile, 'b.avif']));
    // Looking through the others for each of them took a second per file, in which nobody else was served.
    expect(performance.now() - started).toBeLessThan(3000);
    const jpeg = (...parts: number[][]): Bytes => Buffer.from([0xff, 0xd8, 0xff, ...parts.flat()]);
    const segment = [0xe1, 0, 6, 0xff, 0xc0, 1, 1];
    const frame = [0xff, 0xff, 0xc2, 0, 11, 8, 0, 7, 0, 9, 1, 1, 0x11, 0];
    const [photo] = await upload(['files', jpeg(segment, [1, 2, 3, 0xff, 0], frame), 'a.jpg']);
    expect([photo.mime, photo.width, photo.height]).toEqual(['image/jpeg', 9, 7]);
    const bomb = avif(sizeOf(1, 1), sizeOf(65_535, 65_535));
    expect((await send(server, 'POST', '/api/upload', [['files', bomb, 'bomb.avif']])).status).toBe(400);
  });

  test('B110: without the right nothing is read, changed or deleted', async () => {
    const [file] = await upload(text('mine.txt'));
    const before = await state();
    server.permissions = new Set(['article.find']);
    for (const [method, path, parts] of [
      ['POST', '/api/upload', [text('x.txt')]],
      ['POST', `/api/upload?id=${file.id}`, [['fileInfo', '{"name":"stolen"}']]],
      ['GET', '/api/upload/files', undefined],
      ['GET', `/api/upload/files/${file.id}`, undefined],
      ['DELETE', `/api/upload/files/${file.id}`, undefined],
    ] as const) {
      expect((await send(server, method, path, parts)).status).toBe(403);
    }
    expect(await state()).toEqual(before);
  });

  test('B114: only the name and the descriptions of a file can be set', async () => {
    const before = await state();
    for (const key of ['path', 'url', 'hash', 'provider', 'size', 'mime', 'ext', 'formats', 'id']) {
      const { status, body } = await send(server, 'POST', '/api/upload', [
        text('x.txt'),
        ['fileInfo', `{"${key}":"x"}`],
      ]);
      expect([status, body.error.details.errors[0].path]).toEqual([400, ['fileInfo', key]]);
    }
    for (const info of [
      '{',
      '[]x',
      '"x"',
      'null',
      '{"name":1}',
      '{"caption":"\\u0000"}',
      `{"caption":"${'x'.repeat(256)}"}`,
      '{"__proto__":{"x":1}}',
    ]) {
      expect((await send(server, 'POST', '/api/upload', [text('x.txt'), ['fileInfo', info]])).status).toBe(400);
    }
    expect(await state()).toEqual(before);
  });
});
