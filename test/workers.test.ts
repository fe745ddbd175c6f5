/** One server as several processes: `WORKERS`. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { threadId } from 'node:worker_threads';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import { freePort, type RunningServer } from './support/project.ts';

const SCHEMA = `
name: crew
databases: [sqlite, postgres, mysql]
permissions: { public: { '*': '*' } }
contentTypes:
  article:
    attributes:
      title: { type: string }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  tag:
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
`;

let project: BundledProject;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
});
afterAll(() => project?.remove());

/** Sends a request on a connection of its own, so that either worker may get it. */
async function send(server: Pick<RunningServer, 'origin'>, method: string, path: string, body?: object) {
  const response = await fetch(server.origin + path, {
    method,
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json().catch(() => undefined)) as any };
}

function workersOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/u).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly path?: string;
}

function logOf(server: RunningServer): Line[] {
  const lines = server.output().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

const countOf = (server: RunningServer, message: string) => logOf(server).filter(({ msg }) => msg === message).length;

const eventually = (isGood: () => unknown) => expect.poll(isGood, { timeout: 10_000, interval: 20 }).toBeTruthy();

describe.each(await testedEngines())('a server of two workers, on %s', (dialect) => {
  let server: RunningServer;
  let metricsPort = 0;
  /** How many requests were answered, by all workers, as their metrics say. */
  const countedRequests = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return [...text.matchAll(/^http_requests_total\{.*\} (\d+)$/gmu)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const database = dialect === 'sqlite' ? undefined : await createDatabase(dialect, `crew_${threadId}`);
    drop = async () => database?.drop();
    const DATABASE_URL = database?.url ?? 'sqlite:./data/crew.db';
    metricsPort = await freePort();
    server = await project.start({
      DATABASE_URL,
      WORKERS: '2',
      LOG_LEVEL: 'info',
      AUTH_RATE_LIMIT: '5',
      METRICS_PORT: String(metricsPort),
    });
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await drop();
  });

  it('migrates once, and says once where it listens', async () => {
    await eventually(() => server.output().includes('crew listens at'));
    expect(countOf(server, 'migration applied')).toBe(1);
    expect(logOf(server).filter(({ msg }) => msg.includes('listens at'))).toMatchObject([{ workers: 2 }]);
  });

  it('keeps the order of a list that both write', async () => {
    const { body } = await send(server, 'POST', '/api/articles', { data: {} });
    const path = `/api/articles/${body.data.id}`;
    const tags = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const made = await send(server, 'POST', '/api/tags', { data: { name: `tag ${index}` } });
        return made.body.data.id as number;
      }),
    );
    const halves = [tags.slice(0, 12), tags.slice(12)];
    await send(server, 'PUT', path, { data: { tags: halves[0] } });
    const moved = halves.flatMap(([first = 0, ...rest]) => rest.map((id) => ({ id, after: first })));
    const written = await Promise.all(
      moved.map(({ id, after }) =>
        send(server, 'PUT', path, {
          data: { tags: { connect: [{ id, position: tags.indexOf(id) < 12 ? { after } : { end: true } }] } },
        }),
      ),
    );
    expect(written.map(({ status }) => status)).toEqual(written.map(() => 200));
    const read = await send(server, 'GET', `${path}?populate=tags`);
    const order = read.body.data.attributes.tags.data.map(({ id }: { id: number }) => id) as number[];
    const expected = [...tags.slice(0, 12), ...tags.slice(13)];
    expect(order.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    expect(order[0]).toBe(tags[0]);
    // Those that were put behind the first stay before those that were put at the end.
    expect(new Set(order.slice(0, 12))).toEqual(new Set(halves[0]));
    const used = new Set(logOf(server).flatMap(({ msg, worker }) => (msg === 'request' && worker ? [worker] : [])));
    expect(used).toEqual(new Set([1, 2]));
  });

  // On servers, instances count together anyway: limits.long.test.ts.
  it.runIf(dialect === 'sqlite')('counts tries to sign in together', async () => {
    const wrong = { identifier: 'nobody', password: 'wrong' };
    const answers = [];
    for (let n = 0; n < 8; n += 1) answers.push((await send(server, 'POST', '/api/auth/local', wrong)).status);
    expect(answers).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  it('logs client, user and bytes of each request', async () => {
    const account = { username: 'ann', email: 'ann@example.org', password: 'a long password' };
    const { jwt, user } = (await send(server, 'POST', '/api/auth/local/register', account)).body;
    const headers = { Authorization: `Bearer ${jwt}` };
    const { length } = await (await fetch(`${server.origin}/api/users/me`, { headers })).text();
    await eventually(() => logOf(server).some(({ path }) => path === '/api/users/me'));
    expect(logOf(server).find(({ path }) => path === '/api/users/me')).toMatchObject({
      client: '127.0.0.1',
      user: user.id,
      bytes: length,
    });
  });

  it('replaces a worker that is killed, keeps what it acknowledged, and stops all together', async () => {
    const before = workersOf(server.pid);
    expect(before.length).toBeGreaterThanOrEqual(2);
    const { body } = await send(server, 'POST', '/api/articles', { data: { title: 'kept' } });
    const isWorker = (pid: number) =>
      execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('main.js');
    const counted = await countedRequests();
    const answered = logOf(server).filter(({ msg }) => msg === 'request').length;
    expect(counted).toBe(answered);
    const victim = before.find(isWorker) ?? 0;
    process.kill(victim, 'SIGKILL');
    await eventually(() => countOf(server, 'a worker has exited and is being restarted') === 1);
    await eventually(() => workersOf(server.pid).filter(isWorker).length === 2);
    expect(workersOf(server.pid)).not.toContain(victim);
    expect((await send(server, 'GET', `/api/articles/${body.data.id}`)).body.data.attributes.title).toBe('kept');
    expect(countOf(server, 'migration applied')).toBe(1);
    expect(await countedRequests()).toBe(counted + 1);
    const all = workersOf(server.pid);
    expect(await server.stop()).toBe(0);
    await eventually(() => !all.some(isRunning));
  });
});

describe('a server of workers', () => {
  it('that can not start says why once, and ends', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await execa(process.execPath, ['dist/bundle/main.js'], {
      cwd: project.path,
      env: { PORT: String(port), WORKERS: '2', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite:./data/taken.db' },
      reject: false,
    });
    other.close();
    expect(exitCode).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^crew could not start\. .*EADDRINUSE.*set PORT to another port\.$/u),
    ]);
  });

  it('leaves none of them when it is killed', async () => {
    const server = await project.start({ DATABASE_URL: 'sqlite:./data/killed.db', WORKERS: '2' });
    await eventually(() => workersOf(server.pid).length === 2);
    const workers = workersOf(server.pid);
    await server.stop('SIGKILL');
    await eventually(() => !workers.some(isRunning));
  });
});
