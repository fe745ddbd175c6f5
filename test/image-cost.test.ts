/** What an uploaded image may cost: the memory of the process that resizes it, and the pixels of one request. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IMAGE_LIMITS } from '../templates/runtime/src/contract/limits.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import type { RunningServer } from './support/project.ts';

const SCHEMA = `name: images
databases: [sqlite]
contentTypes:
  picture: { attributes: { image: { type: media } } }
permissions:
  public: { upload: [upload] }
`;

let project: BundledProject | undefined;
let server: RunningServer;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
  server = await project.start({
    DATABASE_URL: `sqlite:${join(project.path, 'images.db')}`,
    UPLOAD_MAX_TOTAL_PIXELS: '20000000',
    UPLOAD_MAX_PIXELS: '20000000',
  });
});
afterAll(async () => {
  await server?.stop();
  await project?.remove();
});

type Size = readonly [width: number, height: number, channels: 3 | 4];

function imageOf([width, height, channels]: Size): Promise<Buffer> {
  const background = { r: 200, g: 30, b: 30, alpha: 0.5 };
  return sharp({ create: { width, height, channels, background }, limitInputPixels: false })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function upload(...sizes: readonly Size[]): Promise<{ readonly status: number; readonly body: any }> {
  const form = new FormData();
  for (const size of sizes) form.append('files', new Blob([await imageOf(size)]), `${size.join('x')}.png`);
  const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form });
  return { status: answer.status, body: await answer.json() };
}

/** The peak of the server's memory so far, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(?<kilobytes>\d+) kB$/mu.exec(status)?.groups?.['kilobytes']) * 1024;
}

it.runIf(process.platform === 'linux')(
  'resizing takes no more memory than it may, whatever the shape of an image',
  async () => {
    const first = await upload([600, 400, 3]);
    expect(Object.keys(first.body[0].formats)).toEqual(['thumbnail', 'small']);
    const before = await peak();
    // Each row of a copy is made of many wide ones: as many as fit into the limit …
    const wide = await upload([60_000, 230, 3]);
    expect(Object.keys(wide.body[0].formats)).toEqual(['thumbnail', 'large', 'medium', 'small']);
    // … and more than that.
    for (const size of [
      [60_000, 260, 3],
      [60_000, 300, 4],
      [16_000, 1200, 4],
    ] as const) {
      expect((await upload(size)).body[0]).toMatchObject({ width: size[0], height: size[1], formats: null });
    }
    expect((await peak()) - before).toBeLessThan(IMAGE_LIMITS.memory);
  },
);

it('neither side of an image may be longer than that of a JPEG', async () => {
  for (const size of [
    [70_000, 20, 3],
    [20, 70_000, 3],
  ] as const) {
    const { status, body } = await upload(size);
    const message = `${size.join('x')}.png is wider or higher than 65535 pixels`;
    expect([status, body.error.message]).toEqual([400, message]);
  }
});

it('the images of a request have a limited number of pixels in total', async () => {
  const { status, body } = await upload([4000, 4000, 3], [4000, 1000, 3], [10, 10, 3]);
  expect([status, body.error.message]).toEqual([
    400,
    'the images of a request may have 20000000 pixels in total: upload the others in separate requests',
  ]);
  expect(body.error.details.errors).toHaveLength(1);
});
