// The servers of one database: started, filled, compared, and measured in turns.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPeer } from '../servers.js';
import { median } from '../statistics.js';
import { compareAnswers, FIRST } from './compare.js';
import { SCENARIOS } from './content.js';
import { PEER_ENGINES } from './databases.js';

const AT_ONCE = [1, 16];
const STARTS = 3;
/** Seconds after which a run counts as failed. */
const LIMIT = 120;

const LONGEST_REASON = 300;
export const LONGEST_MESSAGE = 4000;

/** A failure in a line: its message, and what a command printed as its last. */
export function reasonOf({ message, shortMessage, stderr = '' }) {
  const [last = ''] = stderr.trim().split('\n').reverse();
  const [first] = (shortMessage ?? message).split('\n');
  return [first, last]
    .filter((text) => text.trim() !== '')
    .map((text) => text.trim().slice(0, LONGEST_REASON))
    .join(': ');
}

/** Starts a peer several times with its filled database. Returns the last, and the median of the times. */
async function startSeveralTimes(own, start) {
  const times = [];
  for (;;) {
    const server = await startPeer(own, start);
    times.push(server.firstAnswer);
    if (times.length === STARTS) return { server, startTime: median(times) };
    await server.stop();
  }
}

/** Fills an empty database with the peer, and starts its server. */
async function open({ peer, own, size }, database) {
  const env = peer.env(own, database);
  const start = { ...peer.start, env, log: join(own, 'server.log') };
  rmSync(start.log, { force: true });
  await peer.prepare?.(own, env);
  const filling = await startPeer(own, start);
  let authorization;
  try {
    authorization = await peer.authorization(own, env);
    await peer.fill?.(`http://127.0.0.1:${filling.port}`, authorization, database);
  } finally {
    await filling.stop();
  }
  await database.settle();
  const { server, startTime } = await startSeveralTimes(own, start);
  try {
    const idle = await server.memory();
    const requests = await peer.requests(`http://127.0.0.1:${server.port}`, authorization);
    return { peer, size, database, server, authorization, requests, idle, start: startTime, sent: {}, rates: {} };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function close({ server, database }) {
  await server?.stop();
  await database.drop();
}

/** Starts the peers; reports those that fail, and goes on without them. */
async function openAll(installed, engineName, say) {
  const running = [];
  const failures = [];
  let expected;
  for (const one of installed) {
    let database;
    let opened;
    try {
      database = await PEER_ENGINES[engineName](one.name, one.own);
      opened = await open(one, database);
      expected ??= await compareAnswers(opened);
      if (running.length > 0) await compareAnswers(opened, expected);
      running.push(opened);
      say(`  ${one.peer.title} is running`);
    } catch (error) {
      failures.push(`${one.peer.title}: ${reasonOf(error)}`);
      say(`  ${one.peer.title} fails: ${error.message.slice(0, LONGEST_MESSAGE)}`);
      if (database) await close({ server: opened?.server, database });
    }
  }
  return { running, failures };
}

async function run(client, one, scenario, connections, count) {
  const from = one.sent[scenario] ?? FIRST;
  one.sent[scenario] = from + count;
  const given = Array.from({ length: count }, (_, index) => ({
    ...one.requests[scenario](from + index),
    headers: { authorization: one.authorization },
  }));
  return (await client.run({ port: one.server.port, given, connections, limit: LIMIT })).perSecond;
}

/** How many requests take about `seconds`. Warms the peer up. */
async function calibrate(client, one, scenario, connections, seconds) {
  let count = connections * 2;
  for (let turn = 0; turn < 2; turn += 1) {
    const perSecond = await run(client, one, scenario, connections, count);
    count = Math.max(connections * 2, Math.round(perSecond * seconds));
  }
  return count;
}

/** Requests per second of each peer, which take turns. A rate that is missing has a reason in `failures`. */
async function measureScenario(client, running, scenario, connections, { rounds, seconds }) {
  const title = `${scenario}, ${connections === 1 ? 'one at a time' : `${connections} at once`}`;
  const taking = running.filter(({ requests }) => requests[scenario]).map((one) => ({ one, measured: [], count: 0 }));
  const failures = [];
  const attempt = async (turn, work) => {
    if (turn.failed) return;
    try {
      await work();
    } catch (error) {
      turn.failed = true;
      failures.push(`${turn.one.peer.title}: ${title}: ${reasonOf(error)}`);
    }
  };
  for (const turn of taking) {
    await attempt(turn, async () => (turn.count = await calibrate(client, turn.one, scenario, connections, seconds)));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const turn of round % 2 === 0 ? taking : taking.toReversed()) {
      await attempt(turn, async () => {
        turn.measured.push(await run(client, turn.one, scenario, connections, turn.count));
      });
    }
  }
  for (const { one, measured, failed } of taking) one.rates[title] = failed ? 'failed' : median(measured);
  return { title, failures };
}

/** Measures the installed peers on one engine. */
export async function measurePeers({ client, installed, engineName, options, say }) {
  const { running, failures } = await openAll(installed, engineName, say);
  const titles = [];
  try {
    for (const scenario of SCENARIOS) {
      for (const connections of AT_ONCE) {
        const measured = await measureScenario(client, running, scenario, connections, options);
        titles.push(measured.title);
        failures.push(...measured.failures);
        const rates = running.map(({ peer, rates }) => `${peer.title} ${rates[measured.title]?.toFixed?.(1) ?? '—'}/s`);
        say(`  ${measured.title}: ${rates.join(', ')}`);
      }
    }
    for (const one of running) one.loaded = await one.server.memory();
  } finally {
    for (const one of running) await close(one);
  }
  return { engineName, titles, running, failures };
}
