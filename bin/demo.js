#!/usr/bin/env node
// Builds the bundled blog into .demo/blog, installs and compiles it, and leaves its server running.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = join(root, '.demo', 'blog');
const port = process.env.PORT ?? '1337';
const origin = `http://127.0.0.1:${port}`;

async function answers() {
  try {
    return (await fetch(`${origin}/_health`)).ok;
  } catch {
    return false;
  }
}

async function step(title, command, args, cwd) {
  console.log(`• ${title}`);
  await execa(command, args, { cwd, stdout: 'ignore', stderr: 'inherit' });
}

function startServer() {
  mkdirSync(join(project, 'data'), { recursive: true });
  const log = openSync(join(project, 'data', 'server.log'), 'a');
  const server = spawn('npm', ['start', '--silent'], {
    cwd: project,
    env: { ...process.env, PORT: port },
    detached: true,
    stdio: ['ignore', log, log],
  });
  server.unref();
  writeFileSync(join(project, 'data', 'server.pid'), `${server.pid}\n`);
  return server.pid;
}

async function waitUntilItAnswers() {
  for (let tries = 0; tries < 100; tries++) {
    if (await answers()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server did not respond at ${origin}: see ${join(project, 'data', 'server.log')}`);
}

if (await answers()) {
  console.error(`Something already answers at ${origin}. Stop it, or choose another port: PORT=1400 npm run demo`);
  process.exit(1);
}
await step(
  'generating .demo/blog',
  process.execPath,
  [join(root, 'bin/content-gen.js'), 'build', join(root, 'fixtures/blog/schema.yaml'), '--out', project],
  root,
);
await step('npm install', 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project);
await step('npm run build', 'npm', ['run', 'build', '--silent'], project);
const pid = startServer();
await waitUntilItAnswers();
console.log(`
The blog answers at ${origin}. Try:

  curl -s ${origin}/api/articles
  curl -s -X POST ${origin}/api/tags -H 'Content-Type: application/json' -d '{"data":{"name":"koa"}}'
  curl -s -X POST ${origin}/api/articles -H 'Content-Type: application/json' -d '{"data":{"title":"Hello","tags":{"connect":[1]}}}'
  curl -s '${origin}/api/articles?populate=tags'

Its code is in .demo/blog. Stop it with: kill -- -${pid}`);
