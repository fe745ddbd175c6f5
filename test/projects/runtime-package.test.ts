/** A project whose runtime is an installed package: smaller by all of `runtime/`, and moved there and back by one build each. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { compile, contentGen, install, request, root, start } from '../support/project.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;
let packed: string;

const schema = readFileSync(join(root, 'fixtures/blog/schema.yaml'), 'utf8');

async function buildAs(place: 'vendored' | 'package') {
  writeFileSync(join(folder.path, 'schema.yaml'), `runtime: ${place}\n${schema}`);
  return await contentGen(['build', 'schema.yaml', '--out', project], folder.path);
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(join(project, path), edit(readFileSync(join(project, path), 'utf8')));
}

function own(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder.path, 'blog');
  const built = await buildAs('package');
  expect(built.exitCode, built.stderr).toBe(0);
  const { stdout } = await contentGen(['pack', 'runtime', '--out', project], folder.path);
  packed = stdout.split('\n')[0]?.split('/').at(-1) ?? '';
  expect(await readdir(project)).toContain(packed);
  // As `npm install ./content-gen-runtime-….tgz` writes it.
  change('package.json', (text) => text.replace(/("@content-gen\/runtime": )"[^"]+"/u, `$1"file:./${packed}"`));
  await install(project);
  await compile(project);
});
afterAll(() => folder?.remove());

test('is written without the runtime', async () => {
  expect(existsSync(join(project, 'runtime'))).toBe(false);
  for (const path of ['Dockerfile', 'tsconfig.json', 'README.md', 'AGENTS.md', '.gitattributes']) {
    expect(own(path), path).not.toMatch(/\bruntime\b/u);
  }
});

test('migrates, serves its API and its panel, and passes its own tests', async () => {
  const server = await start(project, { DATABASE_URL: 'sqlite:./data/package.db' });
  try {
    const { status } = await request(server.origin, 'POST', '/api/tags', { name: 'koa' });
    expect(status).toBe(201);
    expect((await request(server.origin, 'GET', '/api/tags?sort=id')).body.data).toHaveLength(1);
    expect((await fetch(`${server.origin}/admin/`)).status).toBe(200);
  } finally {
    await server.stop();
  }
  const status = await execa('npm', ['run', '--silent', 'server', '--', 'migrate', 'status'], {
    cwd: project,
    env: { DATABASE_URL: 'sqlite:./data/package.db' },
  });
  expect(status.stdout).toContain('applied');
  await execa('npm', ['test'], { cwd: project });
});

test('moves into the project and out of it, and keeps what a team has written', async () => {
  const { exitCode, stderr } = await contentGen(['eject', 'runtime', '--out', project], folder.path);
  expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('`runtime: vendored`')]);
  change('package.json', (text) =>
    text
      .replace('"scripts": {', '"scripts": {\n    "mine": "echo mine",')
      .replace('"tsc -b"', '"tsc -b && echo built"'),
  );
  change('Dockerfile', (text) => text.replace('EXPOSE 1337', 'LABEL team=mine\nEXPOSE 1337'));
  change('README.md', (text) => `${text}\nOur own words.\n`);
  const before = { package: own('package.json'), docker: own('Dockerfile'), readme: own('README.md') };

  const moved = await buildAs('vendored');
  expect([moved.exitCode, moved.stderr]).toEqual([0, '']);
  expect(JSON.parse(own('package.json'))).toMatchObject({
    workspaces: ['runtime'],
    scripts: { mine: 'echo mine', build: 'tsc -b && echo built', start: 'node runtime/bin/command.js start' },
    dependencies: { '@content-gen/runtime': '*' },
  });
  expect(own('Dockerfile')).toMatch(/COPY runtime runtime[\s\S]*LABEL team=mine/u);
  await install(project);
  await compile(project);
  const server = await start(project, { DATABASE_URL: 'sqlite:./data/package.db' });
  expect((await request(server.origin, 'GET', '/api/tags')).body.data).toHaveLength(1);
  await server.stop();

  const back = await buildAs('package');
  expect([back.exitCode, back.stderr]).toEqual([0, '']);
  expect(existsSync(join(project, 'runtime/package.json'))).toBe(false);
  expect(own('Dockerfile')).toBe(before.docker);
  expect(own('README.md')).toBe(before.readme);
  const version = /^content-gen-runtime-(?<version>.*)\.tgz$/u.exec(packed)?.groups?.['version'];
  expect(own('package.json')).toBe(before.package.replace(`file:./${packed}`, version ?? ''));
});

test('says what it can not change, and changes nothing of an ejected runtime', async () => {
  change('package.json', (text) => text.replace('content-gen-server start', 'pm2 start dist/main.js'));
  const moved = await buildAs('vendored');
  expect(moved.exitCode).toBe(0);
  expect(moved.stderr).toContain('package.json was changed where it says where the runtime is');
  expect((await contentGen(['eject', 'runtime', '--out', project], folder.path)).exitCode).toBe(0);
  const refused = await buildAs('package');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('runtime/ was ejected');
  expect(existsSync(join(project, 'runtime/src/index.ts'))).toBe(true);
});
