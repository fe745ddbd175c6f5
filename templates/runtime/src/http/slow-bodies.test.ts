/** R10: time limits of request bodies. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUploadServer, type UploadServer } from '../../test-support/upload-server.ts';

const SILENCE_MS = 1500;
const TOTAL_MS = 2000;

let server: UploadServer;
beforeAll(async () => {
  server = await startUploadServer({}, null, { silence: SILENCE_MS, total: TOTAL_MS });
});
afterAll(() => server.close());

interface Conversation {
  readonly socket: Socket;
  /** The response when the connection ended, and after how many milliseconds. */
  readonly end: Promise<{ readonly status: number; readonly body: any; readonly took: number }>;
}

/** Sends the headers of a POST with a body of this type and size. */
async function begin(path: string, type: string, length: number): Promise<Conversation> {
  const socket = connect(server.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const begun = performance.now();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  socket.on('error', () => {});
  const end = new Promise<any>((resolve) =>
    socket.on('close', () =>
      resolve({
        status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0),
        body: text.includes('\r\n\r\n') ? JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) : undefined,
        took: performance.now() - begun,
      }),
    ),
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}`;
  socket.write(`${head}\r\n\r\n`);
  return { socket, end };
}

const FORM = 'multipart/form-data; boundary=b';
const FILE_HEAD =
  '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
const END = '\r\n--b--\r\n';

test('R10: an upload may take as long as it needs while bytes keep arriving', async () => {
  const chunk = 'x'.repeat(2048);
  const chunks = 14;
  const { socket, end } = await begin('/api/upload', FORM, FILE_HEAD.length + chunks * chunk.length + END.length);
  socket.write(FILE_HEAD);
  for (let sent = 0; sent < chunks; sent += 1) {
    await sleep(300);
    socket.write(chunk);
  }
  socket.write(END);
  const { status, body, took } = await end;
  expect([status, body[0]?.size]).toEqual([200, 28.67]);
  expect(took).toBeGreaterThan(2 * TOTAL_MS);
});

test('R10: the response to a silent upload is 408 with the reason, and nothing is left behind', async () => {
  const stored = await server.stored();
  const { socket, end } = await begin('/api/upload', FORM, 100_000);
  socket.write(FILE_HEAD + 'x'.repeat(10_000));
  const { status, body, took } = await end;
  expect([status, body.data, body.error.name]).toEqual([408, null, 'RequestTimeoutError']);
  expect(body.error.message).toMatch(/has arrived for 2 seconds$/);
  expect(took).toBeGreaterThanOrEqual(SILENCE_MS);
  await expect.poll(() => server.arriving(), { timeout: 5000 }).toEqual([]);
  expect(await server.stored()).toEqual(stored);
});

test('R10: a byte now and then counts as silence', async () => {
  const { socket, end } = await begin('/api/upload', FORM, 100_000);
  socket.write(FILE_HEAD);
  const drip = setInterval(() => socket.write('x'), 100);
  const { status } = await end;
  clearInterval(drip);
  expect(status).toBe(408);
});

test('R10: a body that is not multipart has a total time limit', async () => {
  const { socket, end } = await begin('/api/articles', 'application/json', 9000);
  const stream = setInterval(() => socket.write(' '.repeat(200)), 100);
  const { status, body } = await end;
  clearInterval(stream);
  expect([status, body.error.message]).toEqual([408, 'The body took longer than 2 seconds']);
});
