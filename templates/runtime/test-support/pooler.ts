/** A connection pooler for PostgreSQL with one server connection, shared by all clients. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `ReadyForQuery`, the last message of the start-up phase. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** `Terminate`. */
const GOODBYE = 0x58;

/** For the database of a URL. Clients must not send concurrently, nor need a password. */
export async function openPooler(target: string) {
  const { hostname: host, port: targetPort } = new URL(target);
  const upstream = connect({ host, port: Number(targetPort) });
  const clients = new Set<Socket>();
  let current: Socket | undefined;
  let greeting: Buffer | undefined;
  let heard = Buffer.alloc(0);
  upstream.on('data', (chunk: Buffer) => {
    current?.write(chunk);
    if (greeting) return;
    heard = Buffer.concat([heard, chunk]);
    if (heard.includes(READY)) greeting = heard;
  });
  const server = createServer((client) => {
    clients.add(client);
    let isKnown = false;
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('data', (chunk: Buffer) => {
      current = client;
      if (!isKnown && greeting) client.write(greeting);
      else if (chunk[0] !== GOODBYE) upstream.write(chunk);
      isKnown = true;
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: target.replace(`:${targetPort}/`, `:${port}/`),
    async close(): Promise<void> {
      for (const client of clients) client.destroy();
      upstream.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
