/** S05 and R08: what an upload may take, in which order it is checked, and what a disk that fails is answered with. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { generateProject, type ServedProject, serveProject } from './support/served-project.ts';

const SCHEMA = `
name: pictures
databases: [sqlite]
contentTypes:
  picture:
    attributes:
      title: { type: string, required: true }
      image: { type: media }
  note:
    attributes:
      title: { type: string, required: true }
      image: { type: media }
permissions:
  public:
    picture: [find, findOne, create, update]
    upload: [upload, find, findOne, destroy]
`;
const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServedProject;
let uploads: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  uploads = join(folder.path, 'uploads');
  const limits = { UPLOAD_MAX_SIZE: '200000', UPLOAD_MAX_TOTAL: '300000' };
  server = await serveProject(SCHEMA, { environment: { UPLOAD_DIR: uploads, ...limits } });
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

const arriving = () => readdir(join(uploads, '.incoming'));

type Part = readonly [name: string, content: string, filename?: string];
const part = ([name, content, filename]: Part): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n${content}\r\n`;

/** Sends a request whose body never ends; answers the status and what the server says before it has seen all of it. */
function sendEndless(method: string, path: string, parts: readonly Part[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () => {
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000\r\n\r\n`;
      socket.write(head + parts.map(part).join(''));
    });
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('"error"')) {
        socket.destroy();
        resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), text });
      }
    });
  });
}

async function send(method: string, path: string, parts: readonly Part[]): Promise<{ status: number; body: any }> {
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `${parts.map(part).join('')}--b--\r\n`,
  });
  return { status: response.status, body: await response.json() };
}

const FILE: Part = ['files.image', 'hello', 'a.txt'];

describe('S05: checks before any byte of a file is stored', () => {
  test('S05: permission, id, data and target are checked first, and the response does not wait for the body', async () => {
    const half: Part = ['files.image', 'x'.repeat(1000), 'a.txt'];
    for (const [method, path, parts, status] of [
      ['POST', '/api/notes', [half], 403],
      ['PUT', '/api/pictures/999', [half], 404],
      ['PUT', '/api/pictures/x', [['data', '{'], half], 400],
      ['POST', '/api/pictures', [['data', '{"title"'], half], 400],
      ['POST', '/api/pictures', [['data', '[]'], half], 400],
      [
        'POST',
        '/api/pictures',
        [
          ['data', '{"title":"t"}'],
          ['image', 'x', 'a.txt'],
        ],
        400,
      ],
      ['POST', '/api/upload?id=999', [['files', 'x', 'a.txt']], 404],
      [
        'POST',
        '/api/upload',
        [
          ['fileInfo', '{"path":"x"}'],
          ['files', 'x', 'a.txt'],
        ],
        400,
      ],
      [
        'POST',
        '/api/upload',
        [
          ['ref', 'note'],
          ['refId', '1'],
          ['field', 'image'],
          ['files', 'x', 'a.txt'],
        ],
        403,
      ],
    ] as const) {
      const answer = await sendEndless(method, path, parts);
      expect([path, answer.status]).toEqual([path, status]);
    }
    await expect.poll(arriving, { timeout: 5000 }).toEqual([]);
  });

  test('S05: data may come after the files, as clients send it', async () => {
    const { status, body } = await send('POST', '/api/pictures?populate=image', [FILE, ['data', '{"title":"t"}']]);
    expect([status, body.data.attributes.image.data.attributes.name]).toEqual([201, 'a.txt']);
    expect((await send('POST', '/api/pictures', [FILE, ['data', '{']])).status).toBe(400);
    expect((await send('POST', '/api/pictures', [FILE])).status).toBe(400);
    expect(await arriving()).toEqual([]);
  });

  test('S05: the files of one caller are bounded, in one request and in several', async () => {
    const large: Part = ['files', 'x'.repeat(150_000), 'a.txt'];
    const one = await send('POST', '/api/upload', [large, large, large]);
    expect([one.status, one.body.error.message]).toEqual([
      413,
      'The files of the request exceed 300000 bytes in total',
    ]);
    const held = connect(Number(new URL(server.origin).port), '127.0.0.1');
    held.on('error', () => {});
    const head =
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 190000\r\n\r\n';
    held.write(`${head}${part(large)}${part(['files', 'x'.repeat(20_000), 'b.txt'])}`);
    await expect.poll(async () => (await arriving()).length, { timeout: 5000 }).toBe(2);
    const nameOfNext = async () => (await send('POST', '/api/upload', [large])).body.error?.name;
    await expect.poll(nameOfNext, { timeout: 5000 }).toBe('RateLimitError');
    held.destroy();
    await expect.poll(async () => (await send('POST', '/api/upload', [large])).status, { timeout: 10_000 }).toBe(200);
    expect(await arriving()).toEqual([]);
  });
});

describe('R08: a disk that fails', () => {
  test('R08: a missing folder gives 503 with the reason, and not ready, until it is back', async () => {
    await rename(uploads, `${uploads}-gone`);
    const { status, body } = await send('POST', '/api/upload', [['files', 'x', 'a.txt']]);
    expect([status, body.error.message]).toEqual([
      503,
      'The file was not stored: the folder of uploads is not writable',
    ]);
    const ready = async () => (await fetch(`${server.origin}/_ready`)).status;
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    expect(await (await fetch(`${server.origin}/_ready`)).text()).toContain('Not ready: the folder of uploads');
    await rename(`${uploads}-gone`, uploads);
    expect((await send('POST', '/api/upload', [['files', 'x', 'a.txt']])).status).toBe(200);
    await expect.poll(ready, { timeout: 10_000 }).toBe(204);
  });

  test('R08: a full disk gives 507 with the reason, leaves nothing behind, and is not ready', async (context) => {
    const volume = join(folder.path, 'volume');
    await mkdir(volume);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', volume]);
    } catch (error) {
      context.skip(`a volume of 1 MB can't be mounted here: ${String(error)}`);
    }
    const small = await serveProject(SCHEMA, { environment: { UPLOAD_DIR: join(volume, 'uploads') } });
    try {
      const form = new FormData();
      form.append('files', new Blob(['x'.repeat(2_000_000)]), 'a.txt');
      const response = await fetch(`${small.origin}/api/upload`, { method: 'POST', body: form });
      const { error }: any = await response.json();
      expect([response.status, error.name, error.message]).toEqual([
        507,
        'InsufficientStorageError',
        'The file was not stored: there is no space left for files',
      ]);
      expect(await readdir(join(volume, 'uploads', '.incoming'))).toEqual([]);
      await run('sh', ['-c', `head -c 2000000 /dev/zero > ${join(volume, 'full')} || true`]);
      const ready = await fetch(`${small.origin}/_ready`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('no space left for files')]);
    } finally {
      await small.close();
      await run('umount', [volume]);
    }
  });
});

test('N14: a new project depends on sharp if its schema has media', async () => {
  for (const [schema, optional] of [
    [SCHEMA, { sharp: expect.any(String) }],
    [SCHEMA.replaceAll(/image: .*|upload: .*/g, ''), undefined],
  ] as const) {
    const project = await generateProject(schema);
    const text = await readFile(join(project.folder, 'project/package.json'), 'utf8');
    expect((JSON.parse(text) as Record<string, unknown>)['optionalDependencies']).toEqual(optional);
    await project.remove();
  }
});
