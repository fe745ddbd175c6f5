/** A server that more clients connect to than it may open files. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import { freePort } from './support/project.ts';
import { fixtureSchema } from './support/served-project.ts';

let project: BundledProject;
beforeAll(async () => {
  project = await bundleProject(await fixtureSchema('blog'));
});
afterAll(() => project?.remove());

function ask(origin: string, path: string, agent: Agent, body?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const method = body === undefined ? 'GET' : 'POST';
    const asked = httpRequest(origin + path, { agent, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

it('R11: clients that use up its connections end neither the process nor the requests of others', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn('sh', ['-c', `ulimit -n 640; exec "${process.execPath}" dist/bundle/main.js`], {
    cwd: project.path,
    env: { ...process.env, PORT: String(port), DATABASE_URL: 'sqlite:./data/few.db', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // At once when it listens, before anything was loaded late.
  const isUp = () =>
    ask(origin, '/_health', agent).then(
      (status) => status === 204,
      () => child.exitCode !== null,
    );
  await expect.poll(isUp, { timeout: 30_000, interval: 5 }).toBe(true);
  const sockets = Array.from({ length: 1000 }, () => connect({ host: '127.0.0.1', port }).on('error', () => undefined));
  await expect.poll(() => output, { timeout: 30_000 }).not.toBe('');
  expect(child.exitCode, output).toBeNull();
  const sent = [
    await ask(origin, '/api/articles?filters[title][$eq]=x', agent),
    await ask(origin, '/api/tags', agent, '{"data":{"name":"few"}}'),
    await ask(origin, '/api/auth/local', agent, '{"identifier":"x","password":"y"}'),
  ];
  expect(sent, output).toEqual([200, 201, 400]);
  expect(output).toContain('ulimit -n');
  for (const socket of sockets) socket.destroy();
  child.kill('SIGTERM');
  expect(await ended, output).toBe(0);
  agent.destroy();
}, 120_000);
