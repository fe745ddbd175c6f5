// Servers in processes of their own, and their resource usage.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { output } from './paths.js';

const BY_HAND = fileURLToPath(new URL('by-hand/server.js', import.meta.url));
const START_TIMEOUT = 20_000;
/** Peers fill their database when they first start. */
const PEER_START_TIMEOUT = 600_000;
/** Then a server that doesn't stop is killed. */
const STOP_TIMEOUT = 10_000;

/** Settings of both servers: production mode, without logging. */
export const SETTINGS = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'of-the-benchmarks-0123456789-abcdefghijklmn',
};

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Resolves at the first successful response for `path`. */
async function firstAnswer(server, path, timeout) {
  const deadline = performance.now() + timeout;
  for (;;) {
    const { exitCode, signalCode } = server.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`a server ended with ${exitCode ?? signalCode}`);
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    if (performance.now() > deadline) throw new Error(`no response from ${path}`);
    await sleep(2);
  }
}

/**
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {number} pid
 * @property {number} firstAnswer Time from the start of the process, in milliseconds.
 * @property {() => Promise<number>} memory Resident set size, in MB.
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<RunningServer>} once it has answered `path`. What it prints is written to `log`, if given. */
async function start(args, { cwd, url, path, env = {}, timeout = START_TIMEOUT, log }) {
  const port = await freePort();
  const printed = log && openSync(log, 'a');
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...SETTINGS, ...env, DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', printed ?? 'ignore', printed ?? 'inherit'],
  });
  if (printed !== undefined) closeSync(printed);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await ended;
    clearTimeout(timer);
  };
  try {
    await firstAnswer({ child, port }, path, timeout);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    pid: child.pid,
    firstAnswer: performance.now() - started,
    memory: () => residentMemory(child.pid),
    stop,
  };
}

/** Of a process and those that it has started. */
async function residentMemory(pid) {
  const { stdout } = await execa('ps', ['-e', '-o', 'pid=,ppid=,rss=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/u).map(Number));
  const sum = (parent) =>
    processes
      .filter(([own, startedBy]) => own === parent || startedBy === parent)
      .reduce((total, [own, , size]) => total + (own === parent ? size : sum(own)), 0);
  return sum(pid) / 1024;
}

const FIRST_PATH = '/api/articles/1';

/** Starts the generated server. `flags` are for Node, `env` are settings; `path` is the first request. */
export function startGenerated(project, url, { flags = [], path = FIRST_PATH, env = {} } = {}) {
  return start([...flags, 'dist/main.js'], { cwd: project, url, path, env });
}

/** Starts the hand-written server; `isVersioned`: with versions of entries, and ETags. */
export function startByHand(url, { path = FIRST_PATH, isVersioned = false } = {}) {
  return start([BY_HAND], { cwd: output, url, path, env: { VERSIONS: String(isVersioned) } });
}

/** Starts a peer, as its own command would. */
export async function startPeer(folder, { args, path, env, log }) {
  try {
    return await start(args, { cwd: folder, url: env.DATABASE_URL, path, env, log, timeout: PEER_START_TIMEOUT });
  } catch (error) {
    throw new Error(`${error.message}; what it printed is in ${log}`, { cause: error });
  }
}

/** Creates the tables of the project. */
export async function migrate(project, url, further = {}) {
  const env = { ...SETTINGS, ...further, DATABASE_URL: url };
  await execa(process.execPath, ['dist/generated/command.js', 'migrate', 'up'], { cwd: project, env });
}

/** Runs `work` against a generated server with `--cpu-prof`; returns the profile. */
export async function profiled(project, url, name, work) {
  const folder = join(output, 'profiles');
  mkdirSync(folder, { recursive: true });
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
  const server = await startGenerated(project, url, { flags });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
  return JSON.parse(readFileSync(join(folder, `${name}.cpuprofile`), 'utf8'));
}
