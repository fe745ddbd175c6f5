/** The sites of the documentation, run as it prints them: a site of Next that is told what to read again, and one that is built. */
import { spawn } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort, untilListening } from '../templates/runtime/test-support/free-port.ts';
import { definition } from '../templates/runtime/test-support/projects/cached/src/generated/app.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import {
  createToken,
  openProject,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { SECRET } from '../templates/runtime/test-support/webhook-receiver.ts';

const require = createRequire(import.meta.url);

/** What Next 16 declares of the functions that the documentation uses. */
const NEXT_CACHE = `declare module 'next/cache' {
  export function revalidateTag(tag: string, profile: string | { expire?: number }): undefined;
  export function cacheTag(...tags: string[]): void;
  export function cacheLife(profile: 'default' | 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'max'): void;
}`;

/** The code of a document that begins with the name of its file. */
async function documented(document: string, file: string): Promise<string> {
  const text = await readFile(new URL(`../docs/${document}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```(?:ts|js)\n(?<code>.*?)```/gsu)].map(({ groups }) => groups?.['code'] ?? '');
  const code = blocks.find((block) => block.startsWith(`// ${file}`));
  if (code === undefined) throw new Error(`docs/${document} has no ${file}`);
  return code;
}

/** Runs a module of the site with these functions of Next. */
async function siteModule(file: string, next: object): Promise<any> {
  const code = await documented('cache-tags.md', file);
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports = {};
  const load = (name: string): unknown => (name === 'next/cache' ? next : require(name));
  // oxlint-disable-next-line no-implied-eval, no-new-func
  new Function('exports', 'require', outputText)(exports, load);
  return exports;
}

/** The data cache of Next, as far as the site uses it: by the arguments of a function, dropped by tags. */
function dataCache() {
  const kept = new Map<string, { readonly value: unknown; readonly tags: readonly string[] }>();
  let tags: string[] = [];
  return {
    next: {
      revalidateTag(tag: string, profile: { expire: number }) {
        expect(profile).toEqual({ expire: 0 });
        for (const [key, one] of kept) if (one.tags.includes(tag)) kept.delete(key);
      },
      cacheTag: (...more: string[]) => void tags.push(...more),
      cacheLife: () => {},
    },
    async read(path: string, content: (path: string) => Promise<any>): Promise<any> {
      const found = kept.get(path);
      if (found) return found.value;
      tags = [];
      const value = await content(path);
      kept.set(path, { value, tags });
      return value;
    },
  };
}

let project: TestProject;
let server: TestServer;
let closeSite: () => Promise<unknown>;
let admin: string;
let build: { readonly folder: string; readonly port: number; stop(): Promise<unknown> };
const cache = dataCache();

/** The program that builds a site, which notes each build in a file. */
async function startBuilder(port: number): Promise<typeof build> {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, 'build-hook.mjs'), await documented('webhooks.md', 'build-hook.mjs'));
  await symlink(new URL('../node_modules', import.meta.url), join(folder.path, 'node_modules'));
  const child = spawn(process.execPath, ['build-hook.mjs'], {
    cwd: folder.path,
    env: { ...process.env, PORT: String(port), SITE_SECRET: SECRET, BUILD_COMMAND: 'sleep 0.2; echo built >> builds' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await untilListening(port);
  return {
    folder: folder.path,
    port,
    async stop() {
      child.kill();
      await ended;
      await folder.remove();
    },
  };
}

beforeAll(async () => {
  const { POST } = await siteModule('app/api/revalidate/route.ts', cache.next);
  const site = createServer((request, response) => {
    const body = Readable.toWeb(request) as ReadableStream;
    const headers = new Headers(request.headers as Record<string, string>);
    const asked = new Request('http://site/api/revalidate', { method: 'POST', headers, body, duplex: 'half' });
    void (POST as (asked: Request) => Promise<Response>)(asked).then(({ status }) => response.writeHead(status).end());
  });
  const [sitePort, buildPort] = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => site.listen(sitePort, '127.0.0.1', resolve));
  closeSite = () => new Promise((resolve) => site.close(resolve));
  build = await startBuilder(buildPort);
  project = await openProject({
    ...definition,
    webhooks: [
      { url: 'SITE', secret: 'SITE_SECRET', cache: 'next', events: ['cache.purge'], types: [] },
      { url: 'BUILD', secret: 'SITE_SECRET', events: ['entry.publish', 'entry.update'], types: ['article'] },
    ],
  });
  server = await project.start({
    SITE: `http://127.0.0.1:${sitePort}/api/revalidate`,
    BUILD: `http://127.0.0.1:${buildPort}/`,
    SITE_SECRET: SECRET,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
  const database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  await closeSite?.();
  await build?.stop();
  await project?.remove();
});

it('compiles against what Next declares', async () => {
  const files = new Map<string, string>([
    ['/site/next.d.ts', NEXT_CACHE],
    ['/site/process.d.ts', 'declare const process: { env: Record<string, string | undefined> };'],
    [
      '/site/standardwebhooks.d.ts',
      `declare module 'standardwebhooks' { export class Webhook { constructor(secret: string); verify(text: string, headers: Record<string, string>): unknown } }`,
    ],
  ]);
  for (const file of ['app/api/revalidate/route.ts', 'lib/content.ts']) {
    files.set(`/site/${file}`, await documented('cache-tags.md', file));
  }
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile: read } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? read(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version as ts.ScriptTarget);
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

it('reads again what a write has changed, and nothing else', async () => {
  vi.stubEnv('SITE_SECRET', SECRET);
  vi.stubEnv('CONTENT_URL', server.origin);
  const { content } = await siteModule('lib/content.ts', cache.next);
  const make = async (name: string) =>
    (await server.send('POST', '/api/authors', { token: admin, body: { data: { name } } })).body.data.id;
  const [first, second] = [await make('first'), await make('second')];
  const read = async (id: number) => cache.read(`authors/${id}`, content);
  let count = 0;
  /** Whether the other entry is kept while one is changed. */
  const keepsOther = async (): Promise<boolean> => {
    const other = await read(second);
    const name = `changed ${(count += 1)}`;
    await read(first);
    await server.send('PUT', `/api/authors/${first}`, { token: admin, body: { data: { name } } });
    await vi.waitFor(async () => expect((await read(first)).data.attributes.name).toBe(name), { timeout: 30_000 });
    return (await read(second)) === other;
  };
  // Their creation is told, too, maybe after the first read, and maybe again.
  await vi.waitFor(async () => expect(await keepsOther()).toBe(true), { timeout: 30_000 });
});

it('takes nothing that is not signed', async () => {
  for (const target of [await siteModule('app/api/revalidate/route.ts', cache.next)]) {
    const asked = new Request('http://site/', { method: 'POST', body: '{"event":"cache.purge","tags":["one"]}' });
    expect((await target.POST(asked)).status).toBe(401);
  }
  const { status } = await fetch(`http://127.0.0.1:${build.port}/`, { method: 'POST', body: '{}' });
  expect(status).toBe(401);
});

it('builds the site once after several changes, and once more for those that came meanwhile', async () => {
  const builds = async () =>
    (await readFile(join(build.folder, 'builds'), 'utf8').catch(() => '')).split('\n').length - 1;
  for (let count = 0; count < 6; count += 1) {
    const data = { title: `title ${count}`, publishedAt: new Date().toISOString() };
    await server.send('POST', '/api/articles', { token: admin, body: { data } });
  }
  await vi.waitFor(async () => expect(await builds()).toBeGreaterThanOrEqual(2), { timeout: 10_000 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await builds()).toBeLessThan(6);
});
