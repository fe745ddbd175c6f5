// What features cost those who use them: requests per second of a server with a feature, relative to one of the same schema without.
import { prepareProject } from './project.js';
import { blogWith } from './schema.js';
import { scenarios } from './scenarios.js';
import { seedBlog } from './seed.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 16;
const WARM_UP = 1500;
/** Nobody listens there: deliveries fail, as they do while a receiver is down. */
const HOOK = { BENCH_HOOK: 'http://127.0.0.1:9/', BENCH_SECRET: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz' };

/** By feature: what is added to the schema, the scenarios, and the target. `keyed`: requests that only this side sends. */
export const FEATURES = {
  'a rule on an indexed attribute': {
    find: '[find: { where: { views: { $gte: 0 } } }, findOne: { where: { views: { $gte: 0 } } }]',
    scenarios: ['one', 'list', 'populated'],
    target: 0.95,
  },
  history: { type: 'history: true', scenarios: ['create', 'update'], target: 0.9 },
  webhooks: {
    root: 'webhooks: [{ url: $BENCH_HOOK, secret: $BENCH_SECRET }]',
    env: { ...HOOK, WEBHOOKS_ALLOW_PRIVATE: 'true' },
    scenarios: ['create', 'update'],
    target: 0.9,
  },
  'cache tags': {
    root: 'cacheTags: { purge: [{ varnish: $BENCH_HOOK }] }',
    env: { BENCH_HOOK: HOOK.BENCH_HOOK },
    scenarios: ['one', 'list', 'populated', 'filtered', 'slug', 'create', 'update'],
    target: 0.9,
    targets: { one: 0.97, list: 0.97, populated: 0.97, filtered: 0.97, slug: 0.97 },
  },
  events: { root: 'events: true', scenarios: ['create', 'update'], target: 0.9 },
  'an Idempotency-Key': { header: true, scenarios: ['create', 'update'], target: 0.8 },
};

/** Runs `work` with a server of each project. */
export async function withServers({ engine, projects, env }, work) {
  const databases = [];
  const servers = [];
  try {
    for (const [index, project] of projects.entries()) {
      const database = await engine.create(`feature_${index}`);
      databases.push(database);
      await migrate(project, database.url, env);
      await seedBlog(engine, database);
      servers.push(await startGenerated(project, database.url, { env }));
    }
    return await work(servers);
  } finally {
    for (const server of servers) await server.stop();
    for (const database of databases) await database.drop();
  }
}

/** In each round both servers take a turn, in alternating order. */
async function measure(client, servers, name, { rounds, seconds, keyed }) {
  const runs = servers.map((server, index) => (from, count) => {
    const scenario = keyed && index === 1 ? `${name}-keyed` : name;
    return client.run({ port: server.port, scenario, from, count, connections: CONNECTIONS });
  });
  let count = 0;
  for (const run of runs) {
    await run(0, WARM_UP);
    count = Math.max(200, Math.round((await run(WARM_UP, 400)).perSecond * seconds));
  }
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = [];
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order) found[index] = (await runs[index](WARM_UP + 400 + round * count, count)).perSecond;
    ratios.push(found[1] / found[0]);
  }
  return median(ratios);
}

/** A hundred creates in one batch, relative to a hundred requests that one client sends one after the other. */
async function measureBatch(server, rounds) {
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { 'content-type': 'application/json' };
  const post = async (path, body) => {
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  };
  const ratios = [];
  for (let round = 0; round < rounds + 1; round += 1) {
    const bodies = Array.from({ length: 200 }, (_, index) => scenarios.create.request(100_000 + round * 200 + index));
    const started = performance.now();
    for (const { path, data } of bodies.slice(0, 100)) await post(path, { data });
    const between = performance.now();
    const operations = bodies.slice(100).map(({ method, path, data }) => ({ method, path, body: { data } }));
    await post('/api/_batch', { operations });
    ratios.push((between - started) / (performance.now() - between));
  }
  // The first round warms up.
  return median(ratios.slice(1));
}

const plainOf = () => prepareProject(blogWith({ index: true }), 'features-plain');

/** Measures on one engine. */
export async function measureFeatures({ client, engineName, engine, options, say }) {
  const plain = await plainOf();
  for (const [title, feature] of Object.entries(FEATURES)) {
    const { find, type, root, env, header: keyed = false } = feature;
    const own = keyed ? plain : await prepareProject(blogWith({ index: true, find, type, root }), 'features-own');
    await withServers({ engine, projects: [plain, own], env }, async (servers) => {
      for (const name of feature.scenarios) {
        const ratio = await measure(client, servers, name, { ...options, keyed });
        say(
          `  ${engineName} ${title}, ${scenarios[name].title}: ${ratio.toFixed(2)} (target ${feature.targets?.[name] ?? feature.target})`,
        );
      }
      if (!keyed) return;
      const batch = await measureBatch(servers[0], options.rounds);
      say(`  ${engineName} 100 creates in a batch: ${batch.toFixed(1)} times as fast as 100 requests (target 5)`);
    });
  }
}
