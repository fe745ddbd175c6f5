/**
 * The examples in README.md and docs/: modules compile against the project that `content-gen init` makes, and requests are answered
 * by its server.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    [...blocksOf('ts extensions'), ...scripts].map((block, index) => [`${block.document} ${index}`, block] as const),
  )('compiles %s', async (_name, block) => {
    const { info, text } = block;
    const path = join(project, info === 'ts script' ? `src/${pageOf(block)}.ts` : 'src/extensions/index.ts');
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
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
      ['run', '--silent', 'token', '--', 'create', '--name', 'page', '--type', 'full-access'],
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
