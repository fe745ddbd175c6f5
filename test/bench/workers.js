// Throughput of reads with one worker and with two, including 304 responses. The load client is wrk, which takes little CPU time.
import { execa } from 'execa';
import { seedBlog } from './seed.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 32;
const WARM_UP = 1;
const READS = {
  one: { title: 'get one', path: '/api/articles/1' },
  unchanged: { title: 'get one, unchanged (304)', path: '/api/articles/1', conditional: true },
  list: { title: 'list of 25', path: '/api/articles' },
};

/** Requests per second. */
async function load(port, { path, conditional }, seconds) {
  const url = `http://127.0.0.1:${port}${path}`;
  const headers = [];
  if (conditional) {
    const response = await fetch(url);
    await response.arrayBuffer();
    headers.push('-H', `If-None-Match: ${response.headers.get('etag')}`);
  }
  const { stdout } = await execa('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...headers, url]);
  if (/Non-2xx|Socket errors/u.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+(?<rate>[\d.]+)/u.exec(stdout)?.groups?.rate);
}

async function measureRead(servers, read, { rounds, seconds }) {
  const rates = servers.map(() => []);
  for (const { port } of servers) await load(port, read, WARM_UP);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { port }] of servers.entries()) rates[index].push(await load(port, read, seconds));
  }
  const [one, two] = rates;
  return { one: median(one), two: median(two), ratio: median(two.map((rate, round) => rate / one[round])) };
}

/** Whether wrk is installed. */
export async function hasWrk() {
  const { exitCode } = await execa('wrk', ['-v'], { reject: false });
  // `wrk -v` exits with 1.
  return exitCode !== undefined;
}

/** Measures each read on one engine: in each round both servers, alternately, on one database. */
export async function measureWorkers({ project, engineName, engine, options, say }) {
  const database = await engine.create('workers');
  const servers = [];
  try {
    await migrate(project, database.url);
    await seedBlog(engine, database);
    for (const WORKERS of ['1', '2']) servers.push(await startGenerated(project, database.url, { env: { WORKERS } }));
    const settings = { rounds: options.quick ? 1 : 5, seconds: 2 };
    for (const read of Object.values(READS)) {
      const { one, two, ratio } = await measureRead(servers, read, settings);
      const rates = `${Math.round(one)}/s with one worker, ${Math.round(two)}/s with two`;
      say(`  ${engineName} ${read.title}: ${rates}, ${ratio.toFixed(2)} times`);
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}
