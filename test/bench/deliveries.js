// Whether deliveries of webhooks keep up with writes at a fixed rate, and what these writes lose by them.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURES, withServers } from './features.js';
import { prepareProject } from './project.js';
import { blogWith } from './schema.js';

const CONNECTIONS = 16;
const WARM_UP = 1500;
/** Writes per second. */
const PACE = { sqlite: 500, postgres: 1000, mariadb: 1000 };
/** How long deliveries are waited for, in milliseconds. */
const MOST = 60_000;

/** A receiver that accepts everything, and counts it. */
async function openReceiver() {
  let told = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      told += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, told: () => told, close };
}

async function untilTold(receiver, count) {
  const started = performance.now();
  while (receiver.told() < count && performance.now() - started < MOST) await sleep(5);
  const took = Math.round(performance.now() - started);
  return receiver.told() >= count ? `the last was told ${took} ms after` : `${count - receiver.told()} were not told`;
}

/** Prints the rate and the latencies of writes without webhooks and with them, and when the last of these were told. */
export async function measureDeliveries({ client, engineName, engine, options, say }) {
  const { root, env } = FEATURES.webhooks;
  const projects = [
    await prepareProject(blogWith({ index: true }), 'features-plain'),
    await prepareProject(blogWith({ index: true, root }), 'features-own'),
  ];
  const receiver = await openReceiver();
  const pace = PACE[engineName];
  const count = pace * (options.quick ? 5 : 20);
  try {
    await withServers({ engine, projects, env: { ...env, BENCH_HOOK: receiver.url } }, async (servers) => {
      for (const [index, title] of ['without webhooks', 'with webhooks'].entries()) {
        const run = (from, more) =>
          client.run({ port: servers[index].port, scenario: 'update', from, connections: CONNECTIONS, ...more });
        await run(0, { count: WARM_UP });
        if (index === 1) await untilTold(receiver, WARM_UP);
        const { perSecond, p50, p99 } = await run(WARM_UP, { count, pace });
        const told = index === 1 ? `; ${await untilTold(receiver, WARM_UP + count)}` : '';
        const times = `${p50.toFixed(1)} ms, 99 % within ${p99.toFixed(1)} ms`;
        say(`  ${engineName} ${pace} updates a second ${title}: ${perSecond.toFixed(0)}, ${times}${told}`);
      }
    });
  } finally {
    receiver.close();
  }
}
