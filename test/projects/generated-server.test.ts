/** The main job, end to end: the bundled blog is generated, installed, compiled, started and used over HTTP. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { openSqlite } from '../../templates/runtime/src/database/sqlite.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import {
  compile,
  contentGen,
  install,
  recompile,
  request,
  root,
  type RunningServer,
  start,
} from '../support/project.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;
let schema: string;
/** What `npm run server -- token list` printed before the project was compiled. */
let uncompiled: { readonly exitCode?: number | undefined; readonly stdout: string; readonly stderr: string };

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder.path, 'blog');
  schema = join(folder.path, 'schema.yaml');
  await writeFile(schema, await readFile(join(root, 'fixtures/blog/schema.yaml')));
  const built = await contentGen(['build', schema, '--out', project], folder.path);
  expect(built.exitCode, built.stderr).toBe(0);
  await install(project);
  const create = ['run', '--silent', 'server', '--', 'token', 'create', '--name', 'ci', '--type', 'read-only'];
  uncompiled = await execa('npm', create, { cwd: project, env: databaseOf('sources'), reject: false });
  await compile(project);
});

afterAll(() => folder?.remove());

function databaseOf(name: string): Record<string, string> {
  return { DATABASE_URL: `sqlite:./data/${name}.db`, LOG_LEVEL: 'info' };
}

describe('a package that only a setting needs', () => {
  test.each([
    [
      'SMTP_URL',
      { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'blog@example.org', PUBLIC_URL: 'http://localhost' },
      'nodemailer@10',
    ],
    ['metrics', { METRICS_PORT: '0' }, 'prom-client@15'],
    ['metrics of workers', { METRICS_PORT: '0', WORKERS: '2' }, 'prom-client@15'],
  ])('is asked for by a start: %s', async (name, settings, wanted) => {
    const env = { ...databaseOf(`without-${name.replaceAll(' ', '-')}`), ...settings };
    const { exitCode, stderr } = await execa('npm', ['run', '--silent', 'start'], { cwd: project, env, reject: false });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Run npm install ${wanted}, and then start again.`);
  });
});

describe('a generated server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await start(project, databaseOf('http'));
  });
  afterAll(() => server?.stop());

  test('creates, reads, lists, updates and deletes entries with relations', async () => {
    const { origin } = server;
    const tags = [];
    for (const name of ['koa', 'yaml', 'sql']) {
      tags.push((await request(origin, 'POST', '/api/tags', { name })).body.data.id);
    }
    const created = await request(origin, 'POST', '/api/articles?populate=tags', {
      title: 'Ordered lists',
      tags: { connect: [tags[0], { id: tags[1], position: { start: true } }] },
    });
    expect(created.status).toBe(201);
    const { id, attributes } = created.body.data;
    expect(attributes.slug).toBe('ordered-lists');
    expect(attributes.tags.data.map((tag: any) => tag.id)).toEqual([tags[1], tags[0]]);

    const moved = await request(origin, 'PUT', `/api/articles/${id}?populate=tags`, {
      tags: { connect: [{ id: tags[2], position: { before: tags[0] } }] },
    });
    expect(moved.body.data.attributes.tags.data.map((tag: any) => tag.id)).toEqual([tags[1], tags[2], tags[0]]);

    const other = await request(origin, 'GET', `/api/tags/${tags[2]}?populate[articles][fields]=title`);
    expect(other.body.data.attributes.articles.data[0].attributes).toEqual({ title: 'Ordered lists' });

    const list = await request(origin, 'GET', '/api/articles?sort=title:desc&pagination[pageSize]=1');
    expect(list.body.meta.pagination).toEqual({ page: 1, pageSize: 1, pageCount: 1, total: 1 });

    expect((await request(origin, 'DELETE', `/api/articles/${id}`)).status).toBe(200);
    expect((await request(origin, 'GET', `/api/articles/${id}`)).status).toBe(404);
  });

  test('answers every failure in one envelope, with a request id and security headers', async () => {
    const { origin } = server;
    const invalid = await request(origin, 'POST', '/api/articles', { tags: [999], titel: 'x' });
    expect(invalid.status).toBe(400);
    expect(invalid.body.data).toBeNull();
    expect(invalid.body.error.details.errors.map((error: any) => error.path)).toEqual([['title'], ['titel']]);
    const wrongMethod = await request(origin, 'PATCH', '/api/articles');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toBe('HEAD, GET, POST');
    const unknown = await request(origin, 'GET', '/nowhere');
    expect(unknown.body).toEqual({
      data: null,
      error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} },
    });
    expect(unknown.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect(unknown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(unknown.headers.get('x-powered-by')).toBeNull();
    expect(unknown.headers.get('access-control-allow-origin')).toBeNull();
    const text = await fetch(`${origin}/api/articles`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: '{}',
    });
    expect(text.status).toBe(415);
    const large = await fetch(`${origin}/api/articles`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { title: 'x'.repeat(2 ** 20) } }),
    });
    expect(large.status).toBe(413);
  });

  test('logs requests as JSON with their id, and no query string', async () => {
    const answer = await request(server.origin, 'GET', '/api/tags?filters[name]=secret-value');
    const id = answer.headers.get('x-request-id');
    await expect.poll(() => server.output()).toContain(`"requestId":"${id}"`);
    expect(server.output()).not.toContain('secret-value');
  });
});

test('SIGTERM finishes the requests that run', async () => {
  const server = await start(project, databaseOf('stop'));
  const port = Number(new URL(server.origin).port);
  const body = JSON.stringify({ data: { name: 'slow' } });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const slow = httpRequest(
      {
        port,
        method: 'POST',
        path: '/api/tags',
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    slow.on('error', reject);
    slow.write(body.slice(0, 5));
    setTimeout(() => slow.end(body.slice(5)), 600);
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const ended = server.stop();
  expect(await answered).toBe(201);
  expect(await ended).toBe(0);
});

test('all invalid settings are reported, and nothing starts', async () => {
  const { exitCode, stderr } = await execa(process.execPath, ['dist/main.js'], {
    cwd: project,
    reject: false,
    env: { PORT: 'http', DATABASE_URL: 'oracle://x', MIGRATE_ON_START: 'yes', NODE_ENV: 'production' },
  });
  expect(exitCode).toBe(1);
  for (const name of ['PORT', 'DATABASE_URL', 'MIGRATE_ON_START', 'JWT_SECRET']) expect(stderr).toContain(name);
});

test('N09: commands run from the sources where nothing is compiled, or they are newer', async () => {
  expect(uncompiled, uncompiled.stderr).toMatchObject({ exitCode: 0 });
  expect(uncompiled.stdout).toMatch(/^[\w-]{32,}/u);
  const list = () =>
    execa('npm', ['run', '--silent', 'server', '--', 'token', 'list'], { cwd: project, env: databaseOf('sources') });
  expect((await list()).stdout).toContain('ci');
  // From the sources the command would print more.
  const command = join(project, 'src/generated/command.ts');
  const text = await readFile(command, 'utf8');
  await writeFile(command, `${text}process.stdout.write('from the sources');\n`);
  const newer = await list();
  await writeFile(command, text);
  await recompile(project);
  expect(newer.stdout).toContain('from the sources');
  expect((await list()).stdout).not.toContain('from the sources');
});

test('npm run server -- migrate status, down and up', async () => {
  const env = databaseOf('migrate');
  const migrate = (command: string) =>
    execa('npm', ['run', '--silent', 'server', '--', 'migrate', command], { cwd: project, env });
  expect((await migrate('status')).stdout).toContain('pending');
  expect((await migrate('up')).stdout).toContain('0001_');
  expect((await migrate('status')).stdout).not.toContain('pending');
  await migrate('down');
  expect((await migrate('status')).stdout).toContain('pending');
});

// Compressing what is larger than the memory of the process takes its time.
describe('npm run server -- data', { timeout: 240_000 }, () => {
  const MANY = 50_000;
  /** In megabytes: the content has twice as many. */
  const env = (name: string) => ({ ...databaseOf(name), NODE_OPTIONS: '--max-old-space-size=48' });
  let printed: string;
  const data = (name: string, ...args: string[]) =>
    execa(process.execPath, ['dist/generated/command.js', 'data', ...args], {
      cwd: project,
      env: env(name),
      reject: false,
    });

  beforeAll(async () => {
    await execa('npm', ['run', '--silent', 'server', '--', 'migrate', 'up'], { cwd: project, env: databaseOf('many') });
    const database = await openSqlite({ path: join(project, 'data/many.db') });
    await database.script(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
      INSERT INTO articles (title, slug, body, created_at, updated_at)
        SELECT 'title ' || i, 'slug-' || i, hex(randomblob(1000)), '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z' FROM n`);
    await database.close();
    const exported = await data('many', 'export', 'many.jsonl');
    expect(exported, exported.stderr).toMatchObject({ exitCode: 0 });
    printed = exported.stdout;
  });

  test('exports and imports large content with little memory', async () => {
    expect((await stat(join(project, 'many.jsonl'))).size).toBeGreaterThan(2000 * MANY);
    const imported = await data('moved', 'import', 'many.jsonl');
    expect(imported, imported.stderr).toMatchObject({ exitCode: 0 });
    expect(imported.stdout).toBe(printed.replace('Exported', 'Imported'));
  });

  test('N10: the SHA-256 that is printed is that of the file, before it is compressed', async () => {
    const packed = await data('many', 'export', 'packed.jsonl.gz');
    expect(packed.stdout, packed.stderr).toBe(printed);
    const unpacked = gunzipSync(await readFile(join(project, 'packed.jsonl.gz')));
    for (const bytes of [await readFile(join(project, 'many.jsonl')), unpacked]) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(printed).toContain(`sha256 of the file, uncompressed: ${sha256}`);
    }
  });

  test('goes through pipes', async () => {
    const command = 'node dist/generated/command.js data';
    const pipe = `${command} export - | DATABASE_URL=sqlite:./data/piped.db ${command} import -`;
    const { stdout, stderr } = await execa('sh', ['-c', pipe], { cwd: project, env: env('many') });
    expect(stdout).toMatch(/^Imported \d{5,} rows/);
    expect(stderr).toContain(stdout.replace('Imported', 'Exported'));
  });

  /** Interrupts a command once `isBusy`, and sees that it ends as it should. */
  async function interrupt(running: ReturnType<typeof data>, isBusy: () => Promise<boolean>): Promise<void> {
    await expect.poll(isBusy, { timeout: 20_000, interval: 10 }).toBe(true);
    running.kill('SIGINT');
    const { exitCode, stdout, stderr } = await running;
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 130, stdout: '' });
    expect(stderr).toContain('Interrupted: nothing was changed.');
  }

  test('leaves nothing of an export that is interrupted', async () => {
    const before = await readdir(project);
    await interrupt(data('many', 'export', 'stopped.jsonl.gz'), async () =>
      (await readdir(project)).some((name) => name.endsWith('.part')),
    );
    expect(await readdir(project)).toEqual(before);
  });

  test('leaves nothing of an import that is interrupted', async () => {
    const path = join(project, 'data/interrupted.db');
    const running = data('interrupted', 'import', '-');
    // The rest never comes.
    createReadStream(join(project, 'many.jsonl'), { end: 20_000_000 }).pipe(running.stdin, { end: false });
    await interrupt(running, async () => (await stat(`${path}-wal`).catch(() => ({ size: 0 }))).size > 5_000_000);
    const database = await openSqlite({ path });
    expect(await database.all(raw('SELECT id FROM articles LIMIT 1'))).toEqual([]);
    await database.close();
  });
});

test("the project's own tests pass", async () => {
  await execa('npm', ['test'], { cwd: project });
});

test('the own tests of a project in the v5 format pass', async () => {
  const other = await temporaryFolder();
  try {
    const text = `${await readFile(join(root, 'fixtures/blog/schema.yaml'), 'utf8')}\napi: { format: v5 }\n`;
    await writeFile(join(other.path, 'schema.yaml'), text);
    const built = await contentGen(['build', 'schema.yaml', '--out', 'blog'], other.path);
    expect(built.exitCode, built.stderr).toBe(0);
    const modules = ['node_modules', 'runtime/node_modules'].filter((path) => existsSync(join(project, path)));
    for (const path of modules) {
      await cp(join(project, path), join(other.path, 'blog', path), { recursive: true, verbatimSymlinks: true });
    }
    await execa('npm', ['test'], { cwd: join(other.path, 'blog') });
  } finally {
    await other.remove();
  }
});

const EXTENSIONS = `
import { ForbiddenError } from '@content-gen/runtime';
import { defineExtensions } from '../generated/extensions.ts';

export default defineExtensions({
  hooks: {
    article: {
      beforeCreate({ data }) {
        if (data.title === 'forbidden') throw new ForbiddenError();
        return { ...data, title: data.title.trim() };
      },
      afterCreate({ entry }) {
        created.push(entry.attributes.title);
      },
      transform({ entry }) {
        return { ...entry, attributes: { ...entry.attributes, title: entry.attributes.title.toUpperCase() } };
      },
    },
  },
  routes(router) {
    router.get('/api/articles/created', (ctx) => {
      ctx.body = created;
    });
  },
  middleware: [
    async (ctx, next) => {
      await next();
      ctx.set('X-Team', 'ours');
    },
  ],
});

const created: string[] = [];
`;

test('hooks, routes and middleware of the team survive a regeneration', async () => {
  await writeFile(join(project, 'src/extensions/index.ts'), EXTENSIONS);
  const text = await readFile(schema, 'utf8');
  await writeFile(schema, text.replace(/( +)title: .*\n/, '$&$1teaser: { type: string }\n'));
  const built = await contentGen(['build', schema, '--out', project], folder.path);
  expect(built.exitCode, built.stderr).toBe(0);
  expect(await readFile(join(project, 'src/extensions/index.ts'), 'utf8')).toBe(EXTENSIONS);
  await recompile(project);
  const server = await start(project, databaseOf('http'));
  try {
    const { origin } = server;
    expect((await request(origin, 'POST', '/api/articles', { title: 'forbidden' })).status).toBe(403);
    const { body, headers } = await request(origin, 'POST', '/api/articles', { title: ' hello ', teaser: 'new' });
    expect(body.data.attributes).toMatchObject({ title: 'HELLO', teaser: 'new' });
    expect(headers.get('x-team')).toBe('ours');
    expect((await request(origin, 'GET', '/api/articles/created')).body).toEqual(['hello']);
    expect((await request(origin, 'GET', '/api/articles')).body.data[0].attributes.title).toBe('HELLO');
  } finally {
    await server.stop();
  }
});
