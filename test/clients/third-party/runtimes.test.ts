/** The client of a generated server in Node, Bun, Deno and a browser: fixtures/magazine/frontend.ts, as a frontend has it. */
import { cp, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pngOf } from '../../../templates/runtime/test-support/upload-server.ts';
import { root } from '../../support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from '../../support/served-project.ts';
import { INSTALLED, installThirdParty } from './installed.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const PNG = [...pngOf(40, 30)];

/** Prints what the frontend has done. */
const PROGRAM = `import { reads, session, uploads } from './frontend.ts';
import process from 'node:process';
const api = process.argv.at(-1);
const read = await reads(api);
const uploaded = await uploads(api, new Uint8Array(${JSON.stringify(PNG)}));
console.log(JSON.stringify({ headlines: read.headlines, walked: read.walked, me: (await session(api))[0], ...uploaded }));
`;

const EXPECTED = {
  headlines: ['Tides & waves by Ann', 'Ships by Ann'],
  walked: ['Tides & waves', 'Ships', 'Ports'],
  me: 'ann',
  progress: 1,
  cover: 'the sea',
  caption: 'waves',
  found: 1,
  deleted: 'sea.png',
};

let schema: string;

beforeAll(async () => {
  await installThirdParty();
  schema = `${await fixtureSchema('magazine')}\n  authenticated:\n    extends: public\n    users: [me]\n`;
});

/** Each runtime has a server of its own, as they all do the same. */
async function withServer<T>(work: (server: ServedProject) => Promise<T>): Promise<T> {
  const server = await serveProject(schema);
  try {
    await cp(join(root, 'fixtures/magazine/frontend.ts'), join(server.project, 'frontend.ts'));
    await writeFile(join(server.project, 'program.ts'), PROGRAM);
    return await work(server);
  } finally {
    await server.close();
  }
}

const DENO_FLAGS = ['run', '--no-check', '--no-config', '--allow-net', '--allow-read'];

/** How each runs the program: as it is, or what esbuild makes of it. */
const RUNTIMES: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  node: [process.execPath, 'program.mjs'],
  bun: [join(INSTALLED, 'node_modules/.bin/bun'), 'run', 'program.ts'],
  deno: [join(INSTALLED, 'node_modules/.bin/deno'), ...DENO_FLAGS, 'program.ts'],
};

it.each(Object.entries(RUNTIMES))('runs in %s', async (_name, [command, ...args]) => {
  await withServer(async ({ project, origin }) => {
    const [entry, outfile] = [join(project, 'program.ts'), join(project, 'program.mjs')];
    await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile });
    const { stdout } = await execa(command, [...args, `${origin}/api`], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});

/** What is used of playwright-core, which is installed beside the clients. */
interface Browsers {
  readonly chromium: {
    launch(options: object): Promise<{
      newPage(): Promise<{
        goto(url: string): Promise<unknown>;
        addScriptTag(script: { readonly path: string }): Promise<unknown>;
        evaluate<T>(text: string): Promise<T>;
      }>;
      close(): Promise<void>;
    }>;
  };
}

it.skipIf(!existsSync(CHROMIUM))(
  `runs in a browser (skipped without ${CHROMIUM}; CHROMIUM names another)`,
  async () => {
    const { chromium } = createRequire(join(INSTALLED, 'package.json'))('playwright-core') as Browsers;
    const site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<title>x'));
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    afterAll(() => void site.close());
    await withServer(async ({ project, origin }) => {
      const outfile = join(project, 'frontend.js');
      await build({ entryPoints: [join(project, 'frontend.ts')], bundle: true, globalName: 'frontend', outfile });
      const args = [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ];
      const browser = await chromium.launch({ executablePath: CHROMIUM, args });
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
        await page.addScriptTag({ path: outfile });
        const api = JSON.stringify(`${origin}/api`);
        const { headlines, walked } = await page.evaluate<typeof EXPECTED>(`frontend.reads(${api})`);
        // Progress is told by XMLHttpRequest here.
        const uploaded = await page.evaluate<object>(
          `frontend.uploads(${api}, new Uint8Array(${JSON.stringify(PNG)}))`,
        );
        const [me] = await page.evaluate<readonly unknown[]>(`frontend.session(${api})`);
        expect({ headlines, walked, me, ...uploaded }).toEqual(EXPECTED);
      } finally {
        await browser.close();
      }
    });
  },
);
