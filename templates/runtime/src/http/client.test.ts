import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Context } from 'koa';
import { afterEach, expect, test } from 'vitest';
import type { Client } from '../base/client.ts';
import { clientOf } from './client.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that responds to `/now` and leaves other requests open. `clients`: one per request, in order. */
async function start(): Promise<{ clients: Client[]; open: () => Promise<Socket>; warnings: Error[] }> {
  const clients: Client[] = [];
  server = createServer((req, res) => {
    clients.push(clientOf({ req, ip: '', state: {} } as Context));
    if (req.url === '/now') res.end('done');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
    });
  return { clients, open, warnings };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test.each(['destroy', 'resetAndDestroy', 'end'] as const)('S04: a client that leaves by %s is gone', async (leave) => {
  const { clients, open } = await start();
  const socket = await open();
  socket.write(request('/slow'));
  await expect.poll(() => clients.length).toBe(1);
  let calls = 0;
  let others = 0;
  clients[0]?.onGone(() => (calls += 1));
  clients[0]?.onGone(() => (others += 1))();
  expect([clients[0]?.gone, calls]).toEqual([false, 0]);
  socket[leave]();
  await expect.poll(() => calls).toBe(1);
  expect(clients[0]?.gone).toBe(true);
  clients[0]?.onGone(() => (calls += 1));
  expect([calls, others]).toEqual([2, 0]);
});

test('S04: every pipelined request is notified, with one listener per connection', async () => {
  const { clients, open, warnings } = await start();
  const socket = await open();
  socket.write(request('/slow') + request('/now').repeat(30));
  await expect.poll(() => clients.length).toBe(31);
  const called: number[] = [];
  clients.forEach((client, index) => client.onGone(() => called.push(index)));
  socket.destroy();
  await expect.poll(() => called).toEqual(clients.map((_, index) => index));
  expect(warnings).toEqual([]);
});

test('S04: a client that keeps its connection after the response is not gone', async () => {
  const { clients, open } = await start();
  const socket = await open();
  const answered = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.write(request('/now'));
  await answered;
  expect(clients[0]?.gone).toBe(false);
  socket.destroy();
  await expect.poll(() => clients[0]?.gone).toBe(true);
});
