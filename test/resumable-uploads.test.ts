/** Uploads that continue where they were cut off, by the protocol tus: with its client, and byte by byte. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { ValidationError } from '../templates/runtime/src/contract/errors.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { bundleProject } from './support/bundled-project.ts';
import { type FileServer, openFileServer } from './support/file-server.ts';
import { openSchema } from './support/served-project.ts';

const schemaOf = (uploads: string) => `
name: resumable
databases: [sqlite, postgres, mysql]
api: { format: v5 }
${uploads}
contentTypes:
  article:
    attributes:
      cover: { type: media }
permissions:
  authenticated: { upload: [find, upload] }
`;

const PATH = '/api/upload/resumable';
const MIB = 1024 * 1024;
const DAY = 24 * 3_600_000;
/** A PDF, by its first bytes. */
const bytesOf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)]);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const metadata = (pairs: Readonly<Record<string, string>>) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(schemaOf('uploads: { resumable: true, folders: true }'));
});
afterAll(() => project?.remove());

const tus = { 'Tus-Resumable': '1.0.0' };
const part = (offset: number) => ({
  ...tus,
  'Upload-Offset': String(offset),
  'Content-Type': 'application/offset+octet-stream',
});

describe.each(await testedEngines())('on %s', (engine) => {
  let opened: FileServer;
  let database: Database;
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    const settings = {
      UPLOAD_MAX_SIZE: String(12 * MIB),
      UPLOAD_MAX_UNFINISHED: String(40 * MIB),
      CORS_ORIGINS: 'https://example.org',
    };
    opened = await openFileServer(project, 'resumable', { engine, settings });
    ({ database, server, admin } = opened);
  });
  afterAll(async () => {
    await server?.close();
    await opened?.close();
  });

  /** A request that sends bytes, and answers with headers. */
  async function call(
    method: string,
    path: string,
    headers: Record<string, string> = tus,
    { body, token = admin }: { readonly body?: Uint8Array; readonly token?: string } = {},
  ) {
    const answer = await fetch(server.origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body && { body: Buffer.from(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  async function create(length: number, said: Record<string, string> = {}, token = admin): Promise<string> {
    const headers = { ...tus, 'Upload-Length': String(length), 'Upload-Metadata': metadata(said) };
    const answer = await call('POST', PATH, headers, { token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.headers.get('location') ?? '';
  }
  const offsetOf = async (path: string, token = admin) => {
    const answer = await call('HEAD', path, tus, { token });
    return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : answer.status;
  };
  const end = (path: string) => call('DELETE', path);
  const unfinished = async () =>
    (await readdir(join(opened.uploads, '.resumable'))).filter((name) => !name.endsWith('.lock'));
  const files = async (name: string) =>
    (await server.send('GET', `/api/upload/files?filters[name]=${name}`, { token: admin })).body as any[];
  const served = async (file: { readonly url: string }) =>
    hashOf(new Uint8Array(await (await fetch(server.origin + file.url)).arrayBuffer()));

  /** Sends the beginning of a part, and cuts the connection. */
  function sendAndCut(path: string, bytes: Uint8Array, announced: number): Promise<void> {
    return new Promise((resolve) => {
      const { hostname, port } = new URL(server.origin);
      const headers = { authorization: `Bearer ${admin}`, ...part(0), 'Content-Length': String(announced) };
      const request = httpRequest({ hostname, port, path, method: 'PATCH', headers });
      request.on('error', () => resolve());
      request.write(bytes, () => setTimeout(() => request.destroy(), 200));
    });
  }

  /** Runs the client until it ends, or until so many bytes were accepted. */
  function run(upload: Upload, until = Infinity): Promise<'cut' | 'done'> {
    return new Promise((resolve, reject) => {
      Object.assign(upload.options, {
        onSuccess: () => resolve('done'),
        onError: reject,
        onChunkComplete: (_size: number, accepted: number) => {
          if (accepted >= until) void upload.abort().then(() => resolve('cut'));
        },
      } satisfies Partial<UploadOptions>);
      upload.start();
    });
  }

  it('the client of tus continues after the server was started again, and the bytes are equal', async () => {
    const bytes = bytesOf(9 * MIB);
    const press = (await server.send('POST', '/api/upload/folders', { token: admin, body: { name: 'Press' } })).body;
    const options: UploadOptions = {
      endpoint: server.origin + PATH,
      headers: { authorization: `Bearer ${admin}` },
      chunkSize: 2 * MIB,
      retryDelays: [],
      metadata: { filename: 'report.pdf', filetype: 'application/pdf', alternativeText: 'Größe', folder: press.id },
    };
    const first = new Upload(bytes, options);
    expect(await run(first, 4 * MIB)).toBe('cut');
    const { pathname } = new URL(first.url ?? '');
    await server.close();
    server = await opened.start();
    expect(await offsetOf(pathname)).toBeGreaterThanOrEqual(4 * MIB);
    const said = (await call('HEAD', pathname)).headers.get('upload-metadata');
    expect(said?.split(',')[0]).toBe(metadata({ filename: 'report.pdf' }));
    expect((await fetch(`${server.origin}/uploads/.resumable/${pathname.split('/').at(-1)}.bytes`)).status).toBe(404);
    let fileId: string | undefined;
    const second = new Upload(bytes, {
      ...options,
      uploadUrl: server.origin + pathname,
      onAfterResponse: (_, response) => {
        fileId = response.getHeader('Upload-File-Id') ?? fileId;
      },
    });
    expect(await run(second)).toBe('done');
    const [file] = await files('report.pdf');
    expect(file).toMatchObject({ id: Number(fileId), mime: 'application/pdf', ext: '.pdf', alternativeText: 'Größe' });
    expect(await served(file)).toBe(hashOf(bytes));
    const inside = (await server.send('GET', `/api/upload/folders/${press.id}/files`, { token: admin })).body;
    expect(inside.map(({ id }: any) => id)).toEqual([file.id]);
    expect(await unfinished()).toEqual([]);

    // The last request again, and a look: nothing is stored twice.
    const again = await call('PATCH', pathname, part(bytes.length));
    expect([again.status, again.headers.get('upload-file-id')]).toEqual([204, fileId]);
    const status = await call('GET', pathname);
    expect(status.body).toEqual({ length: bytes.length, offset: bytes.length, fileId: file.id });
    expect((await call('PATCH', pathname, part(0), { body: bytes.subarray(0, 9) })).status).toBe(409);
    expect(await files('report.pdf')).toHaveLength(1);
  });

  it('keeps what arrived before a connection was cut, and one of two parts at once is refused', async () => {
    const bytes = bytesOf(3 * MIB);
    const path = await create(bytes.length, { filename: 'cut.pdf' });
    await sendAndCut(path, bytes.subarray(0, MIB), bytes.length);
    await expect.poll(() => offsetOf(path)).toBe(MIB);
    expect((await call('PATCH', path, part(0), { body: bytes })).status).toBe(409);
    const rest = bytes.subarray(MIB);
    const both = await Promise.all([
      call('PATCH', path, part(MIB), { body: rest }),
      call('PATCH', path, part(MIB), { body: rest }),
    ]);
    const [good, refused] = both.toSorted((a, b) => a.status - b.status);
    expect(good?.status).toBe(204);
    // After the first one: it is a repetition of what is finished, at another offset.
    expect([409, 423]).toContain(refused?.status);
    const [file, ...more] = await files('cut.pdf');
    expect(more).toEqual([]);
    expect(good?.headers.get('upload-file-id')).toBe(String(file.id));
    expect(await served(file)).toBe(hashOf(bytes));
  });

  it('a connection that only looks open gives way to the next request', async () => {
    const bytes = bytesOf(2 * MIB);
    const path = await create(bytes.length, { filename: 'stalled.pdf' });
    const { hostname, port } = new URL(server.origin);
    const headers = { authorization: `Bearer ${admin}`, ...part(0), 'Content-Length': String(bytes.length) };
    const stalled = httpRequest({ hostname, port, path, method: 'PATCH', headers });
    stalled.on('error', () => {});
    stalled.write(bytes.subarray(0, MIB));
    await expect.poll(() => offsetOf(path)).toBe(MIB);
    expect((await call('PATCH', path, part(MIB), { body: bytes.subarray(MIB) })).status).toBe(423);
    await pause(1500);
    expect((await call('PATCH', path, part(MIB), { body: bytes.subarray(MIB) })).status).toBe(204);
    expect(await served((await files('stalled.pdf'))[0])).toBe(hashOf(bytes));
  });

  it('only who began an upload may continue, see or end it, with the right to upload', async () => {
    const [ann, bob] = [await server.register(`ann${engine}`), await server.register(`bob${engine}`)];
    const bytes = bytesOf(1000);
    const path = await create(bytes.length, { filename: 'own.pdf' }, ann.jwt);
    for (const token of [bob.jwt, admin]) {
      const answers = [
        await call('HEAD', path, tus, { token }),
        await call('GET', path, tus, { token }),
        await call('PATCH', path, part(0), { body: bytes, token }),
        await call('DELETE', path, tus, { token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    const nobody = { token: 'nobody', body: bytes };
    expect((await call('PATCH', path, part(0), nobody)).status).toBe(401);
    const visitor = await fetch(server.origin + path, { method: 'PATCH', headers: part(0), body: bytes });
    expect(visitor.status).toBe(403);
    const headers = { ...tus, 'Upload-Length': '5' };
    expect((await fetch(server.origin + PATH, { method: 'POST', headers })).status).toBe(403);
    const reader = await createToken(database, { kind: 'read-only' });
    expect((await call('POST', PATH, headers, { token: reader })).status).toBe(403);
    expect((await call('PATCH', path, part(0), { token: ann.jwt, body: bytes })).status).toBe(204);
    // What became of it is not for others either.
    expect(await offsetOf(path, bob.jwt)).toBe(404);
    expect(await offsetOf(path, ann.jwt)).toBe(bytes.length);
  });

  it('refuses before it takes a byte what is too large, too much, empty, or of another protocol', async () => {
    const begin = (headers: Record<string, string>) => call('POST', PATH, { ...tus, ...headers });
    const statusOf = async (headers: Record<string, string>) => (await begin(headers)).status;
    expect(await statusOf({ 'Upload-Length': String(12 * MIB + 1) })).toBe(413);
    expect(await statusOf({ 'Upload-Length': '0' })).toBe(400);
    expect(await statusOf({ 'Upload-Defer-Length': '1' })).toBe(400);
    expect(await statusOf({ 'Upload-Length': '1e3' })).toBe(400);
    expect(await statusOf({ 'Upload-Length': '5', 'Tus-Resumable': '0.2.2' })).toBe(412);
    expect(await statusOf({ 'Upload-Length': '5', 'Upload-Metadata': 'filename %%%' })).toBe(400);
    expect(await statusOf({ 'Upload-Length': '5', 'Upload-Metadata': `a ${'A'.repeat(17_000)}` })).toBe(400);
    expect(await statusOf({ 'Upload-Length': '5', 'Upload-Metadata': metadata({ folder: '999' }) })).toBe(400);
    expect(await statusOf({ 'Upload-Length': '5', 'Upload-Metadata': metadata({ caption: 'x'.repeat(256) }) })).toBe(
      400,
    );
    const path = await create(100);
    const more = bytesOf(200);
    expect((await call('PATCH', path, part(0), { body: more })).status).toBe(413);
    expect((await call('PATCH', path, { ...part(0), 'Content-Type': 'text/plain' }, { body: more })).status).toBe(415);
    expect((await call('PATCH', path, { ...part(0), 'Upload-Offset': 'x' }, { body: more })).status).toBe(400);
    expect((await call('PATCH', path, part(101), { body: more })).status).toBe(409);
    expect(await offsetOf(path)).toBe(0);
    // A body whose length is not announced.
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(more.subarray(0, 60));
        controller.enqueue(more);
        controller.close();
      },
    });
    const init = { method: 'PATCH', headers: { ...part(0), authorization: `Bearer ${admin}` }, body: stream };
    const long = await fetch(server.origin + path, { ...init, duplex: 'half' } as RequestInit);
    expect(long.status).toBe(413);
    expect(await offsetOf(path)).toBeLessThanOrEqual(100);
    expect((await end(path)).status).toBe(204);
    expect(await offsetOf(path)).toBe(404);
    expect((await end(path)).status).toBe(404);
    for (const id of ['..%2F..%2Fx', 'x', 'creation', '0'.repeat(32)]) {
      expect(await offsetOf(`${PATH}/${id}`)).toBe(404);
    }
    expect(await unfinished()).toEqual([]);
  });

  it('a person has ten unfinished uploads at most, even at once, and all together have a bound of their bytes', async () => {
    const { jwt } = await server.register(`many${engine}`);
    const headers = { ...tus, 'Upload-Length': '1000' };
    const all = await Promise.all(Array.from({ length: 14 }, () => call('POST', PATH, headers, { token: jwt })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 4 }, () => 429),
    ]);
    const refused = all.find(({ status }) => status === 429);
    expect([refused?.headers.get('retry-after'), refused?.body.error.name]).toEqual(['60', 'RateLimitError']);
    const large = { ...tus, 'Upload-Length': String(12 * MIB) };
    const paths: string[] = [];
    for (let one = 0; one < 3; one += 1) paths.push(await create(12 * MIB));
    expect((await call('POST', PATH, large)).status).toBe(503);
    for (const path of paths) expect((await end(path)).status).toBe(204);
    const path = all.find(({ status }) => status === 201)?.headers.get('location') ?? '';
    expect((await call('DELETE', path, tus, { token: jwt })).status).toBe(204);
    expect((await call('POST', PATH, headers, { token: jwt })).status).toBe(201);
    expect(await unfinished()).toHaveLength(20);
    // They expire by themselves.
    await server.advance(DAY - 60_000);
    expect(await unfinished()).toHaveLength(20);
    await server.advance(120_000);
    expect(await unfinished()).toEqual([]);
  });

  it('files pass the same door as ordinary uploads: types by content, images by their size, versions', async () => {
    const send = async (bytes: Buffer, said: Record<string, string>) => {
      const path = await create(bytes.length, said);
      return { path, ...(await call('PATCH', path, part(0), { body: bytes })) };
    };
    const program = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), randomBytes(100)]);
    const refused = await send(program, { filename: 'a.png', filetype: 'image/png' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain("a.png can't be uploaded");
    expect(await offsetOf(refused.path)).toBe(404);
    const small = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
    const bomb = await small.png().toBuffer();
    bomb.writeUInt32BE(100_000, 16);
    expect((await send(bomb, { filename: 'bomb.png' })).status).toBe(400);
    const image = sharp({ create: { width: 800, height: 600, channels: 3, background: 'red' } });
    const good = await send(await image.png().toBuffer(), { filename: '../../sea.png', caption: 'The sea' });
    expect(good.status).toBe(204);
    const [file] = await files('sea.png');
    expect(file).toMatchObject({
      width: 800,
      mime: 'image/png',
      caption: 'The sea',
      formats: { small: { width: 500 } },
    });
    expect(await unfinished()).toEqual([]);
  });

  it('a file that has arrived is stored by the next look, if the server ended before', async () => {
    const bytes = bytesOf(5000);
    const path = await create(bytes.length, { filename: 'late.pdf' });
    await writeFile(join(opened.uploads, '.resumable', `${path.split('/').at(-1)}.bytes`), bytes);
    expect(await offsetOf(path)).toBe(bytes.length);
    const [file] = await files('late.pdf');
    expect((await call('HEAD', path)).headers.get('upload-file-id')).toBe(String(file.id));
    // The file is there, but the server ended before it removed the bytes.
    expect(await files('late.pdf')).toHaveLength(1);
  });

  it('says what it can do, also to pages of other origins', async () => {
    const options = await fetch(server.origin + PATH, { method: 'OPTIONS' });
    expect(Object.fromEntries(options.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,termination',
      'tus-max-size': String(12 * MIB),
    });
    const headers = { ...tus, 'Upload-Length': '10', Origin: 'https://example.org' };
    const created = await call('POST', PATH, headers);
    expect(created.headers.get('access-control-expose-headers')).toContain('Upload-Offset');
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + DAY);
    const override = { ...part(0), 'X-HTTP-Method-Override': 'DELETE' };
    expect((await call('POST', created.headers.get('location') ?? '', override)).status).toBe(204);
    const refused = await call('HEAD', created.headers.get('location') ?? '');
    expect([refused.status, refused.headers.get('tus-resumable')]).toEqual([404, '1.0.0']);
  });
});

it('hooks see the file once, and may change or refuse it', async () => {
  const seen: string[] = [];
  const hooks = {
    file: {
      beforeCreate({ data }: { readonly data: { readonly name: string } }) {
        seen.push(`before ${data.name}`);
        if (data.name === 'later.pdf' && seen.length === 4) throw new Error('of the first time');
        if (data.name === 'no.pdf') throw new ValidationError([{ path: ['name'], message: 'not this one' }]);
        return { caption: 'by the hook' };
      },
      afterCreate: () => void seen.push('created'),
      transform: ({ entry }: any) => ({ ...entry, attributes: { ...entry.attributes, alternativeText: 'seen' } }),
    },
  };
  const server = await project.start({ DATABASE_URL: project.urlOf('hooked') }, { hooks } as any, 'hooked');
  const database = await openDatabase(project.urlOf('hooked'));
  const token = await createToken(database, { kind: 'full-access' });
  await database.close();
  const send = async (name: string) => {
    const bytes = bytesOf(1000);
    const headers = { authorization: `Bearer ${token}` };
    const said = { ...headers, ...tus, 'Upload-Length': '1000', 'Upload-Metadata': metadata({ filename: name }) };
    const created = await fetch(server.origin + PATH, { method: 'POST', headers: said });
    const path = server.origin + (created.headers.get('location') ?? '');
    const [first, again] = [
      await fetch(path, { method: 'PATCH', headers: { ...headers, ...part(0) }, body: bytes }),
      await fetch(path, { method: 'PATCH', headers: { ...headers, ...part(1000) } }),
    ];
    if (first.ok) expect(again.headers.get('upload-file-id')).toBe(first.headers.get('upload-file-id'));
    return [first.status, again.status];
  };
  expect(await send('yes.pdf')).toEqual([204, 204]);
  expect(await send('no.pdf')).toEqual([400, 404]);
  // What fails for other reasons than the file keeps its bytes: the next look stores it.
  expect(await send('later.pdf')).toEqual([500, 204]);
  const later = ['before later.pdf', 'before later.pdf', 'created'];
  expect(seen).toEqual(['before yes.pdf', 'created', 'before no.pdf', ...later]);
  const files = (await server.send('GET', '/api/upload/files?sort=name', { token })).body;
  expect(files).toMatchObject([
    { name: 'later.pdf' },
    { name: 'yes.pdf', caption: 'by the hook', alternativeText: 'seen' },
  ]);
  await server.close();
});

it('servers without it have no such route', async () => {
  const without = await openSchema(schemaOf('uploads: { folders: true }'));
  const server = await without.start();
  const answer = await server.send('POST', PATH, { headers: { ...tus, 'Upload-Length': '5' } });
  expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([404, null]);
  await server.close();
  await without.remove();
});

it('a server with two workers that is killed knows each byte that arrived, and continues', async () => {
  const bundled = await bundleProject(
    schemaOf('uploads: { resumable: true }')
      .replace('authenticated:', 'public:')
      .replace('sqlite, postgres, mysql', 'sqlite'),
  );
  const environment = { DATABASE_URL: 'sqlite:./data/killed.db', WORKERS: '2' };
  let server = await bundled.start(environment);
  try {
    const ask = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
      fetch(server.origin + path, { method, headers: { ...headers, Connection: 'close' }, ...(body && { body }) });
    const bytes = bytesOf(6 * MIB);
    const created = await ask('POST', PATH, { ...tus, 'Upload-Length': String(bytes.length) });
    expect(created.status).toBe(201);
    const path = created.headers.get('location') ?? '';
    const { hostname, port } = new URL(server.origin);
    const headers = { ...part(0), 'Content-Length': String(bytes.length) };
    const cut = httpRequest({ hostname, port, path, method: 'PATCH', headers });
    cut.on('error', () => {});
    cut.write(bytes.subarray(0, 2 * MIB));
    const offset = async () => Number((await ask('HEAD', path, tus)).headers.get('upload-offset'));
    await expect.poll(offset).toBe(2 * MIB);
    await server.stop('SIGKILL');
    server = await bundled.start(environment);
    expect(await offset()).toBe(2 * MIB);
    const rest = bytes.subarray(2 * MIB);
    const send = () => Promise.all(Array.from({ length: 4 }, () => ask('PATCH', path, part(2 * MIB), rest)));
    let all = await send();
    // The workers of the killed server end a little later.
    while (all.every(({ status }) => status === 423)) all = await send();
    expect(all.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(all.every(({ status }) => [204, 409, 423].includes(status))).toBe(true);
    const files: any = await (await fetch(`${server.origin}/api/upload/files`)).json();
    expect(files).toHaveLength(1);
    const stored = await (await fetch(server.origin + files[0].url)).arrayBuffer();
    expect(hashOf(new Uint8Array(stored))).toBe(hashOf(bytes));
  } finally {
    await server.stop('SIGKILL');
    await bundled.remove();
  }
}, 120_000);
