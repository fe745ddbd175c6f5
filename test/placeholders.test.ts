/** Placeholders: what is shown of an image while it loads, of every kind of image, in every kind of answer. */
import { fileURLToPath } from 'node:url';
import sharp, { type Color, type Sharp } from 'sharp';
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { runFiles } from '../templates/runtime/src/server/commands/run-files.ts';
import {
  command,
  createToken,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { type Fields, postForm } from './support/file-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: placeholders
databases: [sqlite]
api: { format: v5 }
graphql: true
uploads: { placeholders: true }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions: { public: { upload: [find, findOne], picture: [find, findOne] } }
`;

let project: TestProject & { readonly folder: string };
let server: TestServer;
let token: string;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const post = (path: string, fields: Fields) => postForm(server.origin, path, fields, token);
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);
async function upload(bytes: Buffer): Promise<any> {
  return (await post('/upload', { files: blob(bytes) })).body[0];
}

const plain = (background: Color, [width, height] = [400, 200]) =>
  sharp({ create: { width: width ?? 1, height: height ?? 1, channels: 4, background } });
const RED = { r: 230, g: 20, b: 20, alpha: 1 };
const BLUE = { r: 20, g: 20, b: 230, alpha: 1 };

/** What a placeholder looks like: its color, whether it is transparent, and its shape. */
function lookOf(placeholder: string): readonly unknown[] {
  const hash = Buffer.from(placeholder, 'base64');
  const { r, g, b, a } = thumbHashToAverageRGBA(hash);
  const color =
    r > 0.7 && g < 0.3 ? 'red' : b > 0.7 && g < 0.3 ? 'blue' : r > 0.4 && Math.abs(r - g) < 0.1 ? 'gray' : '?';
  const ratio = thumbHashToApproximateAspectRatio(hash);
  return [color, a < 0.9, ratio > 1.2 ? 'wide' : ratio < 0.9 ? 'high' : 'square'];
}

const of = (image: Sharp) => image.toBuffer();
const WIDE = ['red', false, 'wide'];

it.each<readonly [string, () => Promise<Buffer>, readonly unknown[]]>([
  ['a JPEG', () => of(plain(RED).jpeg()), WIDE],
  ['a JPEG that is seen turned', () => of(plain(RED).jpeg().withMetadata({ orientation: 6 })), ['red', false, 'high']],
  ['a JPEG with the colors of printers', () => of(plain(RED).flatten().toColourspace('cmyk').jpeg()), WIDE],
  ['a PNG', () => of(plain(RED).png()), WIDE],
  ['a transparent PNG', () => of(plain({ ...RED, alpha: 0.5 }).png()), ['red', true, 'wide']],
  ['a PNG with a palette', () => of(plain(RED).png({ palette: true })), WIDE],
  [
    'a gray PNG',
    () => of(plain({ r: 128, g: 128, b: 128 }).removeAlpha().toColourspace('b-w').png()),
    ['gray', false, 'wide'],
  ],
  [
    'a gray PNG of 16 bits',
    () => of(plain({ r: 128, g: 128, b: 128 }).toColourspace('grey16').png()),
    ['gray', false, 'wide'],
  ],
  ['a PNG of 16 bits', () => of(plain(RED).toColourspace('rgb16').png()), WIDE],
  ['a WebP', () => of(plain(RED).webp()), WIDE],
  ['an AVIF', () => of(plain(RED).avif({ effort: 0 })), WIDE],
  ['a TIFF', () => of(plain(RED).tiff()), WIDE],
  ['a GIF', () => of(plain(RED).gif()), WIDE],
  ['an image that is smaller than all sizes', () => of(plain(RED, [7, 3]).png()), WIDE],
  ['an image of one pixel', () => of(plain(RED, [1, 1]).png()), ['red', false, 'square']],
])('%s has one', async (_, bytes, look) => {
  const { placeholder } = await upload(await bytes());
  expect(placeholder).toMatch(/^[A-Za-z0-9+/]{6,40}={0,2}$/u);
  expect(lookOf(placeholder)).toEqual(look);
  expect(thumbHashToDataURL(Buffer.from(placeholder, 'base64'))).toMatch(/^data:image\/png;base64,/u);
});

it('what is no image, or can not be decoded, has none', async () => {
  expect((await upload(Buffer.from('a text'))).placeholder).toBeNull();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  expect((await upload(Buffer.from(svg)))?.placeholder ?? null).toBeNull();
  const cut = (await of(plain(RED, [900, 900]).png({ compressionLevel: 0 }))).subarray(0, 2000);
  const { status, body } = await post('/upload', { files: blob(cut) });
  expect([status, body[0].width, body[0].placeholder, body[0].formats]).toEqual([201, 900, null, null]);
});

it('every answer has it, nobody writes it, and new bytes have a new one', async () => {
  const file = await upload(await of(plain(RED).png()));
  const data = { title: 'x', image: file.id };
  await server.send('POST', '/api/pictures', { body: { data }, token });
  const inV5 = await server.send('GET', '/api/pictures?populate=image');
  expect(inV5.body.data[0].image.placeholder).toBe(file.placeholder);
  const headers = { 'strapi-response-format': 'v4' };
  const inV4 = await server.send('GET', '/api/pictures?populate=image', { headers });
  expect(inV4.body.data[0].attributes.image.data.attributes.placeholder).toBe(file.placeholder);
  expect((await server.send('GET', `/api/upload/files/${file.id}`)).body.placeholder).toBe(file.placeholder);
  const query = '{ pictures { image { placeholder } } }';
  const inGraphql = await server.send('POST', '/graphql', { body: { query } });
  expect(inGraphql.body.data.pictures).toEqual([{ image: { placeholder: file.placeholder } }]);

  const fileInfo = '{"placeholder":"AAAA"}';
  const written = await post(`/upload?id=${file.id}`, { fileInfo });
  expect([written.status, written.body.error.message]).toEqual([400, "placeholder can't be set"]);
  const many = { files: [{ id: file.id, placeholder: 'AAAA' }] };
  expect((await server.send('PUT', '/api/upload/files', { body: many, token })).status).toBe(400);

  const replaced = await post(`/upload?id=${file.id}`, { files: blob(await of(plain(BLUE).png())) });
  expect(lookOf(replaced.body.placeholder)).toEqual(['blue', false, 'wide']);
  const text = await post(`/upload?id=${file.id}`, { files: new Blob(['a text']) });
  expect(text.body.placeholder).toBeNull();
});

it('its letters are not searched', async () => {
  const file = await upload(await of(plain(BLUE).png()));
  const found = async (word: string) => {
    const { body } = await server.send('GET', `/api/upload/files?_q=${encodeURIComponent(word)}`);
    return body.map(({ id }: { id: number }) => id);
  };
  const letters = file.placeholder.slice(0, 6);
  expect(await found(letters)).toEqual([]);
  expect(await found(file.hash.slice(0, 12))).toEqual([file.id]);
});

it('files resize makes those of images that were there before', async () => {
  const image = await upload(await of(plain(RED).png()));
  const small = await upload(await of(plain(BLUE, [9, 9]).png()));
  const database = await project.open();
  await database.run(raw('UPDATE files SET placeholder = NULL'));
  await database.close();
  const uploads = fileURLToPath(new URL('uploads', `file://${project.urlOf('x').replace('sqlite:', '')}`));
  const resize = () =>
    command(
      project,
      (definition, args) => {
        vi.stubEnv('UPLOAD_DIR', uploads);
        return runFiles(definition, args);
      },
      ['resize'],
    );
  const read = async ({ id }: { id: number }) => (await server.send('GET', `/api/upload/files/${id}`)).body;
  expect((await read(image)).placeholder).toBeNull();
  expect(await resize()).toMatchObject({ code: 0 });
  expect([(await read(image)).placeholder, (await read(small)).placeholder]).toEqual([
    image.placeholder,
    small.placeholder,
  ]);
  expect((await read(image)).formats).toEqual(image.formats);
});

it('openapi.json describes it', async () => {
  const { body } = await server.send('GET', '/openapi.json');
  const { placeholder, documentId } = body.components.schemas.UploadedFile.properties;
  expect([placeholder.type, documentId]).toEqual([['string', 'null'], { type: 'string' }]);
});
