// Builds templates/admin, the admin panel, into templates/admin/dist.
// `node bin/build-admin.js [--check]`. If the inputs are unchanged, it skips the build, within a few milliseconds; if they have
// changed, `--check` fails. contents.json lists the files with their hashes. It is written last, and marks the build as complete.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'templates', 'admin');
/** Shared with the server: attribute types and their rules. */
const CONTRACT = join(ROOT, 'templates', 'runtime', 'src', 'contract');
const DIST = join(PACKAGE, 'dist');
const CONTENTS = join(DIST, 'contents.json');

/** The texts of the panel, for teams that add a language. */
const TEXTS = join(DIST, 'english.json');

/** Maximum size of the panel in bytes: each project has a copy. */
const MAX_BYTES = 2.5 * 1024 * 1024;

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The relative path, with forward slashes on every system. */
function pathFrom(folder, file) {
  return relative(folder, file).split(sep).join('/');
}

/** The hash of everything that the output depends on. */
function inputsHash() {
  const settings = ['package.json', 'vite.config.ts', 'index.html'].map((name) => join(PACKAGE, name));
  const own = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
  const hash = createHash('sha256');
  for (const file of [...filesIn(join(PACKAGE, 'src')), ...filesIn(CONTRACT), ...settings, ...own]) {
    hash.update(`${pathFrom(ROOT, file)}\0${readFileSync(file, 'utf8').replaceAll('\r\n', '\n')}\0`);
  }
  return hash.digest('hex');
}

function isBuilt(inputs) {
  try {
    return JSON.parse(readFileSync(CONTENTS, 'utf8')).inputs === inputs;
  } catch {
    return false;
  }
}

/** The settings of the script for previewed sites: a plain script of its own, for the same browsers as the panel. */
const PREVIEW_SCRIPT = {
  root: PACKAGE,
  configFile: false,
  logLevel: 'warn',
  build: {
    emptyOutDir: false,
    target: ['es2023', 'chrome111', 'firefox114', 'safari16.4'],
    reportCompressedSize: false,
    lib: { entry: 'src/preview/site-script.ts', formats: ['iife'], name: 'preview', fileName: () => 'preview.js' },
  },
};

async function bundle() {
  // Vite would build the development version of React under the NODE_ENV of tests.
  process.env.NODE_ENV = 'production';
  try {
    const vite = await import('vite');
    await vite.build({ root: PACKAGE, configFile: join(PACKAGE, 'vite.config.ts'), logLevel: 'warn' });
    await vite.build(PREVIEW_SCRIPT);
    const { module } = await vite.runnerImport('./src/i18n/english.ts', { root: PACKAGE, configFile: false });
    writeFileSync(TEXTS, `${JSON.stringify(module.english, undefined, 2)}\n`);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('the dependencies of templates/admin are missing: run npm install --ignore-scripts', {
      cause: error,
    });
  }
}

async function build(inputs) {
  await bundle();
  const { hashText } = await import('../dist/files/hash.js');
  const texts = filesIn(DIST).map((file) => [pathFrom(DIST, file), readFileSync(file, 'utf8')]);
  const size = texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (size > MAX_BYTES) throw new Error(`the admin panel has ${size} bytes; the maximum is ${MAX_BYTES}`);
  const files = Object.fromEntries(texts.map(([path, text]) => [path, { content: hashText(text) }]));
  writeFileSync(CONTENTS, `${JSON.stringify({ inputs, files }, undefined, 2)}\n`);
}

const inputs = inputsHash();
if (!isBuilt(inputs)) {
  if (process.argv.includes('--check')) {
    throw new Error('templates/admin/dist is out of date: run npm run build');
  }
  await build(inputs);
}
