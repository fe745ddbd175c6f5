/** Sizes of images in the schema: what uploads get, what is refused, and what `files resize` makes of images that were there before. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ServerDefinition } from '../templates/runtime/src/server/definition.ts';
import { runFiles } from '../templates/runtime/src/server/commands/run-files.ts';
import {
  command,
  createToken,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const schemaOf = (sizes: string) => `
name: gallery
databases: [sqlite]
uploads: { sizes: ${sizes} }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions: { public: { upload: [find, findOne] } }
`;

const SIZES = `{ large: false, medium: { width: 300 }, card: { width: 160, height: 90, fit: cover, format: webp } }`;

let project: TestProject & { readonly folder: string };
let server: TestServer;
let token: string;

beforeAll(async () => {
  project = await openSchema(schemaOf(SIZES));
  server = await project.start();
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

async function upload(at: TestServer, width: number, height: number): Promise<any> {
  const image = sharp({ create: { width, height, channels: 4, background: { r: 200, g: 20, b: 20, alpha: 0.5 } } });
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(await image.png().toBuffer())], { type: 'image/png' }), 'red.png');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${at.origin}/api/upload`, { method: 'POST', headers, body: form });
  const [file] = (await response.json()) as any;
  return file;
}

async function typeOf(url: string): Promise<readonly unknown[]> {
  const response = await fetch(server.origin + url);
  const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [response.headers.get('content-type'), width, height, format];
}

it('images get the sizes of the schema beside those of Strapi, cut and converted as it says', async () => {
  const { formats } = await upload(server, 1200, 800);
  expect(Object.keys(formats).toSorted()).toEqual(['card', 'medium', 'small', 'thumbnail']);
  expect(formats.card).toMatchObject({ width: 160, height: 90, ext: '.webp', mime: 'image/webp' });
  expect(await typeOf(formats.card.url)).toEqual(['image/webp', 160, 90, 'webp']);
  expect(await typeOf(formats.medium.url)).toEqual(['image/png', 300, 200, 'png']);
  // Nothing is enlarged.
  const small = await upload(server, 100, 60);
  expect(Object.keys(small.formats)).toEqual(['card']);
  expect(small.formats.card).toMatchObject({ width: 100, height: 60 });
});

it('a command makes the sizes of images that were there before, and removes those that are no more', async () => {
  const before = await upload(server, 900, 900);
  const data = { title: 'red', image: before.id };
  const picture = await server.send('POST', '/api/pictures', { body: { data }, token });
  const read = () => server.send('GET', `/api/pictures/${picture.body.data.id}?populate=image`, { token });
  const tag = (await read()).headers.get('etag');
  const uploads = fileURLToPath(new URL('uploads', `file://${project.urlOf('x').replace('sqlite:', '')}`));
  const run = (imageSizes: ServerDefinition['imageSizes'], name: string) =>
    command(
      project,
      (definition, args) => {
        vi.stubEnv('UPLOAD_DIR', uploads);
        return runFiles({ ...definition, ...(imageSizes && { imageSizes }) }, args);
      },
      [name],
    );
  const imageSizes = [
    { name: 'card', width: 64, height: 64, fit: 'cover' as const },
    { name: 'wide', width: 400 },
  ];
  expect(await run(imageSizes, 'resize')).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 images have the sizes of the schema'),
  });
  const { body } = await server.send('GET', `/api/upload/files/${before.id}`);
  expect(Object.keys(body.formats).toSorted()).toEqual(['card', 'wide']);
  expect(body.formats.card).toMatchObject({ width: 64, height: 64, ext: '.png' });
  expect(body.url).toBe(before.url);
  expect((await read()).headers.get('etag')).not.toBe(tag);
  expect((await fetch(server.origin + before.formats.medium.url)).status).toBe(404);
  expect(await run(undefined, 'check')).toMatchObject({ code: 0 });
  const stored = await readdir(uploads);
  expect(stored.filter((name) => name.startsWith('medium_'))).toEqual([]);
});
