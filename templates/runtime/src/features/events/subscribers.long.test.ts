/**
 * A thousand clients wait for events while entries are written: none misses any, also when their connections break; the server's memory
 * stays bounded, and it answers others at once.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bundleProgram, forkServer, serverProgram } from '../../../test-support/forked-server.ts';
import { createToken } from '../../../test-support/test-project.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { openDatabase } from '../../database/open-database.ts';

const SUBSCRIBERS = 1000;
const WRITES = 300;

const PROGRAM = serverProgram('listeners', {
  after: `process.on('message', () => { gc(); process.send({ rss: process.memoryUsage().rss }); });`,
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ChildProcess;
let origin: string;
let token: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const file = await bundleProgram(folder.path, PROGRAM);
  const url = `sqlite:${join(folder.path, 'test.db')}`;
  const environment = {
    DATABASE_URL: url,
    UPLOAD_DIR: join(folder.path, 'uploads'),
    EVENTS_MAX_PER_CALLER: String(SUBSCRIBERS + 10),
  };
  ({ process: server, origin } = await forkServer(file, environment, { execArgv: ['--expose-gc'] }));
  const database = await openDatabase(url);
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  server?.kill('SIGKILL');
  await folder?.remove();
});

const memory = async (): Promise<number> => {
  server.send({});
  const [{ rss }] = (await once(server, 'message')) as [{ rss: number }];
  return rss / 1024 / 1024;
};

/** A subscriber whose connection can be cut, and which then resumes. */
interface Client {
  readonly names: string[];
  cut(): void;
}

function subscribe(): Promise<Client> {
  const names: string[] = [];
  let lastId = '';
  let current: IncomingMessage | undefined;
  return new Promise((resolve, reject) => {
    const client = { names, cut: () => void current?.destroy() };
    const connect = (): void => {
      const headers = lastId === '' ? {} : { 'last-event-id': lastId };
      get(`${origin}/api/_events?types=tag`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
        current = response;
        let text = '';
        response.on('data', (chunk: Buffer) => {
          const blocks = (text + chunk.toString()).split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            lastId = /^id: (.+)$/mu.exec(block)?.[1] ?? lastId;
            const data = /^data: (.+)$/mu.exec(block)?.[1];
            if (data !== undefined) names.push(JSON.parse(data).entry.name);
          }
          resolve(client);
        });
        response.on('error', () => undefined);
        response.on('close', () => setTimeout(connect, 50));
      }).on('error', reject);
    };
    connect();
  });
}

it('tells a thousand clients everything, within bounds', async () => {
  const before = await memory();
  const clients: Client[] = [];
  for (let count = 0; count < SUBSCRIBERS; count += 50) {
    clients.push(...(await Promise.all(Array.from({ length: 50 }, subscribe))));
  }
  const connected = await memory();
  let slowest = 0;
  let isWriting = true;
  const watch = async (): Promise<void> => {
    while (isWriting) {
      const began = performance.now();
      await (await fetch(`${origin}/_health`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(20);
    }
  };
  const watching = watch();
  const expected: string[] = [];
  for (let count = 0; count < WRITES; count += 1) {
    const name = `tag ${count}`;
    expected.push(name);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ data: { name } });
    expect((await fetch(`${origin}/api/tags`, { method: 'POST', headers, body })).ok).toBe(true);
    // One client in a hundred loses its connection.
    for (let index = count % 100; index < clients.length; index += 100) if (count % 3 === 0) clients[index]?.cut();
    await sleep(10);
  }
  const complete = () => clients.filter(({ names }) => names.length >= WRITES).length;
  await vi.waitFor(() => expect(complete()).toBe(SUBSCRIBERS), { timeout: 60_000, interval: 100 });
  isWriting = false;
  await watching;
  const after = await memory();
  const isDifferent = ({ names }: Client) => JSON.stringify(names) !== JSON.stringify(expected);
  expect(clients.filter(isDifferent).length).toBe(0);
  const figures = { before, connected, after, slowest };
  console.log(`${SUBSCRIBERS} clients: ${JSON.stringify(figures)}`);
  expect(connected - before).toBeLessThan(100);
  expect(after - before).toBeLessThan(100);
  expect(slowest).toBeLessThan(200);
}, 180_000);
