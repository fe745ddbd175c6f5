/** How a server stops: without failing a request, and in time. */
import { spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBalancer } from './support/balancer.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import { freePort } from './support/project.ts';
import { fixtureSchema } from './support/served-project.ts';

let project: BundledProject;
beforeAll(async () => {
  project = await bundleProject(await fixtureSchema('blog'));
});
afterAll(() => project?.remove());

interface Sent {
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

function send(origin: string, agent: Agent, method: 'GET' | 'POST', path: string, data?: object): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const body = data && JSON.stringify({ data });
    const headers =
      body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = httpRequest(`${origin}${path}`, { method, agent, headers }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function until<T>(isGood: () => T | undefined | false | Promise<T | undefined | false>): Promise<void> {
  return expect.poll(isGood, { timeout: 10_000, interval: 20 }).toBeTruthy();
}

describe('a rolling restart', () => {
  it.each([
    { WORKERS: '1', restarts: 4 },
    { WORKERS: '2', restarts: 2 },
  ])(
    'R04: of two servers behind a proxy fails no request of clients that keep their connections, WORKERS=$WORKERS',
    async ({ WORKERS, restarts }) => {
      const environment = { DATABASE_URL: `sqlite:./data/rolling-${WORKERS}.db`, DRAIN_DELAY: '1500', WORKERS };
      const balancer = await openBalancer();
      const servers = [await project.start(environment), await project.start(environment)];
      for (const { origin } of servers) balancer.add(origin);
      for (const { origin } of servers) await balancer.untilReady(origin);

      const agent = new Agent({ keepAlive: true, maxSockets: 12 });
      const failed: string[] = [];
      let [isDone, good, created] = [false, 0, 0];
      const load = async (client: number): Promise<void> => {
        for (let i = 0; !isDone; i++) {
          const isPost = (client + i) % 3 === 0;
          try {
            const { status } = isPost
              ? await send(balancer.origin, agent, 'POST', '/api/tags', { name: `tag ${client} ${i}` })
              : await send(balancer.origin, agent, 'GET', '/api/tags?pagination[pageSize]=5');
            if (status !== (isPost ? 201 : 200)) failed.push(`${isPost ? 'POST' : 'GET'} ${status}`);
            good += 1;
            if (isPost) created += 1;
          } catch (error) {
            failed.push(`${isPost ? 'POST' : 'GET'} ${String(error)}`);
          }
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      const clients = Array.from({ length: 12 }, (_, client) => load(client));
      for (let restart = 0; restart < restarts; restart++) {
        const old = servers[restart % 2];
        const before = good;
        if (!old) throw new Error('no server');
        expect(await old.stop()).toBe(0);
        expect(good).toBeGreaterThan(before);
        balancer.remove(old.origin);
        const started = await project.start(environment);
        servers[restart % 2] = started;
        balancer.add(started.origin);
        await balancer.untilReady(started.origin);
      }
      isDone = true;
      await Promise.all(clients);
      expect(failed).toEqual([]);
      const [first] = servers;
      const list = (await (await fetch(`${first?.origin}/api/tags?pagination[pageSize]=1`)).json()) as any;
      expect(list.meta.pagination.total).toBe(created);
      agent.destroy();
      await Promise.all(servers.map((server) => server.stop()));
      await balancer.close();
    },
    300_000,
  );
});

describe('a server that is told to stop', () => {
  it('R04: says so by /_ready and by each answer while it drains, and ends idle connections after that', async () => {
    const server = await project.start({ DATABASE_URL: 'sqlite:./data/drain.db', DRAIN_DELAY: '1500' });
    const agent = new Agent({ keepAlive: true });
    const port = Number(new URL(server.origin).port);
    const [silent, idle] = [connect({ port, host: '127.0.0.1' }), connect({ port, host: '127.0.0.1' })];
    idle.write('GET /_health HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    const ends = Promise.all(
      [silent, idle].map((socket) => new Promise((resolve) => socket.resume().once('end', resolve))),
    );
    expect((await send(server.origin, agent, 'GET', '/_ready')).connection).toBe('keep-alive');
    let isEnded = false;
    const ended = server.stop().then((code) => {
      isEnded = true;
      return code;
    });
    await until(async () => (await send(server.origin, agent, 'GET', '/_ready')).status === 503);
    expect(await send(server.origin, agent, 'GET', '/_health')).toEqual({ status: 204, connection: 'close' });
    expect(await send(server.origin, agent, 'POST', '/api/tags', { name: 'late' })).toEqual({
      status: 201,
      connection: 'close',
    });
    expect(isEnded).toBe(false);
    await ends;
    expect(await ended).toBe(0);
  });

  it.each(['1', '2'])(
    'R04: answers the connections that wait in the queue of the system, though nobody asks /_ready, WORKERS=%s',
    async (WORKERS) => {
      const server = await project.start({ DATABASE_URL: 'sqlite:./data/unprobed.db', DRAIN_DELAY: '0', WORKERS });
      const agent = new Agent({ keepAlive: false });
      // It accepts nothing until it is told to stop.
      process.kill(server.pid, 'SIGSTOP');
      const sent = Array.from({ length: 50 }, () => send(server.origin, agent, 'GET', '/api/tags'));
      const answers = Promise.allSettled(sent);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const ended = server.stop();
      process.kill(server.pid, 'SIGCONT');
      const good = { status: 'fulfilled', value: { status: 200, connection: 'close' } };
      expect(await answers).toEqual(Array.from({ length: 50 }, () => good));
      expect(await ended).toBe(0);
    },
  );

  it('R04: finishes slow uploads and slow downloads within the stop timeout', async () => {
    const server = await project.start({ DATABASE_URL: 'sqlite:./data/slow.db', DRAIN_DELAY: '0' });
    const port = Number(new URL(server.origin).port);
    const open = (head: string): { socket: Socket; text: () => Promise<string> } => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.write(`${head} HTTP/1.1\r\nHost: x\r\n`);
      const text = async (): Promise<string> => {
        let all = '';
        for await (const chunk of socket.setEncoding('utf8')) all += chunk;
        return all;
      };
      return { socket, text };
    };
    const body = '{"data":{"name":"slow"}}';
    const upload = open('POST /api/tags');
    upload.socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`);
    const whole = await (await fetch(`${server.origin}/openapi.json`)).text();
    const downloads = Array.from({ length: 20 }, () => open('GET /openapi.json'));
    for (const { socket } of downloads) socket.write('\r\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ended = server.stop();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    upload.socket.write(body.slice(9));
    expect(await upload.text()).toMatch(/^HTTP\/1.1 201 /u);
    for (const { text } of downloads) expect((await text()).endsWith(whole.slice(-200))).toBe(true);
    expect(await ended).toBe(0);
  });

  it('R04: cuts off what runs longer than the stop timeout', async () => {
    const server = await project.start({ DATABASE_URL: 'sqlite:./data/stuck.db', STOP_TIMEOUT: '300' });
    const stuck = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1' });
    stuck.on('error', () => undefined);
    stuck.write('POST /api/tags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const started = performance.now();
    expect(await server.stop()).toBe(0);
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(8000);
  });

  it('R13: stops in time if nobody reads its log, and serves until then', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/bundle/main.js'], {
      cwd: project.path,
      env: {
        ...process.env,
        PORT: String(port),
        LOG_LEVEL: 'info',
        DATABASE_URL: 'sqlite:./data/unread.db',
        STOP_TIMEOUT: '500',
      },
      // Never read: a pipe takes 64 KiB, a socket some hundred.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const origin = `http://127.0.0.1:${port}`;
    await until(() =>
      fetch(`${origin}/_ready`).then(
        ({ status }) => status === 204,
        () => false,
      ),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const path = `/${'x'.repeat(4000)}`;
    for (let i = 0; i < 50; i++) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => send(origin, agent, 'GET', path)));
      expect(answers.every(({ status }) => status === 404)).toBe(true);
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    agent.destroy();
  }, 180_000);
});
