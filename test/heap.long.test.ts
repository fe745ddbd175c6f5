/**
 * The heap of a server that is in use stops growing once its caches are full, which takes two minutes here. SOAK_MINUTES=60 measures
 * what is promised.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import { freePort, type RunningServer } from './support/project.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 4);
/** In MB per minute, in the second half of the time. At first the machine code of more and more functions is part of it. */
const MAX_SLOPE = MINUTES >= 60 ? 0.02 : 0.5;
/** Accounts that clients try to sign in to: attempts on each are counted for 15 minutes. */
const ACCOUNTS = 500;
const CLIENTS = 4;
/** The pause of each client between requests, in milliseconds. */
const PAUSE = 20;
const MEGABYTE = 1024 * 1024;

const SCHEMA = `name: soak
databases: [sqlite]
contentTypes:
  article:
    attributes:
      title: { type: string }
      body: { type: richtext }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      links: { type: component, component: shared.link, repeatable: true }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
components:
  shared.link: { attributes: { label: { type: string } } }
permissions:
  public: { '*': '*' }
`;
const ARTICLES = 50;
const TAGS = 10;

let project: BundledProject | undefined;
let server: RunningServer;
let inspector: WebSocket;

beforeAll(async () => {
  project = await bundleProject(SCHEMA);
  const port = await freePort();
  server = await project.start({
    DATABASE_URL: `sqlite:${join(project.path, 'soak.db')}`,
    NODE_OPTIONS: `--inspect=127.0.0.1:${port}`,
    AUTH_RATE_LIMIT: '1000000',
  });
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  inspector = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve) => inspector.once('open', resolve));
});
afterAll(async () => {
  inspector?.terminate();
  await server?.stop();
  await project?.remove();
});

let calls = 0;
function inspect(method: string, params: object = {}): Promise<any> {
  calls += 1;
  const id = calls;
  return new Promise((resolve) => {
    const listen = (text: Buffer): void => {
      const message = JSON.parse(text.toString()) as { id?: number; result?: unknown };
      if (message.id !== id) return;
      inspector.off('message', listen);
      resolve(message.result);
    };
    inspector.on('message', listen);
    inspector.send(JSON.stringify({ id, method, params }));
  });
}

/** The live objects on the heap, in MB. */
async function heapSize(): Promise<number> {
  await inspect('HeapProfiler.collectGarbage');
  const { result } = await inspect('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' });
  return (result as { value: number }).value / MEGABYTE;
}

const write = (method: string, data: unknown) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
});

/** The n-th request: reads of many shapes, writes, and some that are refused. */
function requestOf(n: number): readonly [path: string, init?: RequestInit] {
  const id = 1 + (n % ARTICLES);
  const page = `pagination[page]=${1 + (n % 5)}&pagination[pageSize]=${5 + (n % 7)}`;
  switch (n % 10) {
    case 0:
      return [
        `/api/articles/${id}`,
        write('PUT', { title: `title ${n}`, tags: [1 + (n % TAGS), 1 + ((n + 3) % TAGS)] }),
      ];
    case 1:
      return [`/api/articles/${id}`, write('PUT', { links: [{ label: `label ${n}` }], body: 'x'.repeat(n % 500) })];
    case 2:
      return [`/api/articles?filters[title][$contains]=${n}&sort=title&${page}`];
    case 3:
      return [`/api/articles?populate=*&fields=${['title', 'body', 'title,body'][n % 3]}&${page}`];
    case 4:
      return [`/api/tags?populate[articles][populate]=tags&pagination[pageSize]=${1 + (n % 3)}`];
    case 5:
      return [`/api/nothing/${n}`];
    case 6:
      return [`/api/articles`, write('POST', { title: n })];
    case 7:
      return [
        '/api/auth/local',
        { ...write('POST', undefined), body: JSON.stringify({ identifier: `a${n % ACCOUNTS}@b.co`, password: 'no' }) },
      ];
    default:
      return [`/api/articles/${id}?populate[tags][sort]=name`];
  }
}

/** The slope of the line that fits the points best. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const products = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return products / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

it(
  'the heap does not grow once caches are full',
  async () => {
    const ask = async ([path, init]: ReturnType<typeof requestOf>): Promise<number> => {
      const answer = await fetch(`${server.origin}${path}`, init);
      await answer.arrayBuffer();
      return answer.status;
    };
    for (let tag = 1; tag <= TAGS; tag += 1) {
      expect(await ask(['/api/tags', write('POST', { name: `tag ${tag}` })])).toBe(201);
    }
    for (let n = 1; n <= ARTICLES; n += 1) {
      expect(await ask(['/api/articles', write('POST', { title: `article ${n}`, tags: [1 + (n % TAGS)] })])).toBe(201);
    }
    const started = performance.now();
    const minutes = () => (performance.now() - started) / 60_000;
    const answered = new Map<number, number>();
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; minutes() < MINUTES; n += CLIENTS) {
        const status = await ask(requestOf(n));
        answered.set(status, (answered.get(status) ?? 0) + 1);
        await sleep(PAUSE);
      }
    });
    const heap: (readonly [number, number])[] = [];
    while (minutes() < MINUTES) {
      await sleep(Math.min(10_000, (MINUTES * 60_000) / 40));
      heap.push([minutes(), await heapSize()]);
    }
    await Promise.all(clients);
    expect([...answered.keys()].toSorted((one, other) => one - other)).toEqual([200, 400, 404]);
    expect(answered.get(200)).toBeGreaterThan(MINUTES * 1000);
    const measured = heap.map(([at, size]) => `${at.toFixed(1)}: ${size.toFixed(2)}`).join(', ');
    expect(slopeOf(heap.filter(([at]) => at > MINUTES / 2)), measured).toBeLessThan(MAX_SLOPE);
  },
  (MINUTES + 3) * 60_000,
);
