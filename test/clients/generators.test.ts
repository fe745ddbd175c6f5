/** Generators of clients make code of openapi.json that compiles strictly and drives a server. */
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
import { installTools, installTools22, TOOLS, TOOLS_22 } from './tools.ts';

/** A generator: its name in `generate.js` and `programs/`, the folder where it is installed, and the Node that it runs on. */
interface Generator {
  readonly name: string;
  readonly tools: string;
  readonly node: string;
}

const NODE_22 = join(TOOLS_22, 'node_modules/node/bin/node');

function oldest(name: string): Generator {
  return { name, tools: TOOLS, node: process.execPath };
}

function newest(name: string): Generator {
  return { name, tools: TOOLS_22, node: NODE_22 };
}

/** The last major versions that run on Node 20, and newer ones on Node 22. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript 7': oldest('openapi-typescript'),
  'hey-api 0.95': oldest('hey-api'),
  'hey-api 0.99': newest('hey-api'),
  'orval 7': oldest('orval'),
  'orval 8': newest('orval'),
  'kubb 4': oldest('kubb'),
};

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
  await installTools22();
  for (const folder of [TOOLS, TOOLS_22]) {
    cpSync(join(import.meta.dirname, 'generate.js'), join(folder, 'generate.js'));
  }
  server = await serveProject(await fixtureSchema('blog'));
});
afterAll(() => server?.close());

/** Generates a client of each document in one process, into FOLDER/1, FOLDER/2 and so on, or into FOLDER if it is one document. */
async function generate({ name, tools, node }: Generator, folder: string, documents: readonly string[]): Promise<void> {
  // kubb renders with React, whose development build takes several times as long.
  const env = { NODE_ENV: 'production' };
  await execa(node, ['generate.js', name, folder, ...documents], { cwd: tools, env });
}

function folderOf(generator: string, schema: string): string {
  return join(TOOLS, 'generated', schema, generator.replaceAll(/\W/gu, '-'));
}

/** Generates the client of a schema's whole document; returns its folder. */
async function generateClient(label: string, schema: string, text: string): Promise<string> {
  const folder = folderOf(label, schema);
  await generate(GENERATORS[label]!, folder, [await writeDocument(schema, text)]);
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

/** Generators with a newer version that makes similar code: tried on fewer schemas. */
const OLDER = ['hey-api 0.95', 'orval 7'];

describe.each(Object.keys(GENERATORS))('%s', (generator) => {
  const isOlder = OLDER.includes(generator);
  const others = [...schemas].filter(([name]) => name !== 'blog' && !(isOlder && name.startsWith('every-')));

  it.each(others)('makes code for %s that compiles', async (name, schema) => {
    expect(await compile(await generateClient(generator, name, schema))).toBe('');
  });

  it('makes code for the blog that compiles, and drives a server with it', async () => {
    const folder = await generateClient(generator, 'blog', await fixtureSchema('blog'));
    const program = join(folder, 'program.ts');
    cpSync(join(import.meta.dirname, 'programs', `${GENERATORS[generator]!.name}.ts`), program);
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
  it.skipIf(isOlder)('makes code for types in a large ring that compiles', async () => {
    expect(await compile(await generateClient(generator, 'ring', ring(40)))).toBe('');
  });
});

/** Checked where nothing else runs: figures depend on the machine. */
function expectQuick(start: number): void {
  if (process.env['STRICT_TIMES'] === '1') expect(performance.now() - start).toBeLessThan(20_000);
}

const WHOLE = Object.keys(GENERATORS).filter((generator) => !['hey-api 0.95', 'kubb 4'].includes(generator));

it.each(WHOLE)('%s finishes with 250 types in a ring', async (generator) => {
  const document = await writeDocument('ring-250', ring(250));
  const start = performance.now();
  await generate(GENERATORS[generator]!, folderOf(generator, 'ring-250'), [document]);
  expectQuick(start);
});

/** The document of 250 types in a ring, as `--split 5` writes it. */
async function writeParts(): Promise<readonly string[]> {
  const whole = JSON.parse(readFileSync(await writeDocument('ring-250', ring(250)), 'utf8')) as Description;
  return splitByTags(whole, 5).map((part, index) => {
    const path = join(TOOLS, 'documents', `ring-250.${index + 1}.json`);
    writeFileSync(path, JSON.stringify(part));
    return path;
  });
}

// Its run time grows with the square of the number of operations and schemas, whatever they contain.
it('kubb 4 finishes with 250 types in a ring, split as --split 5 does, in two processes', async () => {
  const documents = await writeParts();
  expect(documents.length).toBeGreaterThan(50);
  const folder = folderOf('kubb 4', 'ring-250');
  const start = performance.now();
  await Promise.all(
    [0, 1].map((rest) => {
      const share = documents.filter((_document, index) => index % 2 === rest);
      return generate(GENERATORS['kubb 4']!, join(folder, String(rest)), share);
    }),
  );
  expectQuick(start);
  expect(await compile(join(folder, '0/2'))).toBe('');
});
