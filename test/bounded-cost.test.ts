/** What one request may cost: the worst ones are refused or bounded, hold up nobody, and stop when their client goes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import type { RunningServer } from './support/project.ts';

const SCHEMA = `name: cost
databases: [sqlite, postgres, mysql]
contentTypes:
  article:
    attributes:
      title: { type: string }
      body: { type: richtext }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  note:
    attributes:
      text: { type: richtext }
permissions:
  public: { '*': '*' }
`;
const ARTICLES = 400;
const TAGS_OF_EACH = 10;
const NOTES = 8000;
/**
 * Milliseconds within which, meanwhile, `GET /_health` is answered, each is refused, and the statement of an aborted request
 * ends. `npm run test:long`, where no other test runs beside this one, asks for what is promised.
 */
const LIMITS =
  process.env['STRICT_TIMES'] === '1'
    ? { health: 200, refusal: 2000, cancellation: 1000 }
    : { health: 2000, refusal: 20_000, cancellation: 3000 };

/** `SELECT n FROM …`: the numbers from 1 to a count. */
function numbers(engine: string, count: number): string {
  if (engine === 'mysql') return `seq_1_to_${count}`;
  if (engine === 'postgres') return `generate_series(1, ${count}) AS numbers (seq)`;
  return `(WITH RECURSIVE counted (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM counted WHERE seq < ${count}) SELECT seq FROM counted)`;
}

async function fill(database: Database, engine: string): Promise<void> {
  const time = engine === 'mysql' ? "'2024-01-01 00:00:00.000'" : "'2024-01-01T00:00:00.000Z'";
  const text = (length: number) => (engine === 'sqlite' ? `printf('%.*c', ${length}, 'x')` : `repeat('x', ${length})`);
  const insert = (statement: string) => database.run(raw(statement));
  await insert(
    `INSERT INTO articles (id, title, body, created_at, updated_at) SELECT seq, 'title', ${text(2000)}, ${time}, ${time} FROM ${numbers(engine, ARTICLES)}`,
  );
  await insert(
    `INSERT INTO tags (id, name, created_at, updated_at) SELECT seq, 'tag', ${time}, ${time} FROM ${numbers(engine, TAGS_OF_EACH)}`,
  );
  await insert(
    `INSERT INTO articles_tags_links (owner_id, target_id, position, inverse_position) SELECT n.seq, m.seq, m.seq, n.seq FROM ${numbers(engine, ARTICLES)}${engine === 'postgres' ? '' : ' AS n'}`.replace(
      'AS numbers (seq)',
      'AS n (seq)',
    ) +
      ` CROSS JOIN ${numbers(engine, TAGS_OF_EACH).replace('AS numbers (seq)', 'AS m (seq)')}${engine === 'postgres' ? '' : ' AS m'}`,
  );
  await insert(
    `INSERT INTO notes (id, text, created_at, updated_at) SELECT seq, ${text(1000)}, ${time}, ${time} FROM ${numbers(engine, NOTES)}`,
  );
}

const conditions = (count: number, operator: string) =>
  Array.from({ length: count }, (_, index) => `filters[$or][${index}][text][${operator}]=y${index}`).join('&');

/** Each was answered after many seconds, or ended the process. */
const WORST = {
  S01: '/api/tags?populate=articles.tags.articles.tags.articles',
  R01: '/api/articles?populate[tags][populate]=articles&pagination[pageSize]=100',
  'S02, conditions': `/api/notes?${conditions(250, '$containsi')}`,
  'S02, sort keys': `/api/articles?${Array.from({ length: 50 }, () => 'sort=tags.articles.tags.articles.title').join('&')}`,
  'S02, one sort key': '/api/articles?sort=tags.articles.tags.articles.title',
};
/** As heavy as a query may be: it looks at every character of every note fifty times. */
const HEAVY = `/api/notes?${conditions(50, '$containsi')}`;

/** Statements of a server, by its process, that run. */
async function running(engine: string, database: Database, pid: number): Promise<number> {
  if (engine === 'sqlite') {
    // It fails where there is none.
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,args=', '--ppid', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.split('\n').filter((line) => line.startsWith('R') && line.includes('DatabaseSync')).length;
  }
  const statement =
    engine === 'postgres'
      ? "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%notes%' AND pid <> pg_backend_pid()"
      : "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%REGEXP%' AND id <> CONNECTION_ID()";
  return Number((await database.get(raw(statement)))?.['n']);
}

/** Answers at once whatever it is asked, and says its port. */
const IDLE_SERVER =
  "const http = require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log(http.address().port))";

let project: BundledProject | undefined;
/** A server that does nothing else: how long it takes to answer is the machine's time. */
let idle: { readonly process: ChildProcess; readonly origin: string } | undefined;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
  const child = spawn(process.execPath, ['-e', IDLE_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  idle = { process: child, origin: `http://127.0.0.1:${String(port).trim()}` };
  await fetch(idle.origin);
});
afterAll(async () => {
  idle?.process.kill();
  await project?.remove();
});

async function timeOf(url: string, status: number): Promise<number> {
  const started = performance.now();
  expect((await fetch(url)).status).toBe(status);
  return performance.now() - started;
}

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let url: string;
  let served: RunningServer;
  let database: Database;
  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, `bounded_cost_${process.pid}`);
    url = made?.url ?? `sqlite:${join(project!.path, 'cost.db')}`;
    served = await project!.start({ DATABASE_URL: url });
    database = await openDatabase(url);
    await fill(database, engine);
    // The client loads at its first request, which is not the server's time.
    await fetch(`${served.origin}/_health`);
  });
  afterAll(async () => {
    await database?.close();
    await served?.stop();
    await made?.drop();
  });

  /** How much longer the slowest answer of `GET /_health` took than the slowest of an idle server while `busy` went on. */
  async function slowestHealth(busy: Promise<unknown>): Promise<number> {
    let isDone = false;
    const done = busy.finally(() => (isDone = true));
    const slowest = { health: 0, idle: 0 };
    while (!isDone) {
      const asked = [timeOf(`${served.origin}/_health`, 204), timeOf(idle!.origin, 200)] as const;
      const [health, machine] = await Promise.all(asked);
      slowest.health = Math.max(slowest.health, health);
      slowest.idle = Math.max(slowest.idle, machine);
      await sleep(5);
    }
    await done;
    return slowest.health - slowest.idle;
  }

  async function tenAtATime(path: string): Promise<number> {
    const started = performance.now();
    const requests = Array.from({ length: 10 }, async () => {
      const answer = await fetch(`${served.origin}${path}`);
      const body = (await answer.json()) as { error: { message: string } };
      return { status: answer.status, body, milliseconds: performance.now() - started };
    });
    const slowest = await slowestHealth(Promise.all(requests));
    for (const { status, body, milliseconds } of await Promise.all(requests)) {
      expect(status).toBe(400);
      expect(milliseconds).toBeLessThan(LIMITS.refusal);
      expect(body.error.message).toMatch(/at most|weigh more than/u);
    }
    return slowest;
  }

  it.each(Object.entries(WORST))('%s: ten at a time are refused, and hold up nobody', async (_, path) => {
    const slowest = [await tenAtATime(path), await tenAtATime(path), await tenAtATime(path)];
    // The one in the middle: the first runs code that is not compiled yet, and one may meet a pause of the machine.
    expect(slowest.toSorted((one, other) => one - other)[1], slowest.join(', ')).toBeLessThan(LIMITS.health);
  });

  it('S02: heavy searches are answered, and hold up nobody', async () => {
    const requests = Array.from({ length: 2 }, () =>
      fetch(`${served.origin}/api/notes?${conditions(10, '$containsi')}`),
    );
    expect(await slowestHealth(Promise.all(requests))).toBeLessThan(LIMITS.health);
    for (const answer of await Promise.all(requests)) {
      expect(await answer.json()).toEqual({ data: [], meta: { pagination: expect.objectContaining({ total: 0 }) } });
    }
  });

  it('S01: a read stops in the database too when its client goes', async () => {
    const controllers = Array.from({ length: 4 }, () => new AbortController());
    const requests = controllers.map(({ signal }) => fetch(`${served.origin}${HEAVY}`, { signal }).catch(() => 'gone'));
    await expect
      .poll(() => running(engine, database, served.pid), { timeout: 10_000, interval: 20 })
      .toBeGreaterThan(0);
    for (const controller of controllers) controller.abort();
    expect(await Promise.all(requests)).toEqual(['gone', 'gone', 'gone', 'gone']);
    await expect
      .poll(() => running(engine, database, served.pid), { timeout: LIMITS.cancellation, interval: 50 })
      .toBe(0);
  });

  it('heavy reads of one caller leave room for those of another', async () => {
    const trusting = await project!.start({ DATABASE_URL: url, TRUST_PROXY: 'true' });
    const controller = new AbortController();
    const read = (address: string, path: string) =>
      fetch(`${trusting.origin}${path}`, {
        headers: { 'x-forwarded-for': address },
        signal: controller.signal,
      }).then(({ status }) => `${address}: ${status}`);
    const greedy = Array.from({ length: 10 }, () => read('10.0.0.1', HEAVY));
    const answered = Promise.allSettled(greedy);
    await expect
      .poll(() => running(engine, database, trusting.pid), { timeout: 10_000, interval: 20 })
      .toBeGreaterThan(0);
    const other = read('10.0.0.2', `/api/notes?${conditions(2, '$containsi')}`);
    expect(await Promise.race([...greedy, other])).toBe('10.0.0.2: 200');
    controller.abort();
    await answered;
    expect(await trusting.stop()).toBe(0);
  });

  // MariaDB sees at once that no note has the last letter of what is searched.
  it.runIf(engine !== 'mysql')('a read that takes longer than a statement may is refused, not put off', async () => {
    const strict = await project!.start({ DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT: '200' });
    // Each character of each note may be the first of what is searched.
    const slow = `/api/notes?${conditions(50, '$containsi').replaceAll('=y', `=${'x'.repeat(30)}y`)}`;
    const answer = await fetch(`${strict.origin}${slow}`);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([400, expect.stringContaining('takes longer than 0.2 s')]);
    // On a busy machine even that may take longer.
    const plain = async () => (await fetch(`${strict.origin}/api/notes?fields=id&pagination[pageSize]=1`)).status;
    await expect.poll(plain, { timeout: 10_000 }).toBe(200);
    expect(await strict.stop()).toBe(0);
  });
});
