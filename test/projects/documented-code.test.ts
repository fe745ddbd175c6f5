/**
 * The examples in README.md and docs/: modules compile against the project that `content-gen init` makes, and requests are answered
 * by its server.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../templates/runtime/src/database/dialect.ts';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { type Block, blocks, blocksOf } from '../support/document-examples.ts';
import { compile, contentGen, install, root, type RunningServer, start } from '../support/project.ts';

const run = promisify(execFile);

describe('in a new project', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let project: string;
  let server: RunningServer | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    project = join(folder.path, 'blog');
    expect(await contentGen(['init', 'blog'], folder.path)).toMatchObject({ exitCode: 0 });
    await install(project);
  });
  afterAll(async () => {
    await server?.stop();
    await folder?.remove();
  });

  const scripts = blocksOf('ts script');
  const pageOf = (block: Block) => `page-${scripts.indexOf(block)}`;

  it.each(
    [...blocksOf('ts extensions', 'ts panel'), ...scripts].map(
      (block, index) => [`${block.document} ${index}`, block] as const,
    ),
  )('compiles %s', async (_name, block) => {
    const { info, text } = block;
    const own = info === 'ts panel' ? 'src/extensions/admin/index.ts' : 'src/extensions/index.ts';
    const path = join(project, info === 'ts script' ? `src/${pageOf(block)}.ts` : own);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const compiled = await run(join(root, 'node_modules/typescript-7.0/bin/tsc'), ['--noEmit', '-p', '.'], {
      cwd: project,
    }).catch((error: { stdout: string }) => ({ stdout: error.stdout }));
    if (before !== '') writeFileSync(path, before);
    expect(compiled.stdout).toBe('');
  });

  it('answers the requests of docs/queries.md, and runs all scripts', async () => {
    await compile(project);
    const database = {
      DATABASE_URL: `sqlite:${join(folder.path, 'docs.db')}`,
      JWT_SECRET: 'x'.repeat(8) + 'abcdefghijklmnopqrstuvwxyz',
    };
    server = await start(project, database);
    const { origin } = server;
    const commands = blocks.filter(
      ({ document, info }) => document === 'docs/queries.md' && /^sh(?: setup)?$/.test(info),
    );
    const script = commands.map(({ text }) => text.replaceAll('http://127.0.0.1:1337', origin)).join('\n');
    const program = `set -e\ncurl() { command curl --fail-with-body "$@" && echo; }\ncd '${project}'\n${script}`;
    const env = { ...process.env, ...database };
    const { stdout } = await run('bash', ['-c', program], { env, timeout: 60_000 }).catch((error: any) =>
      expect.fail(`${error.stdout}\n${error.stderr}`),
    );
    expect(stdout.split('\n').filter((line) => line.startsWith('{')).length).toBeGreaterThan(30);

    const { stdout: token } = await run(
      'npm',
      ['run', '--silent', 'server', '--', 'token', 'create', '--name', 'page', '--type', 'full-access'],
      { cwd: project, env },
    );
    const printed = new Map<string, string>();
    for (const block of scripts) {
      const page = join(project, 'dist', `${pageOf(block)}.js`);
      writeFileSync(page, readFileSync(page, 'utf8').replaceAll('http://127.0.0.1:1337', origin));
      const { stdout: said } = await run(process.execPath, [page], { env: { ...env, TOKEN: token.trim() } });
      printed.set(block.document, `${printed.get(block.document) ?? ''}${said}`);
    }
    expect(printed.get('docs/getting-started.md')).toContain('Hello');
    const told = printed.get('docs/client.md');
    for (const part of ['Hello', 'total: ', 'koa', 'name must be at most 40', 'wrong address', '100 %']) {
      expect(told).toContain(part);
    }
  });
});

describe('SQL of a team in docs/migrations.md', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let project: string;
  const [schema] = blocksOf('yaml own-sql');
  const engines = testedEngines();

  /** The examples for an engine. SQLite stores moments as text, as the document says. */
  const sqlFor = (dialect: DialectName): string => {
    const sql = blocksOf('sql own-sql', `sql own-sql ${dialect}`).map(({ text }) => text);
    const moments =
      dialect === 'sqlite'
        ? sql.map((text) => text.replaceAll("2024-05-01 12:00:00'", "2024-05-01T12:00:00.000Z'"))
        : sql;
    return moments.join('');
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    project = join(folder.path, 'desk');
    writeFileSync(join(folder.path, 'desk.yaml'), schema?.text ?? '');
    expect(await contentGen(['build', 'desk.yaml', '--out', 'desk'], folder.path)).toMatchObject({ exitCode: 0 });
    expect(await contentGen(['migrations', 'new', 'own', '--out', 'desk'], folder.path)).toMatchObject({ exitCode: 0 });
    const own = readdirSync(join(project, 'migrations')).find((name) => name.startsWith('0002_')) ?? '';
    for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
      writeFileSync(join(project, 'migrations', own, dialect, 'up.sql'), sqlFor(dialect));
      writeFileSync(join(project, 'migrations', own, dialect, 'down.sql'), '-- nothing to do\n');
    }
    expect(await contentGen(['migrations', 'seal', '--out', 'desk'], folder.path)).toMatchObject({ exitCode: 0 });
    await install(project);
    await compile(project);
  });
  afterAll(() => folder?.remove());

  it('leaves entries that the server reads, writes and adds to, on each database', async () => {
    for (const dialect of await engines) {
      const database = dialect === 'sqlite' ? undefined : await createDatabase(dialect, 'documented_sql');
      const DATABASE_URL = database?.url ?? `sqlite:${join(folder.path, 'own.db')}`;
      const env = { DATABASE_URL, JWT_SECRET: 'x'.repeat(8) + 'abcdefghijklmnopqrstuvwxyz' };
      const server = await start(project, env);
      try {
        const made = ['run', '--silent', 'server', '--', 'token', 'create', '--name', 'own', '--type', 'full-access'];
        const { stdout: token } = await run('npm', made, { cwd: project, env: { ...process.env, ...env } });
        const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' };
        const send = async (path: string, method = 'GET', data?: unknown): Promise<any> => {
          const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
          const answer = await fetch(`${server.origin}/api/${path}`, { method, headers, ...body });
          expect([dialect, path, answer.status < 300 || (await answer.text())]).toStrictEqual([dialect, path, true]);
          return ((await answer.json()) as any).data;
        };
        const all = 'populate[author]=true&populate[readers]=true&populate[mentions]=true&populate[seo][populate]=*';
        const article = await send(`articles/darticle0000000000000one?status=draft&${all}`);
        expect(article).toMatchObject({
          title: 'Hello',
          author: { name: 'Ada' },
          readers: [{ name: 'Bob' }, { name: 'Ada' }],
          mentions: [{ name: 'Bob' }, { title: 'Bonjour' }],
          seo: { id: expect.any(Number), metaTitle: 'Hello', experts: [{ name: 'Ada' }] },
        });
        const { seo } = article;
        const changed = { seo: { id: seo.id, metaTitle: 'New' }, readers: { connect: ['dauthor00000000000000ada'] } };
        await send('articles/darticle0000000000000one', 'PUT', changed);
        const again = await send(`articles/darticle0000000000000one?status=draft&${all}`);
        expect(again.seo).toMatchObject({ id: seo.id, metaTitle: 'New', experts: [{ name: 'Ada' }] });
        const added = await send('articles?populate=seo', 'POST', { title: 'Next', seo: { metaTitle: 'Next' } });
        expect(added.id).toBeGreaterThan(21);
        expect(added.seo.id).toBeGreaterThan(seo.id);
        expect((await send('authors', 'POST', { name: 'Cid' })).id).toBeGreaterThan(11);
      } finally {
        await server.stop();
        await database?.drop();
      }
    }
  }, 120_000);
});
