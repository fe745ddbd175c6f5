// CPU time per request of the server and of its database, for capacity planning. Uses the scheduler statistics of Linux.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { scenarios } from './scenarios.js';
import { seedBlog } from './seed.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 16;
const WARM_UP = 2000;
const REQUESTS = 1000;
const ROUNDS = 9;
const PROCESSES = { postgres: 'postgres', mariadb: 'mariadbd' };
const SCENARIOS = ['one', 'list', 'populated', 'filtered', 'create', 'update', 'connect'];
const ONE = '/api/articles/1';
const LISTS = ['list', 'populated', 'filtered'];

export const canMeasureCosts = existsSync('/proc/self/schedstat');

/** The CPU time of all threads of a process, in nanoseconds. */
function timeOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, id) => sum + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
      0,
    );
  } catch {
    return 0;
  }
}

/** The CPU time of all processes of the database, in nanoseconds. */
async function databaseTime(engineName) {
  const name = PROCESSES[engineName];
  if (name === undefined) return 0;
  const { stdout } = await execa('pgrep', ['-x', name], { reject: false });
  return stdout.split('\n').reduce((sum, pid) => sum + timeOf(pid), 0);
}

/** A request of a client that has the answer. */
async function unchanged(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  await response.arrayBuffer();
  return { method: 'GET', path, headers: { 'If-None-Match': response.headers.get('etag') } };
}

/** The measured requests: scenarios, and answers that the client has cached. */
async function costsOf({ port }) {
  return [
    // First, since other requests write.
    { title: 'get one, unchanged (304)', request: await unchanged(port, ONE) },
    ...(await Promise.all(
      LISTS.map(async (name) => {
        const { title, request } = scenarios[name];
        return { title: `${title}, unchanged (304)`, request: await unchanged(port, request(1).path) };
      }),
    )),
    ...SCENARIOS.map((scenario) => ({ title: scenarios[scenario].title, scenario })),
  ];
}

async function measureCost({ client, server, engineName }, { scenario, request }, start) {
  const run = (from, count) =>
    client.run({ port: server.port, scenario, request, from, count, connections: CONNECTIONS });
  await run(start, WARM_UP);
  const costs = { server: [], database: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = [timeOf(server.pid), await databaseTime(engineName)];
    await run(start + WARM_UP + round * REQUESTS, REQUESTS);
    const after = [timeOf(server.pid), await databaseTime(engineName)];
    for (const [index, side] of ['server', 'database'].entries()) {
      costs[side].push((after[index] - before[index]) / REQUESTS / 1000);
    }
  }
  return { server: median(costs.server), database: median(costs.database) };
}

/** Measures on one engine; prints the microseconds of one core per request. */
export async function measureCosts({ client, project, engineName, engine, say }) {
  const database = await engine.create('costs');
  try {
    await migrate(project, database.url);
    await seedBlog(engine, database);
    const server = await startGenerated(project, database.url);
    try {
      let start = 12;
      for (const cost of await costsOf(server)) {
        const found = await measureCost({ client, server, engineName }, cost, start);
        start += WARM_UP + ROUNDS * REQUESTS;
        const [ofServer, ofDatabase] = [Math.round(found.server), Math.round(found.database)];
        say(`  ${engineName} ${cost.title}: server ${ofServer} us, database ${ofDatabase} us`);
      }
    } finally {
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}
