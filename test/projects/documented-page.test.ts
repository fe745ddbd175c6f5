/** The page of docs/client.md, in a browser: it lists, filters, edits and uploads. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { starterSchema } from '../../src/emit/starter/starter-schema.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { PASSWORD } from '../../templates/runtime/test-support/test-project.ts';
import { addAccount, fullAccess } from '../support/full-access.ts';
import { root } from '../support/project.ts';
import { type ServedProject, serveProject } from '../support/served-project.ts';
import { isSkipped, openBrowser } from './admin/browser.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
const COMPILER_OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  noEmit: true,
};

/** The only block of a kind in docs/client.md. */
function documented(info: string): string {
  const text = readFileSync(join(root, 'docs/client.md'), 'utf8');
  const found = new RegExp(`^\`\`\`${info}\\n(?<block>[\\s\\S]*?)^\`\`\`$`, 'mu').exec(text)?.groups?.['block'];
  if (found === undefined) throw new Error(`docs/client.md has no ${info}`);
  return found;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

async function addContent(served: ServedProject): Promise<void> {
  const send = await fullAccess(served);
  const { data: author } = await send('POST', '/api/authors', { data: { name: 'Ada' } });
  await send('POST', '/api/articles', { data: { title: 'Engines', author: author.id } });
  await send('POST', '/api/articles', { data: { title: 'Looms' } });
  await send('POST', '/api/articles', { data: { title: 'Notes', publishedAt: null } });
  await addAccount(send, 'ada', 'editor');
}

describe.skipIf(isSkipped)('the page of docs/client.md', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let served: ServedProject;
  let browser: Browser;
  let pages: Server;
  let address: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    served = await serveProject(await starterSchema({ name: 'blog', database: 'sqlite' }));
    await addContent(served);
    cpSync(join(served.project, 'client'), join(folder.path, 'node_modules/blog-client'), { recursive: true });
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    const program = documented('ts page').replace('http://127.0.0.1:1337', served.origin);
    writeFileSync(join(folder.path, 'main.ts'), program);
    const outfile = join(folder.path, 'main.js');
    const options = { bundle: true, format: 'esm', target: 'es2022' } as const;
    await build({ ...options, entryPoints: [join(folder.path, 'main.ts')], outfile });
    const page = documented('html page').replace('/main.ts', '/main.js');
    pages = createServer(({ url }, response) => {
      if (url === '/main.js') response.setHeader('Content-Type', 'text/javascript').end(readFileSync(outfile));
      else if (url === '/') response.setHeader('Content-Type', 'text/html').end(page);
      else response.writeHead(204).end();
    });
    address = await listen(pages);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await served?.close();
    await folder?.remove();
  });

  it('compiles', async () => {
    const config = join(folder.path, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['main.ts'] }));
    const tsc = join(root, 'node_modules/typescript-7.0/bin/tsc');
    expect((await execa(process.execPath, [tsc, '-p', config], { reject: false })).stdout).toBe('');
  });

  it('lists, filters, edits and uploads', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    const rows = page.locator('#list li');
    const said = page.getByRole('status');
    await page.goto(address);
    await page.getByText('2 articles').waitFor();
    expect(await rows.allTextContents()).toEqual(['Engines, by Ada', 'Looms']);
    await page.getByLabel('Search').fill('loom');
    await page.getByText('1 articles').waitFor();
    expect(await rows.allTextContents()).toEqual(['Looms']);

    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await said.filter({ hasText: 'Signed in.' }).waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByText('3 articles').waitFor();
    await rows.filter({ hasText: 'Notes' }).click();
    await page.getByLabel('Title').fill('Notes on looms');
    const picture = { name: 'loom.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await page.getByLabel('Cover').setInputFiles(picture);
    await page.getByRole('button', { name: 'Save' }).click();
    await said.filter({ hasText: 'Saved.' }).waitFor();
    const image = rows.filter({ hasText: 'Notes on looms' }).locator('img');
    await image.evaluate((shown: any) => shown.decode());
    expect(await page.locator('progress').evaluate(({ value }: any) => value)).toBe(1);
    expect(complaints).toEqual([]);

    await page.getByLabel('Title').fill('x'.repeat(121));
    await page.getByRole('button', { name: 'Save' }).click();
    await said.filter({ hasText: 'title must be at most 120' }).waitFor();
    await page.close();
  });
});
