/** Further formats of sizes: who gets them at which address, what caches are told, and what becomes of their bytes. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { runFiles } from '../templates/runtime/src/server/commands/run-files.ts';
import type { ServerDefinition } from '../templates/runtime/src/server/definition.ts';
import {
  command,
  createToken,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { bundleProject } from './support/bundled-project.ts';
import { type Fields, postForm } from './support/file-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: formats
databases: [sqlite]
uploads:
  formats: [avif, webp]
  focalPoints: true
  sizes: { card: { width: 200, height: 200, fit: cover }, still: { width: 150, format: webp }, large: false, medium: false, small: false }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions: { public: { upload: [find, findOne] } }
`;
const ALL = 'image/avif,image/webp,image/*,*/*;q=0.8';
const TWO_DAYS = 2 * 24 * 3_600_000;

let project: TestProject & { readonly folder: string };
let server: TestServer;
let token: string;
let uploads: string;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
  uploads = join(project.urlOf('x').replace('sqlite:', ''), '../uploads');
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const post = (path: string, fields: Fields, origin = server.origin) => postForm(origin, path, fields, token);
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

/** Like a photograph: with something to see everywhere, and red from left to right. */
function photo(width = 600, height = 400): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const texture = 128 + 90 * Math.sin(x / 9) * Math.cos(y / 7);
      pixels.set([(255 * x) / width, texture, (255 * y) / height], (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}
async function upload(bytes: Buffer): Promise<any> {
  return (await post('/upload', { files: blob(bytes) })).body[0];
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const response = await fetch(server.origin + url, { method, headers: { accept: '*/*', ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const of = (name: string) => response.headers.get(name);
  return { status: response.status, type: of('content-type'), tag: of('etag') ?? '', vary: of('vary'), of, bytes };
}

const stored = async (folder = uploads) => (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
const namesOf = (file: any): string[] =>
  [file, ...Object.values<any>(file.formats ?? {})].map(({ hash, ext }) => hash + ext);
const pending = async () => {
  const database = await project.open();
  const rows = await database.all(raw('SELECT name FROM pending_files'));
  await database.close();
  return rows;
};

const run = (name: string, change: Partial<ServerDefinition> = {}, now?: number) =>
  command(
    project,
    (definition, args) => {
      vi.stubEnv('UPLOAD_DIR', uploads);
      return runFiles({ ...definition, ...change }, args, now);
    },
    [name],
  );

describe('the address of a size', () => {
  let file: any;
  beforeAll(async () => {
    file = await upload(await photo());
  });

  it('is kept in further formats, which answers name', async () => {
    const keys = [
      'card',
      'card_avif',
      'card_webp',
      'still',
      'still_avif',
      'thumbnail',
      'thumbnail_avif',
      'thumbnail_webp',
    ];
    expect(Object.keys(file.formats).toSorted()).toEqual(keys);
    const { card, card_avif: avif } = file.formats;
    expect(avif).toMatchObject({ hash: card.hash, ext: '.avif', mime: 'image/avif', width: 200, height: 200 });
    expect(avif.size).toBeLessThan(card.size);
    const { format, width } = await sharp((await get(avif.url)).bytes).metadata();
    expect([format, width]).toEqual(['heif', 200]);
  });

  it('answers with the best one that is asked for by its name', async () => {
    for (const [accept, type] of [
      [ALL, 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
      ['image/*', 'image/jpeg'],
      ['image/avif;q=0,*/*', 'image/jpeg'],
      ['text/html', 'image/jpeg'],
    ] as const) {
      const { status, type: answered, vary, bytes } = await get(file.formats.card.url, { accept });
      expect([status, answered, vary?.includes('Accept')], accept).toEqual([200, type, true]);
      const { format } = await sharp(bytes).metadata();
      expect(format, accept).toBe(type === 'image/avif' ? 'heif' : type.slice('image/'.length));
    }
    expect((await get(file.formats.still.url, { accept: ALL })).type).toBe('image/avif');
    expect((await get(file.formats.still.url, { accept: 'image/webp' })).type).toBe('image/webp');
  });

  it('leaves the image itself as it is, and addresses with one format', async () => {
    for (const url of [file.url, file.formats.card_avif.url]) {
      const [one, other] = [await get(url, { accept: ALL }), await get(url)];
      expect([one.type, one.tag, one.vary?.includes('Accept') ?? false]).toEqual([other.type, other.tag, false]);
      expect(one.bytes.equals(other.bytes)).toBe(true);
    }
  });

  it('has an ETag of its own for each, with 304, HEAD and ranges', async () => {
    const { url } = file.formats.card;
    const [avif, jpeg] = [await get(url, { accept: ALL }), await get(url)];
    expect(avif.tag).not.toBe(jpeg.tag);
    const again = await get(url, { accept: ALL, 'if-none-match': avif.tag });
    expect([again.status, again.tag, again.vary?.includes('Accept'), again.bytes.length]).toEqual([
      304,
      avif.tag,
      true,
      0,
    ]);
    expect((await get(url, { accept: ALL, 'if-none-match': jpeg.tag })).status).toBe(200);
    expect((await get(url, { 'if-none-match': avif.tag })).type).toBe('image/jpeg');
    const head = await get(url, { accept: ALL }, 'HEAD');
    expect([head.type, head.of('content-length'), head.tag]).toEqual([
      'image/avif',
      String(avif.bytes.length),
      avif.tag,
    ]);
    const part = await get(url, { accept: ALL, range: 'bytes=4-9', 'if-range': avif.tag });
    expect([part.status, part.type, part.of('content-range')]).toEqual([
      206,
      'image/avif',
      `bytes 4-9/${avif.bytes.length}`,
    ]);
    expect(part.bytes.equals(avif.bytes.subarray(4, 10))).toBe(true);
    // What a client has of another format is no part of this one.
    const whole = await get(url, { accept: ALL, range: 'bytes=4-9', 'if-range': jpeg.tag });
    expect([whole.status, whole.bytes.length]).toEqual([200, avif.bytes.length]);
    expect((await get(url, { accept: ALL, range: 'bytes=9999999-' })).status).toBe(416);
  });
});

it('a format that is not smaller is not kept, and the size answers for it', async () => {
  const dot = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  const { formats } = await upload(dot);
  expect(Object.keys(formats).filter((key) => key.endsWith('avif'))).toEqual([]);
  const answer = await get(formats.card.url, { accept: 'image/avif' });
  expect([answer.type, answer.vary?.includes('Accept')]).toEqual(['image/png', true]);
  const file = await upload(await photo(500, 300));
  for (const [key, format] of Object.entries<any>(file.formats)) {
    expect(format.size).toBeLessThanOrEqual(file.formats[key.split('_')[0] ?? ''].size);
  }
});

it('is not made where its encoder would need too much memory', async () => {
  const create = { width: 2601, height: 2601, channels: 3, background: '#48c' } as const;
  const { id } = await upload(await sharp({ create }).png({ compressionLevel: 0 }).toBuffer());
  const huge = { name: 'huge', width: 2600, height: 2600, also: ['avif', 'webp'] as const };
  const fits = { name: 'fits', width: 2580, height: 2580, also: ['avif'] as const };
  expect(await run('resize', { imageSizes: [huge, fits] })).toMatchObject({ code: 0 });
  const { formats } = (await server.send('GET', `/api/upload/files/${id}`)).body;
  expect(Object.keys(formats).toSorted()).toEqual(['fits', 'fits_avif', 'huge', 'huge_webp']);
  await server.send('DELETE', `/api/upload/files/${id}`, { token });
  expect(await run('resize')).toMatchObject({ code: 0 });
});

it('is made anew with its size, and removed with it', async () => {
  const file = await upload(await photo());
  const focused = (await post(`/upload?id=${file.id}`, { fileInfo: '{"focalPoint":{"x":0,"y":0}}' })).body;
  expect(focused.formats.card_avif.hash).toBe(focused.formats.card.hash);
  expect(focused.formats.thumbnail_avif).toEqual(file.formats.thumbnail_avif);
  const { card, card_avif: avif } = focused.formats;
  for (const { hash, ext } of [card, avif]) {
    const [red] = await sharp(join(uploads, hash + ext))
      .resize(1, 1)
      .raw()
      .toBuffer();
    // Of the left two thirds: the middle would be at 128.
    expect(Math.abs((red ?? 0) - 85)).toBeLessThan(15);
  }
  for (const key of ['card', 'card_avif', 'card_webp']) expect((await get(file.formats[key].url)).status).toBe(404);
  expect((await get(focused.formats.card.url, { accept: ALL })).type).toBe('image/avif');
  expect(await pending()).toEqual([]);

  const sizes = project.definition.imageSizes ?? [];
  expect(await run('resize', { imageSizes: sizes.map((size) => ({ ...size, also: [] })) })).toMatchObject({ code: 0 });
  const without = (await server.send('GET', `/api/upload/files/${file.id}`)).body;
  expect(Object.keys(without.formats).toSorted()).toEqual(['card', 'still', 'thumbnail']);
  expect((await get(without.formats.card.url, { accept: ALL })).type).toBe('image/jpeg');
  expect((await stored()).filter((name) => name.endsWith('.avif'))).toEqual([]);
  expect(await run('resize')).toMatchObject({ code: 0 });
  const back = (await server.send('GET', `/api/upload/files/${file.id}`)).body;
  expect(back.formats).toEqual(focused.formats);
  expect(await run('check')).toMatchObject({ code: 0 });
  const all = (await server.send('GET', '/api/upload/files')).body as any[];
  expect(await stored()).toEqual(all.flatMap(namesOf).toSorted());
});

it('leaves no bytes behind when all files are deleted, whatever was done and killed before', async () => {
  const bundled = await bundleProject(SCHEMA);
  const environment = {
    DATABASE_URL: project.urlOf('test'),
    UPLOAD_DIR: uploads,
    JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
  };
  await server.close();
  try {
    const bytes = await photo(1200, 1200);
    for (const delay of [60, 250, 600]) {
      const killed = await bundled.start(environment);
      const { body } = await post('/upload', { files: blob(bytes) }, killed.origin);
      const { id } = body[0];
      const requests = [
        post('/upload', { files: blob(bytes) }, killed.origin),
        post(`/upload?id=${id}`, { files: blob(bytes) }, killed.origin),
        post('/upload', { files: blob(bytes) }, killed.origin),
      ].map((request) => request.catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, delay));
      await killed.stop('SIGKILL');
      await Promise.all(requests);
    }
  } finally {
    await bundled.remove();
    server = await project.start();
  }
  const all = (await server.send('GET', '/api/upload/files?pagination[limit]=100')).body as any[];
  expect(all.length).toBeGreaterThanOrEqual(3);
  for (const file of all) expect(await stored()).toEqual(expect.arrayContaining(namesOf(file)));
  for (const { id } of all) await server.send('DELETE', `/api/upload/files/${id}`, { token });
  expect(await run('sweep', {}, Date.now() + TWO_DAYS)).toMatchObject({ code: 0 });
  expect([await stored(), await pending()]).toEqual([[], []]);
}, 60_000);

it('who may not read a size gets none of its formats', async () => {
  const ruled = await openSchema(
    SCHEMA.replace('upload: [find, findOne]', 'picture: [find], upload: [{ find: { where: { usedBy: visible } } }]'),
  );
  const other = await ruled.start();
  try {
    const database = await ruled.open();
    const own = await createToken(database, { kind: 'full-access' });
    await database.close();
    const send = async (path: string, fields: Readonly<Record<string, string | Blob>>): Promise<any> => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value as string);
      const headers = { authorization: `Bearer ${own}` };
      return (await fetch(`${other.origin}/api${path}`, { method: 'POST', headers, body: form })).json();
    };
    const [file] = await send('/upload', { files: blob(await photo()) });
    const read = async (url: string) => {
      const { status, headers } = await fetch(other.origin + url, { headers: { accept: ALL } });
      return [status, headers.get('content-type'), headers.get('cache-control')?.split(',')[0]];
    };
    const urls = [file.formats.card.url, file.formats.card_avif.url];
    for (const url of urls) {
      expect(await read(url)).toEqual([200, 'image/avif', 'private']);
      expect((await read(url.split('?')[0]))[0]).toBe(404);
    }
    await other.send('POST', '/api/pictures', { body: { data: { image: file.id } }, token: own });
    for (const url of urls) expect(await read(url.split('?')[0])).toEqual([200, 'image/avif', 'private']);
  } finally {
    await other.close();
    await ruled.remove();
  }
});

it('a schema without further formats has none, and nothing varies', async () => {
  const plain = await openSchema(SCHEMA.replace('formats: [avif, webp]', 'trash: 30d'));
  const other = await plain.start();
  try {
    const database = await plain.open();
    const own = await createToken(database, { kind: 'full-access' });
    await database.close();
    const form = new FormData();
    form.append('files', blob(await photo()));
    const response = await fetch(`${other.origin}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own}` },
      body: form,
    });
    const [file] = (await response.json()) as any;
    expect(Object.keys(file.formats).toSorted()).toEqual(['card', 'still', 'thumbnail']);
    const answer = await fetch(other.origin + file.formats.card.url, { headers: { accept: ALL } });
    expect([answer.headers.get('content-type'), answer.headers.get('vary')?.includes('Accept') ?? false]).toEqual([
      'image/jpeg',
      false,
    ]);
    expect(plain.definition.imageSizes?.some((size) => 'also' in size)).toBe(false);
  } finally {
    await other.close();
    await plain.remove();
  }
});
