/** A TCP proxy between a client and a server, which a test can cut or mute. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** The URL of the server, with the port of the proxy. */
  readonly url: string;
  /** Closes all connections, and refuses new ones until `restore`. */
  cut(): Promise<void>;
  /** Silently drops all traffic until `restore`. */
  silence(): void;
  restore(): Promise<void>;
  /** Forwards traffic again: after `silence` connections stay open, but dropped bytes are lost. */
  heal(): void;
  /**
   * Forwards the next client message that contains this text, and closes the connection instead of returning the
   * response; or, for prepared statements, instead of a response that contains it. Resolves when the server has
   * responded. With MySQL, preparing a statement does not count, and its execution does.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Number of open connections. */
  connections(): number;
  /** Number of round trips: how often a client sent after the server had. */
  roundTrips(): number;
  close(): Promise<void>;
}

/** In packets of MySQL's protocol: where the command is, and the id of a prepared statement. */
const COMMAND = 4;
const STATEMENT_ID = 5;
const PREPARE = 0x16;
const EXECUTE = 0x17;

/**
 * Answers what a client message runs: of MySQL's prepared statements, nothing when they are prepared, and their text when they are
 * executed.
 */
function preparedTexts(client: Socket, upstream: Socket): (message: Buffer) => Buffer {
  const texts = new Map<number, Buffer>();
  let preparing: Buffer | undefined;
  upstream.on('data', (chunk: Buffer) => {
    if (preparing && chunk[COMMAND] === 0) texts.set(chunk.readUInt32LE(STATEMENT_ID), preparing);
    preparing = undefined;
  });
  client.on('data', (chunk: Buffer) => (preparing = chunk[COMMAND] === PREPARE ? chunk : undefined));
  return (message) => {
    if (message[COMMAND] === PREPARE) return Buffer.alloc(0);
    if (message[COMMAND] !== EXECUTE) return message;
    return texts.get(message.readUInt32LE(STATEMENT_ID)) ?? message;
  };
}

/** A proxy for the server of a database URL. */
export async function openProxy(target: string): Promise<Proxy> {
  const { hostname: host, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;
  let roundTrips = 0;
  let toLose: { readonly text: string; readonly lost: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(targetPort) });
    let isAnswered = true;
    const textOf = preparedTexts(client, upstream);
    client.on('data', (chunk: Buffer) => {
      const losing = toLose && textOf(chunk).includes(toLose.text) ? toLose : undefined;
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
