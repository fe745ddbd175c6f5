/** `content-gen import strapi --code`: what becomes of a project's code, that it compiles, and that it answers as in Strapi. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../src/cli/main.ts';
import { temporaryFolder as ownFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { temporaryFolder } from './support/output-project.ts';
import { root } from './support/project.ts';
import { fullAccess, type Send } from './support/full-access.ts';
import { type ServedProject, serveProject } from './support/served-project.ts';
import { readTree, writeTree } from './support/tree.ts';

const PROJECT = join(root, 'fixtures/strapi/code4');
const EXPECTED = join(root, 'fixtures/strapi/code4-expected');

async function importCode(
  cwd: string,
  ...args: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  const text = { out: '', err: '' };
  const io = {
    stdout: { write: (chunk: string) => (text.out += chunk), isTTY: false },
    stderr: { write: (chunk: string) => (text.err += chunk), isTTY: false },
    cwd,
    env: {},
  };
  return { code: await main(['import', 'strapi', ...args, '--code'], io), ...text };
}

describe('the code of a project', () => {
  it('becomes the extensions that are expected, with a report', async () => {
    const cwd = temporaryFolder();
    const { code, out } = await importCode(cwd, PROJECT);
    expect(code).toBe(0);
    const tree = readTree(join(cwd, 'src/extensions'), (path) => path !== 'from-strapi.ts' && path !== 'schedule.ts');
    if (process.env['UPDATE_GOLDEN'] === '1') writeTree(EXPECTED, tree);
    expect(Object.fromEntries(tree)).toEqual(Object.fromEntries(readTree(EXPECTED)));
    expect(out).toContain('3 in part (4 marked places), 1 left');
    expect(out).toContain('line 4: the service plugin::scanner.scan of Strapi is not here');
    // What was translated is no longer listed as something to rewrite.
    expect(out).not.toContain('rewrite');
  });

  it('never replaces extensions unless told to', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'src/extensions'), { recursive: true });
    writeFileSync(join(cwd, 'src/extensions/index.ts'), '// ours\n');
    const refused = await importCode(cwd, PROJECT);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('src/extensions/index.ts exists already') });
    expect(readFileSync(join(cwd, 'src/extensions/index.ts'), 'utf8')).toBe('// ours\n');
    expect(await importCode(cwd, PROJECT, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'src/extensions/index.ts'), 'utf8')).toContain('bookLendingRoutes');
  });
});

/** Parts of the fixture with marks. */
const MARKED = [
  'src/api/search',
  'src/api/book/controllers/scanner.js',
  'src/api/book/routes/scanner.js',
  'src/api/shelf/content-types/shelf/lifecycles.js',
];
describe('translated code', () => {
  let server: ServedProject;
  let send: Send;
  let folder: Awaited<ReturnType<typeof ownFolder>>;
  beforeAll(async () => {
    folder = await ownFolder();
    const cwd = folder.path;
    cpSync(PROJECT, join(cwd, 'old'), { recursive: true });
    for (const path of MARKED) rmSync(join(cwd, 'old', path), { recursive: true });
    expect(await importCode(cwd, 'old')).toMatchObject({ code: 0 });
    server = await serveProject(readFileSync(join(cwd, 'schema.yaml'), 'utf8'), {
      extensions: join(cwd, 'src/extensions'),
    });
    send = await fullAccess(server);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  it('compiles in the strict project', async () => {
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { noEmit: true, composite: false, incremental: false, allowImportingTsExtensions: true },
      references: [],
    };
    writeFileSync(join(server.project, 'tsconfig.check.json'), JSON.stringify(config));
    const { stdout } = await execa(
      'node',
      [join(root, 'node_modules/typescript-7.0/bin/tsc'), '-p', 'tsconfig.check.json'],
      { cwd: server.project, reject: false },
    );
    expect(stdout).toBe('');
  }, 120_000);

  it('runs at startup, in hooks, and in endpoints', async () => {
    const shelves = await send('GET', '/api/shelves');
    expect(shelves.data.map((one: any) => one.attributes.name)).toEqual(['first']);
    const book = await send('POST', '/api/books', { data: { title: 'The Tidy Desk', shelf: 1, publishedAt: null } });
    expect(book.data.attributes.slug).toBe('the-tidy-desk');
    expect((await send('GET', '/api/shelves/2')).data.attributes.name).toBe('of The Tidy Desk');
    const { id } = book.data;
    expect(await send('POST', `/api/books/${id}/lend`, { days: 3 })).toEqual({
      id,
      title: 'The Tidy Desk',
      shelf: 'first',
      days: 3,
    });
    const stored = await send('GET', `/api/books/${id}?publicationState=preview`);
    expect(stored.data.attributes).toMatchObject({ lent: true, lentAt: expect.stringMatching(/^\d{4}-.*Z$/u) });
  });

  it('wraps the generated actions', async () => {
    await send('POST', '/api/shelves', { data: { name: 'a shelf' } });
    const { data, meta } = await send('GET', '/api/shelves');
    expect(data.map((one: any) => one.attributes.name)).toEqual(['a shelf', 'first', 'of The Tidy Desk']);
    expect(meta).toMatchObject({ readAt: expect.any(Number), pagination: { total: 3 } });
    expect(data[0].attributes.size).toBe(7);
    const [first] = (await send('GET', '/api/shelves/biggest')).data;
    expect(first).toEqual({ id: expect.any(Number), attributes: { name: 'a shelf', size: 7 } });
    await expect(send('POST', '/api/shelves', { data: { size: 1 } })).rejects.toThrow('Policy Failed');
  });

  it('stands in place of actions of accounts, and around every request', async () => {
    expect(await send('GET', '/api/users/me')).toEqual({ id: null, from: 'own code' });
    expect(await send('GET', '/api/users/borrowed')).toBe(1);
    const response = await fetch(`${server.origin}/api/books.csv`);
    expect(response.headers.get('x-took')).toMatch(/^\d+ ms$/u);
  });

  it('refuses as in Strapi: by errors, policies and permissions', async () => {
    const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
      const response = await fetch(server.origin + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.text() };
    };
    await expect(send('POST', '/api/books', { data: { title: 'Forbidden' } })).rejects.toThrow('No such book here');
    await expect(send('POST', '/api/books/1/lend', {})).rejects.toThrow('This book is lent');
    await expect(send('POST', '/api/books/77/lend', {})).rejects.toThrow('There is no such book');
    expect(await call('POST', '/api/books/1/lend', {}, {})).toMatchObject({ status: 403 });
    expect(await call('GET', '/api/books/late?days=0&title=The%20Tidy%20Desk')).toEqual({
      status: 200,
      body: expect.stringContaining('"title":"The Tidy Desk"'),
    });
    const csv = await call('GET', '/api/books.csv');
    expect(csv).toEqual({ status: 200, body: '' });
  });
});
