/** Focal points: what of an image stays in view where it is cut, and what becomes of the bytes that were cut before. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
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
name: focus
databases: [sqlite]
uploads: { focalPoints: true, sizes: { card: { width: 100, height: 100, fit: cover }, wide: { width: 300 } } }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions: { public: { upload: [find, findOne] }, authenticated: { upload: [upload] } }
`;

let project: TestProject & { readonly folder: string };
let server: TestServer;
let token: string;
let uploads: string;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
  uploads = fileURLToPath(new URL('uploads', `file://${project.urlOf('x').replace('sqlite:', '')}`));
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const post = (path: string, fields: Fields) => postForm(server.origin, path, fields, token);
const focus = (id: number, focalPoint: unknown) =>
  post(`/upload?id=${id}`, { fileInfo: JSON.stringify({ focalPoint }) });

/** 400 × 200: a red, a green and a blue third beside each other. */
const STRIPES = Buffer.concat(
  Array.from({ length: 200 }, () =>
    Buffer.concat(
      Array.from({ length: 400 }, (_, x) =>
        Buffer.from([0, 1, 2].map((band) => (Math.floor(x / 134) === band ? 255 : 0))),
      ),
    ),
  ),
);
const stripes = () => sharp(STRIPES, { raw: { width: 400, height: 200, channels: 3 } });

async function upload(bytes: Buffer, type: string): Promise<any> {
  return (await post('/upload', { files: new Blob([new Uint8Array(bytes)], { type }) })).body[0];
}
/** The color in the middle of a stored image, and its size. */
async function seenOf(url: string): Promise<readonly unknown[]> {
  const response = await fetch(server.origin + url);
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  const band = [...data.subarray(at, at + 3)].findIndex((value) => value > 200);
  return [['red', 'green', 'blue'][band], info.width, info.height];
}
const pending = async () => {
  const database = await project.open();
  const rows = await database.all(raw('SELECT name FROM pending_files'));
  await database.close();
  return rows;
};
const stored = async () => (await readdir(uploads)).filter((name) => !name.startsWith('.')).toSorted();

it('sizes that cover are cut around it, under another address, and others stay as they are', async () => {
  const file = await upload(await stripes().png().toBuffer(), 'image/png');
  expect([file.focalPoint, await seenOf(file.formats.card.url)]).toEqual([null, ['green', 100, 100]]);
  const left = await focus(file.id, { x: 10, y: 50 });
  expect(left.body.focalPoint).toEqual({ x: 10, y: 50 });
  expect(await seenOf(left.body.formats.card.url)).toEqual(['red', 100, 100]);
  expect(left.body.formats.wide).toEqual(file.formats.wide);
  expect((await fetch(server.origin + file.formats.card.url)).status).toBe(404);
  const right = await focus(file.id, { x: 90, y: 12.3456 });
  expect([right.body.focalPoint.y, await seenOf(right.body.formats.card.url)]).toEqual([12.35, ['blue', 100, 100]]);
  // The same point again changes nothing.
  expect((await focus(file.id, { x: 90, y: 12.35 })).body.formats).toEqual(right.body.formats);
  // Of changes at the same time, also to the same point, one is made, and its bytes stay.
  for (const points of [
    [20, 80],
    [15, 15],
  ]) {
    const both = await Promise.all(points.map((x) => focus(file.id, { x, y: 50 })));
    expect(both.every(({ status }) => status < 300 || status === 409)).toBe(true);
    const { body } = await server.send('GET', `/api/upload/files/${file.id}`);
    expect(await seenOf(body.formats.card.url)).toEqual([body.focalPoint.x < 50 ? 'red' : 'blue', 100, 100]);
  }
  const none = await focus(file.id, null);
  expect([none.body.focalPoint, none.body.formats.wide]).toEqual([null, file.formats.wide]);
  expect(await seenOf(none.body.formats.card.url)).toEqual(['green', 100, 100]);
  expect([await pending(), (await stored()).length]).toEqual([[], 4]);
  await server.send('DELETE', `/api/upload/files/${file.id}`, { token });
  expect(await stored()).toEqual([]);
});

it('is that of the image as it is seen, and survives files resize', async () => {
  // Turned by a quarter: the stripes are one above the other.
  const turned = await upload(await stripes().jpeg().withMetadata({ orientation: 6 }).toBuffer(), 'image/jpeg');
  const top = (await focus(turned.id, { x: 50, y: 5 })).body;
  expect(await seenOf(top.formats.card.url)).toEqual(['red', 100, 100]);
  const data = { title: 'x', image: turned.id };
  await server.send('POST', '/api/pictures', { body: { data }, token });
  const { body } = await server.send('GET', '/api/pictures?populate=image', { token });
  expect(body.data[0].attributes.image.data.attributes.focalPoint).toEqual({ x: 50, y: 5 });
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
  const after = (await server.send('GET', `/api/upload/files/${turned.id}`)).body;
  expect([after.formats, after.focalPoint]).toEqual([top.formats, top.focalPoint]);
  expect(await run('check')).toMatchObject({ code: 0 });
  // A new image has none.
  const bytes = await stripes().png().toBuffer();
  const replaced = await post(`/upload?id=${turned.id}`, { files: new Blob([new Uint8Array(bytes)]) });
  expect([replaced.body.focalPoint, await seenOf(replaced.body.formats.card.url)]).toEqual([null, ['green', 100, 100]]);
  expect(await pending()).toEqual([]);
});

it('is refused for what has none', async () => {
  const text = await upload(Buffer.from('a text'), 'text/plain');
  const errors = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    return [status, body.error.message];
  };
  expect(await errors(focus(text.id, { x: 0, y: 0 }))).toEqual([400, 'focalPoint can only be that of an image']);
  expect(await errors(focus(text.id, { x: 101, y: 0 }))).toEqual([
    400,
    'fileInfo.focalPoint.x must be a number from 0 to 100',
  ]);
  const fields = { fileInfo: '{"focalPoint":{"x":0,"y":0}}', files: new Blob(['a text']) };
  expect(await errors(post('/upload', fields))).toEqual([400, "focalPoint can't be set"]);
  const many = { files: [{ id: text.id, focalPoint: { x: 0, y: 0 } }] };
  expect((await server.send('PUT', '/api/upload/files', { body: many, token })).status).toBe(400);
});
