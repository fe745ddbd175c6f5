/** Four generators of clients make code of openapi.json that compiles strictly and drives a server. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Description } from '../../templates/runtime/src/server/describe.ts';
import { splitByTags } from '../../templates/runtime/src/server/describe-part.ts';
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

/** Generates clients of some documents in one process; returns their folder, which has one for each document if there are several. */
async function generate(generator: string, name: string, documents: readonly string[]): Promise<string> {
  const folder = join(TOOLS, 'generated', name, generator);
  // kubb renders with React, whose development build takes several times as long.
  const env = { NODE_ENV: 'production' };
  await execa(process.execPath, ['generate.js', generator, folder, ...documents], { cwd: TOOLS, env });
  return folder;
}

/** Generates the client of a schema's whole document. */
async function generateClient(generator: string, name: string, schema: string): Promise<string> {
  return generate(generator, name, [await writeDocument(name, schema)]);
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
    expect(await compile(await generateClient(generator, name, schema))).toBe('');
  });

  it('makes code for the blog that compiles, and drives a server with it', async () => {
    const folder = await generateClient(generator, 'blog', await fixtureSchema('blog'));
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
    expect(await compile(await generateClient(generator, 'ring', ring(40)))).toBe('');
  });
});

/** Checked where nothing else runs: figures depend on the machine. */
function expectQuick(start: number): void {
  if (process.env['STRICT_TIMES'] === '1') expect(performance.now() - start).toBeLessThan(20_000);
}

it.each(['openapi-typescript', 'orval'])('%s finishes with 250 types in a ring', async (generator) => {
  const document = await writeDocument('ring-250', ring(250));
  const start = performance.now();
  await generate(generator, 'ring-250', [document]);
  expectQuick(start);
});

// The time that these take grows with the square of the number of operations and schemas, whatever they contain.
it.each(['hey-api', 'kubb'])('%s finishes with 250 types in a ring, split as --split 10 does', async (generator) => {
  const whole = JSON.parse(readFileSync(await writeDocument('ring-250', ring(250)), 'utf8')) as Description;
  const documents = splitByTags(whole, 10).map((part, index) => {
    const path = join(TOOLS, 'documents', `ring-250.${index + 1}.json`);
    writeFileSync(path, JSON.stringify(part));
    return path;
  });
  expect(documents.length).toBeGreaterThan(20);
  const start = performance.now();
  const folder = await generate(generator, 'ring-250', documents);
  // kubb takes 20 to 40 s.
  if (generator === 'hey-api') expectQuick(start);
  expect(await compile(join(folder, '2'))).toBe('');
});
