/** Builds a project in a folder, and runs its server. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

export const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/content-gen.js');

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

async function waitFor(url) {
  for (let tries = 0; tries < 600; tries++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // not yet
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no response from ${url}`);
}

/** Builds, installs and compiles the project of a schema in the folder. */
export async function buildIn(project, schema) {
  await execa(process.execPath, [bin, 'build', schema, '--out', project], { stdio: ['ignore', 'ignore', 'inherit'] });
  await execa('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: project, stdio: 'inherit' });
  await execa('npm', ['run', 'build', '--silent'], { cwd: project, stdio: 'inherit' });
}

/** Starts the compiled server, and waits until it is ready. */
export async function startServer(project, environment) {
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitFor(`http://127.0.0.1:${environment.PORT}/_ready`);
  return server;
}
