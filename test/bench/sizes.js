// Latency of requests to the generated server by the size of a list or table, one request at a time.
import { Agent, request as httpRequest } from 'node:http';
import { LIST_SIZES, TABLE_SIZES } from './schema.js';
import { seedSizes, SPARE_NOTES } from './seed.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

/** The ratio of the largest to the smallest size. */
export const SIZE_TARGETS = { connect: 1.5, connectBefore: 1.5, page: 1.3 };

const ROUNDS = 20;
const REQUESTS_A_ROUND = 5;

function createAsker({ port }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Returns the duration in milliseconds. */
  function ask({ method = 'GET', path, data }) {
    return new Promise((resolve, reject) => {
      const body = data === undefined ? undefined : JSON.stringify({ data });
      const headers =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const started = performance.now();
      const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
        response.resume();
        response.once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - started);
          else reject(new Error(`${method} ${path} returned ${response.statusCode}`));
        });
      });
      request.once('error', reject);
      request.end(body);
    });
  }
  return { ask, close: () => agent.destroy() };
}

function connecting(shelf, note, position) {
  return { method: 'PUT', path: `/api/shelves/${shelf}`, data: { notes: { connect: [{ id: note, position }] } } };
}

/** Curve → for each size, a function from a number to a request. */
function curves() {
  const firstSpare = Math.max(...LIST_SIZES) + 1;
  const spare = (index) => firstSpare + (index % SPARE_NOTES);
  const lists = (request) => LIST_SIZES.map((size, index) => ({ size, request: request(index + 1, size) }));
  const tables = (suffix) =>
    TABLE_SIZES.map((size) => ({ size, request: () => ({ path: `/api/tables-of-${size}${suffix}` }) }));
  return {
    connect: lists((shelf) => (index) => connecting(shelf, spare(index), { end: true })),
    connectBefore: lists((shelf, size) => (index) => {
      const anchor = (index * 7) % Math.min(size, 500);
      return connecting(shelf, spare(index + SPARE_NOTES / 2), {
        before: Math.floor(size / 2) - (anchor % (size / 2)) + 1,
      });
    }),
    page: tables('?pagination[withCount]=false'),
    pageWithCount: tables(''),
  };
}

/** Measures the sizes of a curve alternately, so that other load affects them equally. */
async function measureCurve(asker, points, rounds) {
  const latencies = points.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [point, { request }] of points.entries()) {
      for (let turn = 0; turn < REQUESTS_A_ROUND; turn += 1) {
        const latency = await asker.ask(request((round + 1) * REQUESTS_A_ROUND + turn));
        // The warm-up round prepares the statements.
        if (round >= 0) latencies[point].push(latency);
      }
    }
  }
  return points.map(({ size }, point) => ({ size, milliseconds: median(latencies[point]) }));
}

/** Curve → median latency for each size, in milliseconds. */
export async function measureSizes({ project, engineName, engine, options }) {
  const database = await engine.create('sizes');
  try {
    await migrate(project, database.url);
    await seedSizes(engine, database);
    const server = await startGenerated(project, database.url, { path: '/api/tables-of-1000' });
    const asker = createAsker(server);
    const measured = {};
    try {
      for (const [name, points] of Object.entries(curves())) {
        measured[name] = await measureCurve(asker, points, ROUNDS * (options.quick ? 1 : 2));
      }
    } finally {
      asker.close();
      await server.stop();
    }
    return { engine: engineName, curves: measured };
  } finally {
    await database.drop();
  }
}
