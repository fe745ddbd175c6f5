/** Generates, installs, compiles and runs real projects for tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The root of this repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the compiled command line; returns its exit code and output. */
export async function contentGen(args: readonly string[], cwd: string) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [join(root, 'bin/content-gen.js'), ...args], {
    cwd,
    reject: false,
    env: { NO_COLOR: '1' },
  });
  return { exitCode, stdout, stderr };
}

export async function install(project: string): Promise<void> {
  await execa('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: project });
}

export async function compile(project: string): Promise<void> {
  await execa('npm', ['run', 'build', '--silent'], { cwd: project });
}

/** Compiles a project with the fastest compiler. */
export async function recompile(project: string): Promise<void> {
  await execa(process.execPath, [join(root, 'node_modules/typescript-7.0/bin/tsc'), '-b'], { cwd: project });
}

/** A free port. */
export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function untilReady(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`);
    try {
      if ((await fetch(`${origin}/_ready`)).status === 204) return;
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server did not become ready:\n${output()}`);
}

export interface RunningServer {
  readonly origin: string;
  readonly pid: number;
  /** Its output on stdout and stderr. */
  readonly output: () => string;
  /** Sends a signal and waits for the exit; returns the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts a compiled project in a process of its own. */
export async function start(
  project: string,
  environment: Readonly<Record<string, string>> = {},
  main = 'dist/main.js',
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'test', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(origin, child, () => text);
  return {
    origin,
    pid: child.pid ?? 0,
    output: () => text,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Sends a JSON request; returns status, headers and the parsed body. */
export async function request(origin: string, method: string, path: string, data?: unknown) {
  const response = await fetch(`${origin}${path}`, {
    method,
    ...(data === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ data }) }),
  });
  const text = await response.text();
  const body = text === '' ? undefined : (JSON.parse(text) as any);
  return { status: response.status, headers: response.headers, body };
}
