// Start-up time and memory of a server.
import { seedBlog } from './seed.js';
import { migrate, startByHand, startGenerated } from './servers.js';
import { scenarios } from './scenarios.js';
import { median } from './statistics.js';

/** Milliseconds from the start of the process to the first response, with a migrated database. */
export const START_TARGET = 400;

const STARTS = 5;
const CONNECTIONS = 16;

async function timed(server, { path }) {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  await response.arrayBuffer();
  return performance.now() - started;
}

/** One start: time to the first response, duration of the first list and the tenth, and memory. */
async function measureOnce(start, client) {
  const server = await start();
  try {
    const list = scenarios.populated.request(0);
    const first = await timed(server, list);
    for (let index = 0; index < 8; index += 1) await timed(server, list);
    const tenth = await timed(server, list);
    const idle = await server.memory();
    await client.run({ port: server.port, scenario: 'populated', from: 0, count: 3000, connections: CONNECTIONS });
    return { firstAnswer: server.firstAnswer, first, tenth, idle, loaded: await server.memory() };
  } finally {
    await server.stop();
  }
}

/** Medians of several starts of both servers, alternately, on one engine. */
export async function measureStarts({ client, project, engineName, engine, options }) {
  const database = await engine.create('start');
  try {
    await migrate(project, database.url);
    await seedBlog(engine, database);
    const starts = {
      generated: () => startGenerated(project, database.url),
      byHand: () => startByHand(database.url),
    };
    const results = { generated: [], byHand: [] };
    for (let round = 0; round < Math.min(STARTS, options.rounds); round += 1) {
      for (const side of Object.keys(starts)) results[side].push(await measureOnce(starts[side], client));
    }
    const medians = (side) =>
      Object.fromEntries(
        Object.keys(results[side][0]).map((name) => [name, median(results[side].map((result) => result[name]))]),
      );
    return { engine: engineName, generated: medians('generated'), byHand: medians('byHand') };
  } finally {
    await database.drop();
  }
}
