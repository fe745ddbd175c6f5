/** Malformed, truncated and oversized bodies: answered with 4xx where possible, and nothing is left behind. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openBelow,
  type Part,
  pngOf,
  send,
  startUploadServer,
  type UploadServer,
} from '../../../test-support/upload-server.ts';

let server: UploadServer;
beforeAll(async () => {
  server = await startUploadServer({ maxSize: 100_000, maxFiles: 3 });
});
afterAll(() => server.close());

const part = (headers: string, content: string): string => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const filePart = (name: string, content: string): string =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.txt"\r\nContent-Type: text/plain`, content);
const END = '--b--\r\n';

/** Sends a body over a raw socket and ends it; returns the status, 0 if there was no response. */
function raw(body: string, headers: Record<string, string | number> = {}, path = '/api/upload'): Promise<number> {
  return new Promise((resolve) => {
    const all = {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    let answer = '';
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n${body}`);
      if (all['Content-Length'] > Buffer.byteLength(body)) setTimeout(() => socket.destroy(), 50);
    });
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  });
}

/** Waits up to 5 seconds until no file is in flight. */
async function settled() {
  for (let tries = 0; tries < 100 && (await server.arriving()).length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    arriving: await server.arriving(),
    stored: await server.stored(),
    rows: await server.count('files'),
    open: await openBelow(server.directory),
  };
}

const large = (size: number): Part => ['files', 'x'.repeat(size), 'a.txt'];
const cover: Part = ['files.cover', pngOf(2, 3), 'cover.png'];
const galleryFile = (name: string): Part => ['files.gallery', 'hello', name];
const data = (value: object): Part => ['data', JSON.stringify(value)];

/** The names of an article's files. */
async function shown(id: number) {
  const { body } = await send(server, 'GET', `/api/articles/${id}?populate=*`, undefined);
  const { attributes } = body.data;
  const names = (attributes.gallery.data ?? []).map((file: any) => file.attributes.name);
  return { cover: attributes.cover.data?.attributes.name, gallery: names };
}

const NOTHING = { arriving: [], stored: [], rows: 0, open: 0 };

describe('B101: malformed multipart bodies', () => {
  test.each([
    ['no boundary', END, { 'Content-Type': 'multipart/form-data' }],
    ['an empty name', filePart('', 'x') + END, {}],
    ['no name', part('Content-Disposition: form-data; filename="a"', 'x') + END, {}],
    ['a name that reaches a prototype', filePart('files.__proto__.x', 'x') + END, {}],
    ['a name that reaches one by brackets', filePart('a[constructor][prototype]', 'x') + END, {}],
    ['names nested 1,000 deep', filePart('files[a]'.repeat(1000), 'x') + END, {}],
    ['a part without an end', filePart('files', 'x'.repeat(500)), {}],
    ['headers without an end', '--b\r\nContent-Disposition: form-data; name="files"; filename="a"', {}],
    ['no parts', END, {}],
    ['nothing at all', '', {}],
    ['another boundary', '--c\r\n\r\n--c--', {}],
    ['a file without bytes', filePart('files', '') + END, {}],
    ['a good file and one without bytes', filePart('files', 'x') + filePart('files', '') + END, {}],
    ['a content-length that is too small', filePart('files', 'x'.repeat(300)) + END, { 'Content-Length': 200 }],
    ['headers of 1 MB', part(`X: ${'x'.repeat(1_000_000)}`, 'x') + END, {}],
    ['10,000 parts', part('Content-Disposition: form-data; name="a"', 'x').repeat(10_000) + END, {}],
    ['10,000 files', filePart('files', 'x').repeat(10_000) + END, {}],
    ['4 files', filePart('files', 'x').repeat(4) + END, {}],
    [
      'a field that is too large',
      part('Content-Disposition: form-data; name="fileInfo"', 'x'.repeat(70_000)) + END,
      {},
    ],
    ['a file that is too large', filePart('files', 'x'.repeat(100_001)) + END, {}],
  ])('%s', async (_name, body, headers) => {
    const status = await raw(body, headers);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await settled()).toEqual(NOTHING);
    expect(({} as any).x).toBeUndefined();
  });

  test('an exceeded limit is answered with 413, also while the client is still sending', async () => {
    expect((await send(server, 'POST', '/api/upload', [large(100_001)])).status).toBe(413);
    expect((await send(server, 'POST', '/api/upload', [large(20_000_000)])).status).toBe(413);
    expect(await settled()).toEqual(NOTHING);
  });

  test('the texts of a form are bounded together, and so is the number of infos', async () => {
    const texts = (size: number): Part[] => [data({ title: 'a' }), ['a', 'x'.repeat(size)], ['b', 'x'.repeat(size)]];
    expect((await send(server, 'POST', '/api/articles', texts(4900))).status).toBe(201);
    expect((await send(server, 'POST', '/api/articles', texts(5000))).status).toBe(413);
    const infos = (count: number): Part[] => [
      ['fileInfo', JSON.stringify(Array.from({ length: count }, () => ({})))],
      ['files', 'x'.repeat(100_001), 'a.txt'],
    ];
    expect((await send(server, 'POST', '/api/upload', infos(3))).status).toBe(413);
    const { status, body } = await send(server, 'POST', '/api/upload', infos(4));
    expect([status, body.error.message]).toEqual([400, 'fileInfo describes 4 files, but a request has at most 3']);
    expect(await settled()).toEqual(NOTHING);
  });

  test('aborted uploads leave nothing behind, however many', async () => {
    const half = filePart('files', 'x'.repeat(1000)) + filePart('files', 'y'.repeat(50_000)).slice(0, 25_000);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => raw(half, { 'Content-Length': 60_000 })));
    }
    expect(await settled()).toEqual(NOTHING);
    // The server still accepts uploads.
    const { status, body } = await send(server, 'POST', '/api/upload', [['files', 'x', 'a.txt']]);
    expect(status).toBe(200);
    await send(server, 'DELETE', `/api/upload/files/${body[0].id}`, undefined);
  });
});

describe('entries with files', () => {
  test('a create stores and attaches files; an update appends to the existing ones', async () => {
    const created = await send(server, 'POST', '/api/articles', [
      data({ title: 't' }),
      cover,
      galleryFile('1.txt'),
      galleryFile('2.txt'),
    ]);
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(await shown(id)).toEqual({ cover: 'cover.png', gallery: ['1.txt', '2.txt'] });

    const path = `/api/articles/${id}`;
    await send(server, 'PUT', path, [data({}), galleryFile('3.txt'), ['files.cover', pngOf(1, 1), 'new.png']]);
    expect(await shown(id)).toEqual({ cover: 'new.png', gallery: ['1.txt', '2.txt', '3.txt'] });

    const listed = (await send(server, 'GET', `${path}?populate=gallery`, undefined)).body.data.attributes.gallery.data;
    await send(server, 'PUT', path, [data({ gallery: [listed[1].id], cover: null }), galleryFile('4.txt')]);
    expect(await shown(id)).toEqual({ cover: undefined, gallery: ['2.txt', '4.txt'] });
    await send(server, 'PUT', path, [data({ gallery: [] }), galleryFile('5.txt')]);
    expect((await shown(id)).gallery).toEqual(['5.txt']);
  });

  test('files are attached to components in data', async () => {
    const form: Part[] = [data({ title: 't', seo: { label: 'l' } }), ['files.seo.image', pngOf(1, 1), 's.png']];
    const { body } = await send(server, 'POST', '/api/articles?populate[seo][populate]=image', form);
    expect(body.data.attributes.seo.image.data.attributes.name).toBe('s.png');
  });

  test('a form without files is equivalent to JSON', async () => {
    const { status, body } = await send(server, 'POST', '/api/articles', [data({ title: 'plain' }), ['other', 'x']]);
    expect([status, body.data.attributes.title]).toEqual([201, 'plain']);
  });

  test('after any failure neither entry nor file is left', async () => {
    const before = { ...(await settled()), articles: await server.count('articles') };
    const bad: readonly (readonly Part[])[] = [
      [cover],
      [['data', '{"title"'], cover],
      [['data', '[]'], cover],
      [['data', 'null'], cover],
      [data({ title: 't' }), data({ title: 't' }), cover],
      [data({}), cover],
      [data({ title: 't', unknown: 1 }), cover],
      [data({ title: 't' }), ['files.unknown', 'x', 'a.txt']],
      [data({ title: 't' }), ['files.seo.image', pngOf(1, 1), 'a.png']],
      [data({ title: 't' }), ['cover', pngOf(1, 1), 'a.png']],
      [data({ title: 't' }), ['files.', 'x', 'a.txt']],
      [data({ title: 't' }), ['files.title', 'x', 'a.txt']],
      [data({ title: 't' }), ['files.cover', 'text', 'a.png', 'image/png']],
      [data({ title: 't' }), cover, ['files.gallery', 'MZ\u0000', 'a.exe']],
      [data({ title: 't', gallery: [99_999] }), galleryFile('a.txt')],
      [data({ title: 't' }), ['files.toString', 'x', 'a.txt']],
      [data({ title: 't', seo: { image: 99_999 } }), cover],
    ];
    for (const parts of bad) {
      const { status, body } = await send(server, 'POST', '/api/articles', parts);
      expect([status, body.data, JSON.stringify(parts[0])]).toEqual([400, null, JSON.stringify(parts[0])]);
      expect({ ...(await settled()), articles: await server.count('articles') }).toEqual(before);
    }
    expect((await send(server, 'PUT', '/api/articles/99999', [data({ title: 't' }), cover])).status).toBe(404);
    expect(await raw(filePart('files.cover', 'x'), {}, '/api/articles')).toBe(400);
    expect(await raw(filePart('files.__proto__.y', 'x') + END, {}, '/api/articles')).toBe(400);
    const refused = [data({ title: 't' }), galleryFile('fine.txt'), galleryFile('refused.txt')];
    expect((await send(server, 'POST', '/api/articles', refused)).status).toBe(500);
    expect({ ...(await settled()), articles: await server.count('articles') }).toEqual(before);
  });

  test('text that is too large is refused, and other content types are handled as usual', async () => {
    expect((await send(server, 'POST', '/api/articles', [data({ title: 'x'.repeat(10_001) })])).status).toBe(413);
    const response = await fetch(`${server.origin}/api/articles`, { method: 'POST', body: 'text' });
    expect(response.status).toBe(415);
  });
});
