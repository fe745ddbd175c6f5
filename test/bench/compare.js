// Compares the generated server with the hand-written one, as it is, and with versions of entries and ETags, which the generated one has:
// alternately, on databases with the same content.
import { isDeepStrictEqual } from 'node:util';
import { hotSpots } from './hot-spots.js';
import { scenarios } from './scenarios.js';
import { seedBlog } from './seed.js';
import { migrate, profiled, startByHand, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 16;
/** How many responses per scenario are compared before the measurement. */
const COMPARED = 12;
/** Headers that may differ between the servers. */
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

const SIDES = ['generated', 'byHand', 'versioned'];
const NAMES = { generated: 'generated', byHand: 'by_hand', versioned: 'versioned' };

/** A database for each server, with the same content; `drop` drops all. */
async function createDatabases(project, engine) {
  const made = {};
  const drop = async () => {
    for (const database of Object.values(made)) await database.drop();
  };
  try {
    for (const side of SIDES) {
      const database = await engine.create(NAMES[side]);
      made[side] = database;
      await migrate(project, database.url);
      await seedBlog(engine, database);
    }
  } catch (error) {
    await drop();
    throw error;
  }
  return { ...made, drop };
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

/** Throws if the responses of the servers differ. */
async function checkAnswer(servers, request) {
  const answers = [];
  for (const side of SIDES) answers.push(await answerOf(servers[side], request));
  const [one, ...others] = answers;
  if (one.status < 300 && others.every((other) => isDeepStrictEqual(one, other))) return;
  const told = answers.map((answer) => JSON.stringify(answer)).join('\n');
  throw new Error(`${request.method} ${request.path} has different responses:\n${told}`);
}

/** Compares the responses of all scenarios, then the lists after the writes. */
async function checkAnswers(servers, names) {
  for (const name of [...names, 'populated']) {
    for (let index = 0; index < COMPARED; index += 1) await checkAnswer(servers, scenarios[name].request(index));
  }
}

/** How many requests take about `seconds` on the slowest server. Warms all up. */
async function calibrate(client, servers, scenario, seconds) {
  let count = 0;
  let from = COMPARED;
  const rates = [];
  for (const requests of [400, 400, 1200]) {
    rates.length = 0;
    for (const side of SIDES) {
      rates.push(
        await client.run({ port: servers[side].port, scenario, from, count: requests, connections: CONNECTIONS }),
      );
    }
    from += requests;
    count = Math.max(200, Math.round(Math.min(...rates.map(({ perSecond }) => perSecond)) * seconds));
  }
  return { count, from };
}

/** Measures one scenario: in each round all servers take a turn, in alternating order. */
async function measure(client, servers, scenario, { rounds, seconds }) {
  const { count, from } = await calibrate(client, servers, scenario, seconds);
  const results = { generated: [], byHand: [], versioned: [] };
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
  const ratiosTo = (side) =>
    results.generated.map((result, round) => result.perSecond / results[side][round].perSecond);
  const ratios = ratiosTo('byHand');
  return {
    ratio: median(ratios),
    ratios,
    versionedRatios: ratiosTo('versioned'),
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
 * Measures the scenarios `names` on one engine. Each result has the engine, the scenario, its target, the ratios of each
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
      versioned: await startByHand(databases.versioned.url, { isVersioned: true }),
    };
    try {
      await checkAnswers(servers, names);
      for (const name of names) {
        const result = await measure(client, servers, name, options);
        results.push({ engine: engineName, scenario: name, target: target(name), ...result });
        say(results.at(-1));
      }
    } finally {
      await Promise.all(SIDES.map((side) => servers[side].stop()));
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
