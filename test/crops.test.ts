/** Crops: what part of an image its sizes show, and what becomes of the bytes that showed another. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
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
name: crops
databases: [sqlite]
api: { format: v5 }
graphql: true
uploads:
  crops: true
  focalPoints: true
  placeholders: true
  formats: [webp]
  sizes: { card: { width: 100, height: 100, fit: cover }, wide: { width: 300 }, large: false, medium: false, small: false }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions: { public: { upload: [find, findOne], picture: [find] }, authenticated: { upload: [find, findOne], picture: [find] } }
`;

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

const post = (path: string, fields: Fields, bearer = token) => postForm(server.origin, path, fields, bearer);
const change = (id: number, info: object) => post(`/upload?id=${id}`, { fileInfo: JSON.stringify(info) });
const crop = (id: number, value: unknown) => change(id, { crop: value });

/** 400 × 200: a red, a green and a blue third beside each other. */
const STRIPES = Buffer.concat(
  Array.from({ length: 200 * 400 }, (_, at) =>
    Buffer.from([0, 1, 2].map((band) => (Math.floor((at % 400) / 134) === band ? 255 : 0))),
  ),
);
const stripes = () => sharp(STRIPES, { raw: { width: 400, height: 200, channels: 3 } });
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);
async function upload(bytes: Buffer): Promise<any> {
  return (await post('/upload', { files: blob(bytes) })).body[0];
}

const COLORS = ['red', 'green', 'blue'];
/** The colors at the left edge, in the middle and at the right edge of a stored image, and its size. */
async function seenOf({ url }: { readonly url: string }): Promise<readonly unknown[]> {
  const response = await fetch(server.origin + url);
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colorAt = (x: number): string | undefined => {
    const at = (Math.floor(info.height / 2) * info.width + x) * info.channels;
    return COLORS[[...data.subarray(at, at + 3)].findIndex((value) => value > 180)];
  };
  const colors = [colorAt(2), colorAt(Math.floor(info.width / 2)), colorAt(info.width - 3)];
  return [...new Set(colors), info.width, info.height];
}
const stored = async () => (await readdir(uploads)).filter((name) => !name.startsWith('.')).toSorted();
const namesOf = (file: any): string[] =>
  [file, ...Object.values<any>(file.formats ?? {})].map(({ hash, ext }) => hash + ext).toSorted();
const pending = async () => {
  const database = await project.open();
  const rows = await database.all(raw('SELECT name FROM pending_files'));
  await database.close();
  return rows;
};
const colorOf = (placeholder: string) => {
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64'));
  return COLORS[[r, g, b].findIndex((value) => value > 0.6)];
};

const RED = { x: 0, y: 0, width: 25, height: 100 };

it('all sizes show it, under other addresses, and its colors are those of the placeholder', async () => {
  const file = await upload(await stripes().png().toBuffer());
  expect([file.crop, await seenOf(file.formats.wide)]).toEqual([null, ['red', 'green', 'blue', 300, 150]]);
  const red = (await crop(file.id, RED)).body;
  expect(red.crop).toEqual(RED);
  // Smaller than the sizes now: nothing is enlarged, and every size is there, since the image itself shows more.
  expect(await seenOf(red.formats.wide)).toEqual(['red', 100, 200]);
  expect(await seenOf(red.formats.card)).toEqual(['red', 100, 100]);
  expect(await seenOf(red.formats.thumbnail)).toEqual(['red', 78, 156]);
  expect(colorOf(red.placeholder)).toBe('red');
  expect(await seenOf(red)).toEqual(['red', 'green', 'blue', 400, 200]);
  for (const { url } of Object.values<any>(file.formats)) expect((await fetch(server.origin + url)).status).toBe(404);
  for (const [key, { hash }] of Object.entries<any>(red.formats)) {
    expect(hash).toBe(red.formats[key.split('_')[0] ?? ''].hash);
  }
  expect([await stored(), await pending()]).toEqual([namesOf(red), []]);

  // The same one again changes nothing; one that is drawn finer than a hundredth is rounded.
  expect((await crop(file.id, { ...RED, x: 0.001 })).body.formats).toEqual(red.formats);
  const middle = (await crop(file.id, { x: 40, y: 25.5, width: 20, height: 30.123 })).body;
  expect([middle.crop.height, await seenOf(middle.formats.wide)]).toEqual([30.12, ['green', 80, 60]]);
  const whole = (await crop(file.id, null)).body;
  expect([whole.crop, await seenOf(whole.formats.wide)]).toEqual([null, ['red', 'green', 'blue', 300, 150]]);
  expect([await stored(), await pending()]).toEqual([namesOf(whole), []]);
  await server.send('DELETE', `/api/upload/files/${file.id}`, { token });
  expect(await stored()).toEqual([]);
});

it('the focal point is one of the whole image, and as near as the crop allows', async () => {
  const { id } = await upload(await stripes().png().toBuffer());
  const right = (await change(id, { crop: { x: 30, y: 0, width: 60, height: 100 }, focalPoint: { x: 100, y: 50 } }))
    .body;
  // Of what the crop shows, the right end, and then the left one, where it begins in the red third.
  expect(await seenOf(right.formats.card)).toEqual(['green', 'blue', 100, 100]);
  const left = (await change(id, { focalPoint: { x: 0, y: 50 } })).body;
  expect(left.crop).toEqual(right.crop);
  expect(left.formats.wide).toEqual(right.formats.wide);
  expect(await seenOf(left.formats.card)).toEqual(['red', 'green', 'blue', 100, 100]);
  expect(left.placeholder).toBe(right.placeholder);
  expect(await pending()).toEqual([]);
});

it('a small image and one that is seen turned are cropped as they are seen', async () => {
  const small = await upload(await stripes().resize(60, 30).png().toBuffer());
  expect(Object.keys(small.formats).filter((key) => !key.includes('_'))).toEqual(['card']);
  const cropped = (await crop(small.id, { x: 75, y: 0, width: 25, height: 100 })).body;
  expect(await seenOf(cropped.formats.wide)).toEqual(['blue', 15, 30]);
  const whole = (await crop(small.id, null)).body;
  expect(Object.keys(whole.formats).filter((key) => !key.includes('_'))).toEqual(['card']);
  // Turned by a quarter: the stripes are one above the other.
  const turned = await upload(await stripes().jpeg().withMetadata({ orientation: 6 }).toBuffer());
  const top = (await crop(turned.id, { x: 0, y: 0, width: 100, height: 25 })).body;
  expect(await seenOf(top.formats.wide)).toEqual(['red', 200, 100]);
});

it('survives files resize, is in every answer, and new bytes have none', async () => {
  const { id } = await upload(await stripes().png().toBuffer());
  const red = (await crop(id, RED)).body;
  await server.send('POST', '/api/pictures', { body: { data: { title: 'x', image: id } }, token });
  const inV5 = await server.send('GET', '/api/pictures?populate=image');
  expect(inV5.body.data[0].image.crop).toEqual(RED);
  const headers = { 'strapi-response-format': 'v4' };
  const inV4 = await server.send('GET', '/api/pictures?populate=image', { headers });
  expect(inV4.body.data[0].attributes.image.data.attributes.crop).toEqual(RED);
  const query = '{ pictures { image { crop } } }';
  expect((await server.send('POST', '/graphql', { body: { query } })).body.data.pictures).toEqual([
    { image: { crop: RED } },
  ]);
  const { body } = await server.send('GET', '/openapi.json');
  const properties = Object.keys(body.components.schemas.UploadedFile.properties);
  expect(properties).toEqual(expect.arrayContaining(['focalPoint', 'crop', 'placeholder', 'documentId']));
  const run = (name: string) =>
    command(
      project,
      (definition, args) => {
        vi.stubEnv('UPLOAD_DIR', uploads);
        return runFiles(definition, args);
      },
      [name],
    );
  expect(await run('resize')).toMatchObject({ code: 0 });
  const after = (await server.send('GET', `/api/upload/files/${id}`)).body;
  expect([after.formats, after.crop, after.placeholder]).toEqual([red.formats, RED, red.placeholder]);
  expect(await run('check')).toMatchObject({ code: 0 });
  const replaced = (await post(`/upload?id=${id}`, { files: blob(await stripes().png().toBuffer()) })).body;
  expect([replaced.crop, await seenOf(replaced.formats.wide)]).toEqual([null, ['red', 'green', 'blue', 300, 150]]);
  expect(await pending()).toEqual([]);
});

it('of changes at the same time one is made, and its bytes stay', async () => {
  const { id } = await upload(await stripes().png().toBuffer());
  const crops = [RED, { ...RED, x: 75 }, RED];
  const answers = await Promise.all(crops.map((value) => crop(id, value)));
  expect(answers.every(({ status }) => status < 300 || status === 409)).toBe(true);
  const { body } = await server.send('GET', `/api/upload/files/${id}`);
  expect(await seenOf(body.formats.wide)).toEqual([body.crop.x === 0 ? 'red' : 'blue', 100, 200]);
  const all = (await server.send('GET', '/api/upload/files')).body as any[];
  expect([await stored(), await pending()]).toEqual([all.flatMap(namesOf).toSorted(), []]);
});

it('is refused outside of the image, for what is none, for new files, and to who may not upload', async () => {
  const { id } = await upload(await stripes().png().toBuffer());
  const text = await upload(Buffer.from('a text'));
  const errors = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    return [status, body.error.message];
  };
  const AREA = 'fileInfo.crop must be within the image';
  expect(await errors(crop(id, { x: 50, y: 0, width: 50.01, height: 1 }))).toEqual([400, AREA]);
  expect(await errors(crop(id, { x: 0, y: 99.5, width: 1, height: 1 }))).toEqual([400, AREA]);
  expect((await crop(id, { x: 33.3, y: 66.7, width: 66.7, height: 33.3 })).status).toBe(201);
  const SHARE = 'fileInfo.crop.width must be a number from 1 to 100';
  expect(await errors(crop(id, { ...RED, width: 0.99 }))).toEqual([400, SHARE]);
  for (const value of [
    { ...RED, x: -1 },
    { ...RED, width: 101 },
    { ...RED, height: '9' },
    { x: 0, y: 0 },
    { ...RED, z: 1 },
    [],
    'x',
    7,
  ]) {
    expect((await crop(id, value)).status, JSON.stringify(value)).toBe(400);
  }
  expect(await errors(crop(text.id, RED))).toEqual([400, 'crop can only be that of an image']);
  const fields = { fileInfo: JSON.stringify({ crop: RED }), files: new Blob(['a text']) };
  expect(await errors(post('/upload', fields))).toEqual([400, "crop can't be set"]);
  expect(await errors(post(`/upload?id=${id}`, fields))).toEqual([400, "crop can't be set"]);
  const many = { files: [{ id, crop: RED }] };
  expect((await server.send('PUT', '/api/upload/files', { body: many, token })).status).toBe(400);
  const { jwt } = await server.register('reader');
  expect((await post(`/upload?id=${id}`, { fileInfo: JSON.stringify({ crop: RED }) }, jwt)).status).toBe(403);
});
