/** Instances of a generated server, each a process of its own, and a proxy that gives each connection to another one. */
import { Agent, request as send } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { recompile, type RunningServer, start } from '../support/project.ts';
import { generateProject, linkRuntime } from '../support/served-project.ts';

export interface Instances {
  readonly servers: readonly RunningServer[];
  /** Of the proxy. */
  readonly port: number;
  close(): Promise<void>;
}

const ENVIRONMENT = {
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
  AUTH_RATE_LIMIT: '0',
  DRAIN_DELAY: '0',
};

function openProxy(ports: readonly number[]): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    turn += 1;
    const upstream = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      }),
    );
  });
}

/** Generates, compiles and starts a project with each of these environments, all at once. */
export async function startInstances(
  schema: string,
  environments: readonly Readonly<Record<string, string>>[],
): Promise<Instances> {
  const { folder, remove } = await generateProject(schema);
  const project = join(folder, 'project');
  await linkRuntime(project);
  await recompile(project);
  const servers = await Promise.all(
    environments.map((environment) =>
      start(project, { ...ENVIRONMENT, UPLOAD_DIR: join(folder, 'uploads'), ...environment }),
    ),
  );
  const proxy = await openProxy(servers.map(({ origin }) => Number(new URL(origin).port)));
  return {
    servers,
    port: proxy.port,
    async close() {
      proxy.close();
      await Promise.all(servers.map(({ stop }) => stop('SIGKILL')));
      await remove();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly milliseconds: number;
  readonly retryAfter: string | undefined;
}

/** A caller that sends along what it was told of the position in the log. */
export interface Caller {
  send(method: string, path: string, data?: unknown): Promise<Answer>;
}

const agent = new Agent({ keepAlive: false });
const POSITION = 'x-content-position';

/** `by`: how it carries its position. */
export function createCaller(port: number, by: 'header' | 'cookie' | 'nothing'): Caller {
  let header = '0';
  let cookie = '';
  const carried = (): Record<string, string> => {
    if (by === 'header') return { [POSITION]: header };
    return by === 'cookie' && cookie !== '' ? { cookie } : {};
  };
  return {
    send: (method, path, data) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        const headers = { ...carried(), ...(data !== undefined && { 'content-type': 'application/json' }) };
        const request = send({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const position = response.headers[POSITION];
            if (typeof position === 'string') header = position;
            const set = response.headers['set-cookie']?.find((one) => one.includes('_position='));
            if (set !== undefined) cookie = set.split(';')[0] ?? '';
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              body: text === '' ? undefined : JSON.parse(text),
              milliseconds: performance.now() - started,
              retryAfter: response.headers['retry-after'],
            });
          });
        });
        request.on('error', reject);
        request.end(data === undefined ? undefined : JSON.stringify({ data }));
      }),
  };
}
