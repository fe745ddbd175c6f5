// Compares the generated server with the hand-written one: alternately, on databases with the same content.
import { isDeepStrictEqual } from 'node:util';
import { hotSpots } from './hot-spots.js';
import { scenarios } from './scenarios.js';
import { seedBlog } from './seed.js';
import { migrate, profiled, startByHand, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 16;
/** How many responses per scenario are compared before the measurement. */
const COMPARED = 12;
/** Headers that may differ between the servers. Only the generated server computes entity tags. */
const OWN_HEADERS = [
  'date',
  'x-request-id',
  'vary',
  'content-length',
  'connection',
  'keep-alive',
  'etag',
  'cache-control',
];

/** A pair of databases with the same content; `drop` drops both. */
async function createDatabases(project, engine) {
  const made = [];
  const drop = async () => {
    for (const database of made) await database.drop();
  };
  try {
    for (const name of ['generated', 'by_hand']) {
      const database = await engine.create(name);
      made.push(database);
      await migrate(project, database.url);
      await seedBlog(engine, database);
    }
  } catch (error) {
    await drop();
    throw error;
  }
  const [generated, byHand] = made;
  return { generated, byHand, drop };
}

async function answerOf(server, { method, path, data }) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    ...(data && { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) }),
  });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  // The servers write at different times.
  const text = (await response.text()).replace(/"(createdAt|updatedAt)":"2026-(?!01-02)[^"]*"/gu, '"$1":"now"');
  return { status: response.status, headers, body: JSON.parse(text) };
}

/** Throws if the responses of the two servers differ. */
async function checkAnswer({ generated, byHand }, request) {
  const [one, other] = [await answerOf(generated, request), await answerOf(byHand, request)];
  if (one.status < 300 && isDeepStrictEqual(one, other)) return;
  const answers = [one, other].map((answer) => JSON.stringify(answer)).join('\n');
  throw new Error(`${request.method} ${request.path} has different responses:\n${answers}`);
}

/** Compares the responses of all scenarios, then the lists after the writes. */
async function checkAnswers(servers, names) {
  for (const name of [...names, 'populated']) {
    for (let index = 0; index < COMPARED; index += 1) await checkAnswer(servers, scenarios[name].request(index));
  }
}

/** How many requests take about `seconds` on the slower server. Warms both up. */
async function calibrate(client, servers, scenario, seconds) {
  let count = 0;
  let from = COMPARED;
  const rates = [];
  for (const requests of [400, 400, 1200]) {
    rates.length = 0;
    for (const server of [servers.generated, servers.byHand]) {
      rates.push(await client.run({ port: server.port, scenario, from, count: requests, connections: CONNECTIONS }));
    }
    from += requests;
    count = Math.max(200, Math.round(Math.min(...rates.map(({ perSecond }) => perSecond)) * seconds));
  }
  return { count, from };
}

const SIDES = ['generated', 'byHand'];

/** Measures one scenario: in each round both servers take a turn, in alternating order. */
async function measure(client, servers, scenario, { rounds, seconds }) {
  const { count, from } = await calibrate(client, servers, scenario, seconds);
  const results = { generated: [], byHand: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? SIDES : SIDES.toReversed();
    for (const side of order) {
      const { port } = servers[side];
      const task = { port, scenario, from: from + round * count, count, connections: CONNECTIONS };
      results[side].push(await client.run(task));
    }
  }
  const summary = async (side) => ({
    perSecond: median(results[side].map((result) => result.perSecond)),
    p50: median(results[side].map((result) => result.p50)),
    p99: median(results[side].map((result) => result.p99)),
    memory: await servers[side].memory(),
  });
  const ratios = results.generated.map((result, round) => result.perSecond / results.byHand[round].perSecond);
  return {
    ratio: median(ratios),
    ratios,
    generated: await summary('generated'),
    byHand: await summary('byHand'),
    next: from + rounds * count,
  };
}

/** Profiles the generated server. */
async function profileOf(client, { project, url, name, scenario, from, options }) {
  const profile = await profiled(project, url, name, async (server) => {
    const run = (start, count) =>
      client.run({ port: server.port, scenario, from: start, count, connections: CONNECTIONS });
    const { perSecond } = await run(from, 1500);
    await run(from + 1500, Math.round(perSecond * 3 * options.seconds));
  });
  return hotSpots(profile);
}

/**
 * Measures the scenarios `names` on one engine. Each result has the engine, the scenario, its target, the ratio of each
 * round and, if the target is missed or a profile was requested, the hot spots.
 */
export async function compare({ client, project, engineName, engine, names, options, say }) {
  const target = (name) => scenarios[name].target[engineName === 'sqlite' ? 'sqlite' : 'servers'];
  const databases = await createDatabases(project, engine);
  const results = [];
  try {
    const servers = {
      generated: await startGenerated(project, databases.generated.url),
      byHand: await startByHand(databases.byHand.url),
    };
    try {
      await checkAnswers(servers, names);
      for (const name of names) {
        const result = await measure(client, servers, name, options);
        results.push({ engine: engineName, scenario: name, target: target(name), ...result });
        say(results.at(-1));
      }
    } finally {
      await Promise.all([servers.generated.stop(), servers.byHand.stop()]);
    }
    for (const result of results) {
      if (result.ratio >= result.target && !options.profile) continue;
      result.hotSpots = await profileOf(client, {
        project,
        url: databases.generated.url,
        name: `${engineName}-${result.scenario}`,
        scenario: result.scenario,
        from: result.next,
        options,
      });
    }
  } finally {
    await databases.drop();
  }
  return results;
}
