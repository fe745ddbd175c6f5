/** Clients that ask for much and take little: what they hold of the server's memory, and for how long. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { openSqlite } from '../templates/runtime/src/database/sqlite.ts';
import { casesOf } from '../templates/runtime/test-support/in-full.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import type { RunningServer } from './support/project.ts';

const MIB = 1024 * 1024;
/** An answer of 4 MB. */
const LARGE = '/api/articles?pagination[pageSize]=100&fields=body';
const FILE = '0123456789abcdef0123456789abcdef.bin';

const SCHEMA = `
name: slow
databases: [sqlite]
contentTypes:
  article:
    attributes:
      body: { type: text }
      cover: { type: media }
permissions:
  public:
    article: [find]
`;

let project: BundledProject;

beforeAll(async () => {
  project = await bundleProject(SCHEMA);
});
afterAll(() => project?.remove());

/** A server with entries of 4 MB in all. */
async function serve(name: string, environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = await project.start({ DATABASE_URL: `sqlite:./data/${name}.db`, ...environment });
  const database = await openSqlite({ path: join(project.path, `data/${name}.db`) });
  await database.script(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO articles (body, created_at, updated_at)
      SELECT hex(randomblob(20000)), '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z' FROM n`);
  expect((await database.all(raw('SELECT count(*) AS n FROM articles')))[0]).toEqual({ n: 100 });
  await database.close();
  return server;
}

async function memoryOf({ pid }: RunningServer): Promise<number> {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / MIB;
}

/** A client that asks and reads nothing. */
function ask({ origin }: RunningServer, path: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port) });
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

/** How many bytes come, until the connection ends or there are `enough`. */
function readAll(socket: Socket, enough = Infinity): Promise<number> {
  return new Promise((resolve) => {
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length >= enough) resolve(length);
    });
    socket.once('close', () => resolve(length));
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Together they ask for more than the memory that they may take. */
const CONNECTIONS = casesOf('SLOW_CONNECTIONS', 120, 300);

it('R05: many connections that request 4 MB and read nothing stay within the memory limit', async () => {
  const server = await serve('memory', { SEND_BUFFER_SIZE: String(64 * MIB), LOG_LEVEL: 'warn' });
  for (let i = 0; i < 5; i++) expect((await (await fetch(server.origin + LARGE)).text()).length).toBeGreaterThan(4e6);
  const before = await memoryOf(server);
  const sockets = Array.from({ length: CONNECTIONS }, () => ask(server, LARGE));
  const isServed = async () =>
    server.output().includes('SEND_BUFFER_SIZE') && (await fetch(`${server.origin}/_health`)).ok;
  await expect.poll(isServed, { timeout: 90_000 }).toBe(true);
  // Who reads is answered meanwhile, in full.
  expect((await (await fetch(server.origin + LARGE)).text()).length).toBeGreaterThan(4e6);
  await sleep(1000);
  const after = await memoryOf(server);
  expect(after - before).toBeLessThan(300);
  for (const socket of sockets) socket.destroy();
  await server.stop();
}, 180_000);

it('R05, S14: a stalled connection is closed, a slow one is not', async () => {
  const server = await serve('stalled', { CLIENT_TIMEOUT: '1500', UPLOAD_DIR: './data/files', LOG_LEVEL: 'info' });
  await mkdir(join(project.path, 'data/files'), { recursive: true });
  await writeFile(join(project.path, 'data/files', FILE), Buffer.alloc(40 * MIB));
  // The system's buffers take some MB for them.
  const silent = [
    ask(server, `/uploads/${FILE}`),
    ...Array.from({ length: 3 }, () => ask(server, `${LARGE}&${'x'}=1`)),
  ];
  const slow = ask(server, LARGE);
  let taken = 0;
  slow.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    slow.pause();
  });
  const reading = setInterval(() => slow.resume(), 20);
  await sleep(4500);
  const lengths = await Promise.all(silent.map((socket) => readAll(socket.resume())));
  expect(server.output()).toContain('CLIENT_TIMEOUT');
  // What the system had taken for it: its first bytes, and not all.
  expect(lengths[0]).toBeGreaterThan(MIB);
  expect(lengths[0]).toBeLessThan(40 * MIB);
  clearInterval(reading);
  slow.removeAllListeners('data');
  expect(taken + (await readAll(slow.resume(), 4e6 - taken))).toBeGreaterThan(4e6);
  await server.stop();
}, 180_000);
