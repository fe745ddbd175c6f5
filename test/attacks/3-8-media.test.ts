/** Section 3.8: files, by what they are, where they go and how they come back. */
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/attacks/client.ts';
import { encodeForm, type FormPart, PNG } from '../../templates/runtime/test-support/multipart-forms.ts';
import { openFiles } from '../support/attacks/process.ts';
import type { Who } from '../support/attacks/seed.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked({ UPLOAD_MAX_SIZE: '1000000' });
});
afterAll(() => server?.stop());

const STORED_NAME = /^(?:[a-z]{1,12}_)?[0-9a-f]{32}\.[a-z0-9]{1,10}$/;

function upload(parts: readonly FormPart[], { path = '/api/upload', who = 'writer' as Who } = {}): Promise<Answer> {
  const { body, type } = encodeForm(parts);
  return server.call(who, 'POST', path, { body, headers: { 'Content-Type': type } });
}

function file(content: string | Uint8Array, { filename = 'a.png', type = 'image/png', name = 'files' } = {}): FormPart {
  return { name, filename, type, content };
}

/** A PNG that says it is of this size. */
function pngOf(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(PNG);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** All files below the folder of uploads and beside it. */
function stored(folder = server.uploads): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== '.incoming')
    .map(({ name }) => name)
    .sort();
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
const HTML = '<!doctype html><script>alert(1)</script>';

/** Content, and what a client says it is. */
const ACTIVE: readonly (readonly [content: string, filename: string, type: string])[] = [
  [SVG, 'a.svg', 'image/svg+xml'],
  [SVG, 'a.png', 'image/png'],
  [`<?xml version="1.0"?><!-- x -->${SVG}`, 'a.txt', 'text/plain'],
  [HTML, 'a.html', 'text/html'],
  [HTML, 'a.jpg', 'image/jpeg'],
  [`\n\n  ${HTML}`, 'a.txt', 'text/plain'],
  [`\uFEFF${HTML}`, 'a.md', 'text/markdown'],
  [`<xml><x xmlns:html="http://www.w3.org/1999/xhtml"><html:script>1</html:script></x></xml>`, 'a.xml', 'text/xml'],
  ['<%= 1 %><script>1</script>', 'a.csv', 'text/csv'],
  ['alert(1)', 'a.js', 'text/javascript'],
  ['alert(1)', 'a.png.html', 'text/html'],
  ['%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj', 'a.pdf', 'application/pdf'],
  ['GIF89a/*\x01\x00*/=1;alert(1)', 'a.gif', 'image/gif'],
  ['#!/bin/sh\nid', 'a.sh', 'application/x-sh'],
  ['MZ\x90\x00\x03', 'a.exe', 'image/png'],
];

describe('names', () => {
  test('B106: a file is stored under a generated name, whatever it is called', async () => {
    const outside = stored(join(server.uploads, '..'));
    const names = [
      '../../x.png',
      '..\\..\\x.png',
      '/etc/passwd',
      'C:\\x.png',
      'x'.repeat(300),
      'CON',
      'aux.png',
      '.htaccess',
      '.',
      '..',
      'a.png.',
      'a.png ',
      '%2e%2e%2fx.png',
      '../uploads-evil/x.png',
      '....//x.png',
      'a;b.png',
      'a\u202Egnp.exe',
      '<img src=x>.png',
      'a.php',
      'a.png;.php',
      '😀.png',
      "'; DROP TABLE files; --",
      '__proto__',
      'file://x',
    ];
    for (const filename of names) {
      const { status, body } = await upload([file(PNG, { filename })]);
      expect(status, filename).toBe(200);
      const [{ name, url, hash, ext }] = body;
      expect(url).toBe(`/uploads/${hash}${ext}`);
      expect(`${hash}${ext}`).toMatch(STORED_NAME);
      expect(ext).toBe('.png');
      expect(name).not.toMatch(/[/\\\u202E]/);
      expect([...name].length).toBeLessThanOrEqual(255);
      expect((await server.get('public', url)).headers['content-type']).toBe('image/png');
    }
    expect((await upload([file(PNG, { filename: 'a\0.png' })])).status).toBeLessThan(500);
    for (const name of stored()) expect(name).toMatch(STORED_NAME);
    expect(stored(join(server.uploads, '..'))).toEqual(outside);
  });

  test('B106, B113: nothing is served by another name, and names can’t be guessed', async () => {
    writeFileSync(join(server.uploads, '..', 'outside.png'), PNG);
    writeFileSync(join(server.uploads, 'planted.png'), PNG);
    const [name = ''] = stored().filter((entry) => STORED_NAME.test(entry));
    const paths = [
      '',
      'planted.png',
      '../outside.png',
      '..%2foutside.png',
      '%2e%2e/outside.png',
      '..%5coutside.png',
      '.incoming',
      '.incoming/',
      `./${name}`,
      `/${name}`,
      `${name}/`,
      `${name}%00`,
      `${name}%00.html`,
      `x/../${name}`,
      `${name.toUpperCase()}`,
      `${name};x`,
      `%2e/${name}`,
      '1.png',
      'one.png',
      `${name.slice(0, 31)}.png`,
      '%',
      '%ff',
    ];
    for (const path of paths) {
      const { status } = await server.get('admin', `/uploads/${path}`);
      expect([400, 404], path).toContain(status);
    }
    for (const path of ['/uploads', '/Uploads/', '/uploads?x=1', '/data/uploads/', '//uploads//']) {
      expect((await server.get('admin', path)).status, path).toBe(404);
    }
    expect((await server.get('public', `/uploads/${name}`)).status).toBe(200);
    const hashes = stored().map((entry) => entry.slice(0, 32));
    expect(new Set(hashes.map((hash) => hash.slice(0, 8))).size).toBe(new Set(hashes).size);
  });

  test('B111: symbolic links in the folder are not followed', async () => {
    const name = `${'0'.repeat(32)}.png`;
    symlinkSync('/etc/passwd', join(server.uploads, name));
    expect((await server.get('public', `/uploads/${name}`)).status).toBe(404);
    symlinkSync('/etc', join(server.uploads, `${'1'.repeat(32)}.png`));
    expect((await server.get('public', `/uploads/${'1'.repeat(32)}.png`)).status).toBe(404);
    const { body } = await upload([file(PNG)]);
    expect(body[0].hash).not.toBe('0'.repeat(32));
  });
});

describe('content', () => {
  test('B107: executable content is refused, or only served as a download', async () => {
    for (const [content, filename, type] of ACTIVE) {
      const { status, body } = await upload([file(Buffer.from(content, 'utf8'), { filename, type })]);
      expect([200, 400], filename).toContain(status);
      if (status === 400) continue;
      const { headers, text } = await server.get('public', body[0].url);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
      const served = String(headers['content-type']);
      expect(served, `${filename} ${type}`).not.toMatch(/javascript|xhtml/);
      // Text and pictures that hold no markup may be shown; everything else is saved.
      const shown = /^(?:image\/(?:png|gif)|text\/plain; charset=utf-8)$/.test(served);
      expect(headers['content-disposition'], `${filename} ${type} ${served}`).toBe(shown ? 'inline' : 'attachment');
      if (served.startsWith('text/plain')) expect(text.trimStart().startsWith('<')).toBe(false);
    }
  });

  test('B108: replacing a file, and sending one with an entry, have the same checks', async () => {
    const { file: id = 0, first = 0 } = server.seed.ids;
    const text = file('plain text', { filename: 'a.png', type: 'image/png' });
    const exe = file('MZ\x90\x00\x03\x00\x00\x00', { filename: 'a.png', type: 'image/png' });
    const empty = file('');
    for (const part of [exe, empty]) {
      expect((await upload([part])).status).toBe(400);
      expect((await upload([part], { path: `/api/upload?id=${id}`, who: 'admin' })).status).toBe(400);
      const data = { name: 'data', content: '{"title":"x"}' };
      expect((await upload([data, { ...part, name: 'files.gallery' }], { path: '/api/articles' })).status).toBe(400);
    }
    // Taken as text, and then it is no picture.
    const data = { name: 'data', content: '{"title":"x"}' };
    expect((await upload([data, { ...text, name: 'files.hero' }], { path: '/api/articles' })).status).toBe(400);
    const { body } = await upload([text]);
    const hero = await server.call('writer', 'PUT', `/api/articles/${first}`, { data: { hero: body[0].id } });
    expect(hero.status).toBe(400);
    const ref = [
      { name: 'ref', content: 'article' },
      { name: 'refId', content: String(first) },
      { name: 'field', content: 'hero' },
    ];
    expect((await upload([text, ...ref])).status).toBe(400);
    const notes = [
      { name: 'ref', content: 'article' },
      { name: 'refId', content: String(first) },
      { name: 'field', content: 'notes' },
    ];
    expect((await upload([file(PNG), ...notes])).status).toBe(400);
    for (const form of [
      await upload([file(PNG), ...ref], { who: 'reader' }),
      await upload([file(PNG)], { who: 'public' }),
    ]) {
      expect(form.status).toBe(403);
    }
  });

  test('B109: an image with too many pixels is refused without decoding', async () => {
    const before = performance.now();
    for (const bytes of [pngOf(65_536, 65_536), pngOf(2 ** 31 - 1, 1000), pngOf(30_000, 30_000)]) {
      expect((await upload([file(bytes)])).status).toBe(400);
    }
    const frame = Buffer.from('21f904000a0000002c00000000010001000002024401003b'.slice(0, -2), 'hex');
    const head = Buffer.from('47494638396101000100800000ffffff000000', 'hex');
    const gif = Buffer.concat([head, ...Array.from({ length: 10_000 }, () => frame), Buffer.from('3b', 'hex')]);
    expect((await upload([file(gif, { filename: 'a.gif', type: 'image/gif' })])).status).toBeLessThan(500);
    const exif = Buffer.concat([Buffer.from('ffd8ffe1ffff457869660000', 'hex'), Buffer.alloc(900_000)]);
    expect((await upload([file(exif, { filename: 'a.jpg', type: 'image/jpeg' })])).status).toBeLessThan(500);
    const large = Buffer.concat([PNG, Buffer.alloc(1_000_000)]);
    expect((await upload([file(large)])).status).toBe(413);
    const packed = gzipSync(Buffer.alloc(50_000_000));
    expect((await upload([file(packed, { filename: 'a.gz', type: 'application/gzip' })])).status).toBeLessThan(500);
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  test('B114: clients cannot set what the server determines about a file', async () => {
    const keys = {
      path: '/etc',
      url: '/x',
      hash: '0'.repeat(32),
      provider: 's3',
      size: 1,
      ext: '.html',
      mime: 'text/html',
      id: 1,
      formats: {},
      width: 1,
      previewUrl: 'x',
      provider_metadata: {},
      createdBy: 1,
      __proto__x: 1,
    };
    const { file: id = 0 } = server.seed.ids;
    for (const [key, value] of Object.entries(keys)) {
      const info = { name: 'fileInfo', content: JSON.stringify({ name: 'a', [key]: value }) };
      const created = await upload([file(PNG), info]);
      expect(created.status, key).toBe(400);
      expect(created.body.error.details.errors[0].path).toContain(key);
      expect((await upload([info], { path: `/api/upload?id=${id}` })).status, key).toBe(400);
      const beside = await upload([file(PNG), { name: key, content: String(value) }]);
      expect([200, 400]).toContain(beside.status);
      if (beside.status === 200) {
        expect(beside.body[0]).toMatchObject({ ext: '.png', mime: 'image/png', provider: 'local' });
      }
    }
    for (const info of [
      'null',
      '1',
      '"x"',
      '[[]]',
      '{"name":{}}',
      '{"caption":["x"]}',
      `{"caption":"${'x'.repeat(300)}"}`,
      '{"name":"a\\u0000"}',
      '{"__proto__":{"url":"x"}}',
    ]) {
      expect((await upload([file(PNG), { name: 'fileInfo', content: info }])).status, info).toBe(400);
    }
  });
});

describe('who may', () => {
  test('B110: changing and deleting a file needs permissions, and a refusal has no effect', async () => {
    const { file: id = 0 } = server.seed.ids;
    for (const who of ['public', 'plain', 'reader', 'customToken', 'readOnlyToken', 'writer'] as const) {
      expect((await server.call(who, 'DELETE', `/api/upload/files/${id}`)).status, who).toBe(403);
      // Putting other bytes behind an entry removes the old ones.
      expect((await upload([file(PNG)], { path: `/api/upload?id=${id}`, who })).status, who).toBe(403);
    }
    for (const who of ['public', 'plain', 'reader', 'customToken'] as const) {
      expect((await server.get(who, '/api/upload/files')).status).toBe(403);
      expect((await server.get(who, `/api/upload/files/${id}`)).status).toBe(403);
    }
    for (const target of ['0', '987654', '-1', '1.5', '../1', '1%00', "1'", '__proto__']) {
      expect((await server.call('admin', 'DELETE', `/api/upload/files/${target}`)).status, target).toBe(404);
      expect(
        (await upload([file(PNG)], { path: `/api/upload?id=${encodeURIComponent(target)}`, who: 'admin' })).status,
      ).toBe(404);
    }
    expect((await upload([file(PNG)], { path: '/api/upload?id=1&id=2', who: 'admin' })).status).toBe(404);
  });

  test('B112: ranges and floods of HEAD are cheap', async () => {
    // A small one: which of those that are stored comes first is chance.
    const { status: uploaded, body } = await upload([file(PNG)]);
    expect(uploaded).toBe(200);
    const path = String(body[0].url);
    expect(path.slice('/uploads/'.length)).toMatch(STORED_NAME);
    const before = openFiles(server.pid);
    const ranges = [
      `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join()}`,
      'bytes=0-',
      'bytes=-1',
      'bytes=5-2',
      'bytes=99999999-',
      'bytes=-0',
      'bytes=a-b',
      'items=0-1',
      'bytes=0-0,0-0',
      `bytes=${'9'.repeat(400)}-`,
      'bytes=0-1;q=1',
      'bytes= 0-1',
      'bytes=--1',
    ];
    for (const range of ranges) {
      const { status, text } = await server.call('public', 'GET', path, { headers: { Range: range } });
      expect([200, 206, 416], range).toContain(status);
      expect(text.length).toBeLessThan(1000);
    }
    const storm = Array.from({ length: 300 }, (_, at) =>
      server.quick('public', 'HEAD', path, at % 2 === 0 ? {} : { headers: { Range: 'bytes=0-1' } }),
    );
    for (const { status } of await Promise.all(storm)) expect([200, 206]).toContain(status);
    // What is open now are the sockets of these clients.
    await expect.poll(() => openFiles(server.pid), { timeout: 10_000 }).toBeLessThan(before + 210);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await server.call('admin', method, path);
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD');
    }
  });
});
