// Throughput of flat responses relative to nested ones, from one server that supports both formats.
import { prepareProject } from './project.js';
import { FORMAT_READS } from './scenarios.js';
import { FORMATS_SCHEMA } from './schema.js';
import { seedBlog } from './seed.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const CONNECTIONS = 16;
const WARM_UP = 1500;

async function measure(client, { port }, name, { rounds, seconds }) {
  const run = (format, from, count) =>
    client.run({ port, scenario: `${name}-${format}`, from, count, connections: CONNECTIONS });
  await run('v5', 0, WARM_UP);
  const { perSecond } = await run('v4', 0, WARM_UP);
  const count = Math.max(200, Math.round(perSecond * seconds));
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = {};
    const order = round % 2 === 0 ? ['v4', 'v5'] : ['v5', 'v4'];
    for (const format of order) found[format] = (await run(format, WARM_UP + round * count, count)).perSecond;
    ratios.push(found.v5 / found.v4);
  }
  return { name, ratio: median(ratios) };
}

/** Measures each read alternately in both formats, on one engine: the ratio of requests per second, flat to nested. */
export async function measureFormats({ client, engineName, engine, options, say }) {
  const project = await prepareProject(FORMATS_SCHEMA, 'formats');
  const database = await engine.create('formats');
  try {
    await migrate(project, database.url);
    await seedBlog(engine, database, { documents: true });
    const server = await startGenerated(project, database.url);
    try {
      for (const name of FORMAT_READS) {
        const { ratio } = await measure(client, server, name, options);
        say(`  ${engineName} ${name}: flat vs nested ${ratio.toFixed(2)}`);
      }
    } finally {
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}
