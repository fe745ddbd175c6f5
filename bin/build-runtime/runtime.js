// Builds templates/runtime into the package for projects (readable modules by layer, and their types),
// and templates/client.
// `node bin/build-runtime/runtime.js [--check] [--out FOLDER]`. If the inputs are unchanged, it skips the build; if they have
// changed, `--check` fails. Builds are reproducible: they depend only on the sources and the versions in package-lock.json.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import {
  ASSETS,
  assets,
  BANNER,
  CLIENT,
  CLIENT_SOURCE,
  FOLDER,
  nameOf,
  PACKAGE,
  packages,
  publicEntries,
  readJson,
  ROOT,
  SOURCE,
} from './runtime-source.js';

/** Lists the built files with their hashes, and the features that need them. */
const CONTENTS = 'contents.json';

/** The folder of the built client. */
const CLIENT_FOLDER = 'client';

function byText(a, b) {
  return a < b ? -1 : 1;
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

/** The hash of everything that the output depends on. */
function inputsHash() {
  const hash = createHash('sha256');
  const own = readdirSync(import.meta.dirname).map((file) => join(import.meta.dirname, file));
  const source = [...sourcesIn(SOURCE), ...sourcesIn(CLIENT_SOURCE)];
  const copied = [...assets.values()].map((asset) => asset.source);
  const settings = ['package.json', 'modules.json', 'tsconfig.json'].map((file) => join(PACKAGE, file));
  const client = join(CLIENT, 'tsconfig.json');
  for (const file of [...own, ...settings, client, ...source, ...copied, join(ROOT, 'package-lock.json')].sort(
    byText,
  )) {
    hash.update(
      `${relative(ROOT, file).split(sep).join('/')}\0${readFileSync(file, 'utf8').replaceAll('\r\n', '\n')}\0`,
    );
  }
  return hash.update(BANNER).digest('hex');
}

function isBuilt(out, inputs) {
  try {
    return readJson(join(out, CONTENTS)).inputs === inputs;
  } catch {
    return false;
  }
}

/** The hashes that builds of projects compare a file with: see `shapeHash`. Assets only have a content hash. */
async function hashesOf(path, text) {
  const { hashText } = await import('../../dist/files/hash.js');
  const { shapeHash } = await import('../../dist/output/shape.js');
  return { content: hashText(text), shape: assets.has(path) ? undefined : shapeHash(path, text) };
}

/** The name of the module that a built file belongs to: `query` for `lib/query.js`. */
function moduleOf(path) {
  return assets.get(path)?.module ?? path.replace(/^lib\//u, '').replace(/\.(?:d\.ts|js)$/u, '');
}

async function build(out, inputs) {
  const { buildCode } = await import('./runtime-code.js');
  const { buildTypes } = await import('./runtime-types.js');
  const { buildClient } = await import('./client.js');
  const [code, types, client] = await Promise.all([buildCode(), buildTypes(), buildClient()]);
  const copied = [...assets].map(([path, { source }]) => [path, readFileSync(source, 'utf8')]);
  const files = [...code.files, ...types, ...copied, ...client].sort(([a], [b]) => byText(a, b));
  for (const path of [FOLDER, ASSETS, CLIENT_FOLDER, CONTENTS]) {
    rmSync(join(out, path), { recursive: true, force: true });
  }
  mkdirSync(join(out, FOLDER), { recursive: true });
  const hashes = { runtime: {}, client: {} };
  for (const [path, text] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
    const built = await hashesOf(path, text);
    if (client.has(path)) hashes.client[path] = built;
    else hashes.runtime[path] = { module: moduleOf(path), ...built };
  }
  const exports = Object.fromEntries(Object.keys(publicEntries).map((entry) => [entry, nameOf(entry)]));
  const contents = {
    inputs,
    exports,
    modules: code.modules,
    packages,
    files: hashes.runtime,
    client: hashes.client,
  };
  // Written last: it marks the build as complete.
  writeFileSync(join(out, CONTENTS), `${JSON.stringify(contents, undefined, 2)}\n`);
}

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(PACKAGE, 'dist') }, check: { type: 'boolean', default: false } },
});
const inputs = inputsHash();
if (!isBuilt(values.out, inputs)) {
  if (values.check) throw new Error('templates/runtime/dist is out of date: run npm run build');
  await build(values.out, inputs);
}
