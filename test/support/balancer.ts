/** A load balancer of TCP connections that prefers the servers whose `/_ready` is good. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly origin: string;
  /** Adds a server. */
  add(origin: string): void;
  /** Removes a server that has ended. */
  remove(origin: string): void;
  /** Resolves when `/_ready` of a server succeeds. */
  untilReady(origin: string): Promise<void>;
  close(): Promise<void>;
}

const POLL_INTERVAL = 50;

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/_ready`, { headers: { Connection: 'close' } })).status === 204;
  } catch {
    return false;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Closes each side of a connection like the other one, after all bytes are forwarded. */
function join(client: Socket, upstream: Socket): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
  }
}

/**
 * Listens on a port of its own. If a server refuses a connection, the next one is tried, since nothing was sent yet.
 */
export async function openBalancer(): Promise<Balancer> {
  const ready = new Map<string, boolean>();
  let closed = false;
  let next = 0;

  const choose = async (): Promise<string> => {
    for (;;) {
      const good = [...ready].filter(([, isGood]) => isGood).map(([origin]) => origin);
      next += 1;
      const chosen = good[next % good.length];
      if (chosen !== undefined) return chosen;
      await sleep(POLL_INTERVAL);
    }
  };
  const forward = async (client: Socket): Promise<void> => {
    const { hostname, port } = new URL(await choose());
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    upstream.once('error', () => void forward(client));
    upstream.once('connect', () => {
      upstream.removeAllListeners('error');
      join(client, upstream);
    });
  };
  const poll = async (): Promise<void> => {
    while (!closed) {
      await Promise.all(
        [...ready.keys()].map(async (origin) => {
          const isGood = await isReady(origin);
          if (ready.has(origin)) ready.set(origin, isGood);
        }),
      );
      await sleep(POLL_INTERVAL);
    }
  };

  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('close', () => sockets.delete(client));
    void forward(client);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  void poll();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (origin) => void ready.set(origin, false),
    remove: (origin) => void ready.delete(origin),
    async untilReady(origin) {
      while (ready.get(origin) !== true) await sleep(POLL_INTERVAL);
    },
    async close() {
      closed = true;
      const ended = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}
