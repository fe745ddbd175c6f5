/** Four generators of clients make code of openapi.json that compiles strictly and drives a server. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from '../support/served-project.ts';
import { ring, schemas, writeDocument } from './documents.ts';
import { installTools, TOOLS } from './tools.ts';

const GENERATORS = ['openapi-typescript', 'hey-api', 'orval', 'kubb'];

const COMPILER_OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
};

let server: ServedProject;

beforeAll(async () => {
  await installTools();
  cpSync(join(import.meta.dirname, 'generate.js'), join(TOOLS, 'generate.js'));
  server = await serveProject(await fixtureSchema('blog'));
});
afterAll(() => server?.close());

async function generate(generator: string, name: string, schema: string): Promise<string> {
  const folder = join(TOOLS, 'generated', name, generator);
  await execa(process.execPath, ['generate.js', generator, await writeDocument(name, schema), folder], { cwd: TOOLS });
  return folder;
}

/** What the compiler says about all files in a folder. */
async function compile(folder: string): Promise<string> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['.'] }));
  const tsc = join(TOOLS, 'node_modules/.bin/tsc');
  return (await execa(tsc, ['-p', folder], { reject: false })).stdout;
}

interface Program {
  drive(origin: string, tag: string): Promise<object>;
}

async function run(program: string, tag: string): Promise<object> {
  const outfile = `${program}.bundle.mjs`;
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({ entryPoints: [program], bundle: true, platform: 'node', format: 'esm', outfile, banner });
  const { drive } = (await import(pathToFileURL(outfile).href)) as Program;
  return drive(server.origin, tag);
}

describe.each(GENERATORS)('%s', (generator) => {
  it.each([...schemas].filter(([name]) => name !== 'blog'))('makes code for %s that compiles', async (name, schema) => {
    expect(await compile(await generate(generator, name, schema))).toBe('');
  });

  it('makes code for the blog that compiles, and drives a server with it', async () => {
    const folder = await generate(generator, 'blog', await fixtureSchema('blog'));
    const program = join(folder, 'program.ts');
    cpSync(join(import.meta.dirname, 'programs', `${generator}.ts`), program);
    expect(await compile(folder)).toBe('');
    expect(await run(program, generator)).toEqual({
      title: 'Waves',
      author: 'Ann',
      tags: [generator],
      total: expect.any(Number),
      refused: 404,
    });
  });

  // Its document describes relations for one step.
  it('makes code for types in a large ring that compiles', async () => {
    expect(await compile(await generate(generator, 'ring', ring(40)))).toBe('');
  });
});

// The other two take longer, with whatever document: for each name they go through all names.
it.each(['openapi-typescript', 'orval'])('%s finishes with 250 types in a ring', async (generator) => {
  const start = performance.now();
  await generate(generator, 'ring-250', ring(250));
  if (process.env['STRICT_TIMES'] === '1') expect(performance.now() - start).toBeLessThan(20_000);
});
