// `npm run bench:peers -- [peers] [--folder FOLDER] [--seconds 1] [--rounds 3]`: the same content and the same requests in other
// content servers that npm installs, each as its documentation starts it in production. They are installed into a temporary folder, which
// is deleted afterwards unless --folder names one. Answers are compared before anything is measured.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { execa } from 'execa';
import { startClient } from '../load.js';
import { startPeer } from '../servers.js';
import { median } from '../statistics.js';
import { comparable, COMPARED, scenarios, typeOf } from './content.js';
import { generated } from './generated.js';
import { strapi4 } from './strapi-4.js';
import { strapi5 } from './strapi-5.js';

const PEERS = { generated, strapi4, strapi5 };
const AT_ONCE = [1, 16];
const STARTS = 3;

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
  },
});
const chosen = Object.keys(PEERS).filter((name) => positionals.length === 0 || positionals.includes(name));
const [seconds, rounds] = [Number(flags.seconds), Number(flags.rounds)];
const say = (line) => console.log(line);
const folder = flags.folder ?? mkdtempSync(join(tmpdir(), 'content-gen-peers-'));

/** Every request has an API token with full access, whose permissions each peer checks. */
async function headersOf(peer, own) {
  return { authorization: `Bearer ${await peer.tokenOf(own)}` };
}

/** Installs and starts a peer, and fills it. */
async function prepare(name) {
  const peer = PEERS[name];
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  await peer.write(own);
  const started = performance.now();
  const isInstalled = existsSync(join(own, 'node_modules'));
  if (!isInstalled) await execa('npm', ['install', '--no-audit', '--no-fund'], { cwd: own });
  const installed = isInstalled ? undefined : (performance.now() - started) / 1000;
  await peer.built?.(own);
  const { stdout: size } = await execa('du', ['-sm', join(own, 'node_modules')]);
  const server = await startPeer(own, peer.start);
  try {
    await peer.fill?.(`http://127.0.0.1:${server.port}`, await headersOf(peer, own));
  } finally {
    await server.stop();
  }
  const starts = [];
  for (let turn = 0; turn < STARTS; turn += 1) {
    const measured = await startPeer(own, peer.start);
    starts.push(measured.firstAnswer);
    await measured.stop();
  }
  return { name, peer, own, installed, size: Number.parseInt(size, 10), start: median(starts) };
}

async function run(prepared) {
  const server = await startPeer(prepared.own, prepared.peer.start);
  const headers = await headersOf(prepared.peer, prepared.own);
  const key = await prepared.peer.keysOf(`http://127.0.0.1:${server.port}`, headers);
  return { ...prepared, server, headers, requests: scenarios(key), idle: await server.memory(), sent: {}, rates: {} };
}

async function answerOf({ server, requests, headers }, scenario, index) {
  const { method, path } = requests[scenario](index);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return comparable(JSON.parse(text), typeOf(scenario));
}

/** Throws if two peers answer differently. */
async function compareAnswers([first, ...others]) {
  for (const scenario of COMPARED) {
    for (const index of [0, 7, 19]) {
      const expected = await answerOf(first, scenario, index);
      for (const other of others) {
        const answer = await answerOf(other, scenario, index);
        if (isDeepStrictEqual(answer, expected)) continue;
        const texts = [expected, answer].map((one) => JSON.stringify(one).slice(0, 1500)).join('\n');
        throw new Error(`${scenario}: ${first.peer.title} and ${other.peer.title} answer differently:\n${texts}`);
      }
    }
  }
}

async function measured(client, running, scenario, connections, count) {
  const from = running.sent[scenario] ?? 0;
  running.sent[scenario] = from + count;
  const given = Array.from({ length: count }, (_, index) => ({
    ...running.requests[scenario](from + index),
    headers: running.headers,
  }));
  return (await client.run({ port: running.server.port, given, connections })).perSecond;
}

/** Requests per second of each peer, which take turns. */
async function measure(client, all, scenario, connections) {
  const name = `${scenario}, ${connections === 1 ? 'one at a time' : `${connections} at once`}`;
  for (const running of all) {
    const perSecond = await measured(client, running, scenario, connections, connections * 2);
    running.count = Math.max(connections * 2, Math.round(perSecond * seconds));
    running.rates[name] = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const running of round % 2 === 0 ? all : all.toReversed()) {
      running.rates[name].push(await measured(client, running, scenario, connections, running.count));
    }
  }
  say(`  ${name}: ${all.map(({ peer, rates }) => `${peer.title} ${median(rates[name]).toFixed(1)}/s`).join(', ')}`);
}

const rate = (values) => {
  const shown = median(values);
  return shown < 100 ? shown.toFixed(1) : Math.round(shown).toLocaleString('en');
};

function report(all, skipped) {
  const [{ model = 'unknown' } = {}] = cpus();
  const machine = `${availableParallelism()} cores of ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}, Node ${process.versions.node}; load ${loadavg()[0].toFixed(1)}`;
  const row = (title, valueOf) => `| ${[title, ...all.map(valueOf)].join(' | ')} |`;
  return [
    `${new Date().toISOString().slice(0, 10)}, SQLite, ${machine}; medians of ${rounds} rounds, requests per second.`,
    '',
    row('', ({ peer }) => peer.title),
    row('---', () => '---:'),
    ...Object.keys(all[0].rates).map((name) => row(name, ({ rates }) => rate(rates[name]))),
    row('start, ms', ({ start }) => String(Math.round(start))),
    row('memory at rest / after, MB', ({ idle, loaded }) => `${Math.round(idle)} / ${Math.round(loaded)}`),
    row('installation, MB', ({ size }) => String(size)),
    '',
    ...all.map(({ peer }) => {
      const versions = Object.entries(peer.dependencies).map(([name, version]) => `${name} ${version}`);
      return `- ${peer.title}: \`${peer.install}\`, \`${peer.command}\`${versions.length > 0 ? ` (${versions.join(', ')})` : ''}`;
    }),
    ...skipped.map((line) => `- ${line}`),
  ].join('\n');
}

const client = startClient();
const running = [];
const skipped = [];
try {
  for (const name of chosen) {
    say(`${PEERS[name].title}: ${PEERS[name].install}`);
    try {
      running.push(await run(await prepare(name)));
    } catch (error) {
      skipped.push(
        `${PEERS[name].title} is skipped: ${String(error.stderr || error.message)
          .trim()
          .split('\n')
          .slice(0, 3)
          .join(' ')}`,
      );
      say(`  ${skipped.at(-1)}`);
    }
  }
  await compareAnswers(running);
  for (const scenario of Object.keys(running[0].requests)) {
    for (const connections of AT_ONCE) await measure(client, running, scenario, connections);
  }
  for (const one of running) one.loaded = await one.server.memory();
  say(`\n${report(running, skipped)}`);
} finally {
  client.stop();
  await Promise.all(running.map(({ server }) => server.stop()));
  if (flags.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
