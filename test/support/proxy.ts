/** A wire between a client and a server that a test can cut, or make silent. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  /** As the URL that it was opened for, with its own port. */
  readonly url: string;
  /** Ends all connections, and refuses others until `restore`. */
  cut(): Promise<void>;
  /** Lets nothing through any more, without a word to anybody, until `restore`. */
  silence(): void;
  restore(): Promise<void>;
  /** Lets everything through again after `silence`: connections stay, and what was swallowed is lost. */
  heal(): void;
  /**
   * Passes on the next message of a client that has this text, and ends its connection in place of the answer; or in place of
   * an answer that has the text, where the client sends it prepared. Resolves when the server has answered.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** How many connections there are. */
  connections(): number;
  /** How often a client has spoken after its server had: that is what it waits for. */
  roundTrips(): number;
  close(): Promise<void>;
}

/** A proxy for the server that the URL of a database names. */
export async function openProxy(target: string): Promise<Proxy> {
  const { hostname: host, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;
  let roundTrips = 0;
  let toLose: { readonly text: string; readonly lost: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(targetPort) });
    let isAnswered = true;
    client.on('data', (chunk: Buffer) => {
      const losing = toLose && chunk.includes(toLose.text) ? toLose : undefined;
      if (losing) {
        toLose = undefined;
        upstream.removeAllListeners('data');
        upstream.once('data', () => {
          client.destroy();
          losing.lost();
        });
      }
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    upstream.on('data', () => void (isAnswered = true));
    upstream.on('data', (chunk: Buffer) => {
      if (!toLose || !chunk.includes(toLose.text)) return;
      client.destroy();
      toLose.lost();
      toLose = undefined;
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => void (silent || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    destroyAll();
    await closed;
  };
  return {
    url: target.replace(`:${targetPort}/`, `:${port}/`),
    cut,
    silence: () => void (silent = true),
    heal: () => void (silent = false),
    async restore() {
      silent = false;
      destroyAll();
      if (!server.listening) await listen(port);
    },
    loseAnswerTo: (text) => new Promise((resolve) => void (toLose = { text, lost: resolve })),
    connections: () => sockets.size / 2,
    roundTrips: () => roundTrips,
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
