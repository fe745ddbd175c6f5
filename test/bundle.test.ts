/** The bundle that the README of a project describes: it runs without the packages that are in it. */
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { request, root, start } from './support/project.ts';
import { openCollector } from './support/trace-collector.ts';
import { generateProject, linkRuntime } from './support/served-project.ts';

const SCHEMA = `
name: bundled
databases: [sqlite]
contentTypes:
  article:
    attributes:
      title: { type: string }
      cover: { type: media }
permissions:
  public:
    article: [find, findOne, create, update]
    upload: [upload]
`;

let generated: Awaited<ReturnType<typeof generateProject>>;
let elsewhere: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;

beforeAll(async () => {
  generated = await generateProject(SCHEMA);
  elsewhere = await temporaryFolder();
  project = join(generated.folder, 'project');
  await linkRuntime(project);
});
afterAll(async () => {
  await generated?.remove();
  await elsewhere?.remove();
});

it('C13: the command in docs/server.md makes a bundle that answers all kinds of requests outside of the project', async () => {
  const document = await readFile(join(root, 'docs/server.md'), 'utf8');
  const [line = ''] = /^npx esbuild .*$/mu.exec(document) ?? [];
  await execa(line.replace(/^npx /u, ''), { cwd: project, shell: true, preferLocal: true, localDir: root });
  await cp(join(project, 'dist/bundle'), join(elsewhere.path, 'dist/bundle'), { recursive: true });
  await cp(join(project, 'migrations'), join(elsewhere.path, 'migrations'), { recursive: true });
  // What is native stays outside.
  await mkdir(join(elsewhere.path, 'node_modules/@photostructure'), { recursive: true });
  for (const name of ['@photostructure/sqlite', 'node-gyp-build']) {
    await symlink(join(root, 'node_modules', name), join(elsewhere.path, 'node_modules', name));
  }

  const collector = await openCollector();
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collector.port}`;
  const untraced = await start(
    elsewhere.path,
    { LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT },
    'dist/bundle/main.js',
  );
  expect(untraced.output()).toContain('npm install @opentelemetry/api@');
  expect(await untraced.stop()).toBe(0);
  expect(collector.received()).toBe('');
  await symlink(join(root, 'node_modules/@opentelemetry'), join(elsewhere.path, 'node_modules/@opentelemetry'));

  const server = await start(elsewhere.path, { LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT }, 'dist/bundle/main.js');
  const { origin } = server;
  const created = await request(origin, 'POST', '/api/articles', { title: 'bundled' });
  expect(created.status, server.output()).toBe(201);
  await request(origin, 'GET', `/api/articles/${created.body.data.id}`);
  const found = await request(origin, 'GET', '/api/articles?filters[title][$eq]=bundled&fields=title');
  expect(found.body.data).toHaveLength(1);

  const post = (path: string, body: object) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' },
      body: JSON.stringify(body),
    });
  const account = { username: 'ann', email: 'ann@example.org', password: 'a long password' };
  const registered = await post('/api/auth/local/register', account);
  expect(registered.status, server.output()).toBe(200);
  expect(registered.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  const { jwt } = (await registered.json()) as { jwt: string };
  expect((await post('/api/auth/local', { identifier: 'ann', password: 'wrong password' })).status).toBe(400);
  const me = await fetch(`${origin}/api/users/me`, { headers: { Authorization: `Bearer ${jwt}` } });
  expect(me.status, server.output()).toBe(200);

  const form = new FormData();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  form.set('files', new Blob([png], { type: 'image/png' }), 'dot.png');
  const uploaded = await fetch(`${origin}/api/upload`, { method: 'POST', body: form });
  expect([200, 201], server.output()).toContain(uploaded.status);
  expect(((await uploaded.json()) as any)[0]).toMatchObject({ width: 1, height: 1 });
  expect(await server.stop()).toBe(0);
  expect(server.output()).not.toContain('error');
  expect(collector.received()).toContain('/api/articles/:id');
  collector.close();
}, 120_000);
