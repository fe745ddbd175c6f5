// Builds templates/runtime into what a project gets of it: a few readable modules, their types, and source maps with the sources.
// `node build/runtime.js [--out FOLDER]`. The bytes follow from the sources and from the versions in package-lock.json alone.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { headerLine } from '../dist/emit/header.js';
import { eraseTypes } from './erase-types.js';
import { assignModules } from './runtime-modules.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'templates', 'runtime');
const SOURCE = join(PACKAGE, 'src');
const BANNER = headerLine('its package `@content-gen/runtime`');
/** The folder of the modules within the package. Not `dist`, which projects keep out of version control. */
const FOLDER = 'lib';

/** What is built, and which project gets it. */
const CONTENTS = 'contents.json';

const { exports: publicEntries, modules } = readJson(join(PACKAGE, 'modules.json'));
const { dependencies, peerDependencies } = readJson(join(PACKAGE, 'package.json'));

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function isPackage(id) {
  return !id.startsWith('.') && !id.startsWith(SOURCE);
}

/** The name of what a public entry is built into: `index` for `.`, `contract` for `./contract`. */
function nameOf(entry) {
  return entry === '.' ? 'index' : entry.replace('./', '');
}

const input = Object.fromEntries(
  Object.entries(publicEntries).map(([entry, file]) => [nameOf(entry), join(SOURCE, file)]),
);

/** Reads TypeScript. */
const sources = {
  name: 'typescript-sources',
  resolveId: (id, importer) => (importer && id.startsWith('.') ? join(importer, '..', id) : null),
  load: (file) => eraseTypes(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'), file),
};

/** The source map of a module as JSON that version control can compare: a line for each source. Paths are those of a checkout. */
function printMap({ version, names, sources: files, sourcesContent, mappings }, file) {
  const lines = (values) => `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`;
  const paths = files.map((path) =>
    relative(join(PACKAGE, FOLDER), join(PACKAGE, FOLDER, path))
      .split(sep)
      .join('/'),
  );
  return [
    `{"version":${version},"file":${JSON.stringify(file)},"names":${JSON.stringify(names)},`,
    `"sources":${lines(paths)},`,
    `"sourcesContent":${lines(sourcesContent)},`,
    `"mappings":${JSON.stringify(mappings)}}`,
    '',
  ].join('\n');
}

/** The packages that a module needs at run time: imported, or named for `require`. */
function packagesOf({ code, imports, dynamicImports }) {
  const named = [...code.matchAll(/(?:loadPackage|\.resolve)\(\s*'(?<name>[^']+)'/gu)].map(({ groups }) => groups.name);
  const packages = [...imports, ...dynamicImports, ...named]
    .filter((id) => isPackage(id) && !id.startsWith('node:') && !id.endsWith('.js'))
    .map((id) =>
      id
        .split('/')
        .slice(0, id.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  const unknown = packages.filter((name) => !(name in dependencies) && !(name in peerDependencies));
  if (unknown.length > 0) throw new Error(`not in the package.json of the runtime: ${unknown.join(', ')}`);
  return Object.keys(dependencies).filter((name) => packages.includes(name));
}

/** Throws where a module would be missing that another one imports as soon as it is loaded. */
function checkImports(chunks) {
  const isShippedWith = (name, imported) => {
    const uses = modules[imported]?.for;
    return uses === undefined || modules[name]?.for?.every((use) => uses.includes(use));
  };
  for (const { name, imports } of chunks) {
    const missing = imports
      .map((file) => file.replace(/\.js$/u, ''))
      .find((imported) => !isShippedWith(name, imported));
    if (missing)
      throw new Error(`modules.json: ${name} imports ${missing}, which not every project has that has ${name}`);
  }
}

/** Which file is in which module, as Rollup asks for it. */
function chunkNames() {
  let nameOf;
  return (file, { getModuleInfo, getModuleIds }) => {
    const files = [...getModuleIds()].filter((id) => !isPackage(id));
    const late = files.flatMap((id) => getModuleInfo(id).dynamicallyImportedIds).filter((id) => !isPackage(id));
    const importsOf = (id) => getModuleInfo(id).importedIds.filter((imported) => !isPackage(imported));
    nameOf ??= assignModules({ entries: Object.values(input), late, files, importsOf }, modules);
    return nameOf(file);
  };
}

/** @returns {Promise<{ files: Map<string, string>, modules: object }>} */
async function buildModules() {
  const bundle = await rollup({ input, external: isPackage, plugins: [sources], preserveEntrySignatures: 'strict' });
  const { output } = await bundle.generate({
    format: 'es',
    dir: join(PACKAGE, FOLDER),
    banner: BANNER,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    manualChunks: chunkNames(),
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  });
  const chunks = output.filter(({ type }) => type === 'chunk');
  checkImports(chunks);
  const files = new Map();
  for (const { fileName, code, map } of chunks) {
    files.set(`${FOLDER}/${fileName}`, code);
    files.set(`${FOLDER}/${fileName}.map`, printMap(map, fileName));
  }
  const contents = chunks.map((chunk) => [chunk.name, { for: modules[chunk.name]?.for, packages: packagesOf(chunk) }]);
  return { files, modules: Object.fromEntries(contents.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** One file of types for each public entry. */
async function buildTypes() {
  const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: undefined };
  const tsconfig = join(PACKAGE, 'tsconfig.json');
  const bundle = await rollup({ input, external: isPackage, plugins: [dts({ tsconfig, compilerOptions })] });
  const { output } = await bundle.generate({ format: 'es', chunkFileNames: '[name].d.ts' });
  const options = { parser: 'typescript', printWidth: 120, singleQuote: true, trailingComma: 'all' };
  const formatted = output.map(async ({ fileName, code }) => [
    `${FOLDER}/${fileName}`,
    await format(`${BANNER}\n${code}`, options),
  ]);
  return new Map(await Promise.all(formatted));
}

/** All that the built package follows from. */
function inputsHash() {
  const hash = createHash('sha256');
  const own = readdirSync(join(ROOT, 'build')).map((file) => join(ROOT, 'build', file));
  const source = readdirSync(SOURCE, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(SOURCE, file));
  const settings = ['package.json', 'modules.json', 'tsconfig.json'].map((file) => join(PACKAGE, file));
  for (const file of [...own, ...settings, ...source, join(ROOT, 'package-lock.json')].sort()) {
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

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

async function build(out) {
  const inputs = inputsHash();
  if (isBuilt(out, inputs)) return;
  const [built, types] = await Promise.all([buildModules(), buildTypes()]);
  const files = [...built.files, ...types].sort(([a], [b]) => (a < b ? -1 : 1));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, FOLDER), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(out, path), text);
  const contents = {
    inputs,
    exports: Object.fromEntries(Object.keys(publicEntries).map((entry) => [entry, nameOf(entry)])),
    modules: built.modules,
    files: Object.fromEntries(files.map(([path, text]) => [path, sha256(text)])),
  };
  // The last file: it says that the others are complete.
  writeFileSync(join(out, CONTENTS), `${JSON.stringify(contents, undefined, 2)}\n`);
}

const { values } = parseArgs({ options: { out: { type: 'string', default: join(PACKAGE, 'dist') } } });
await build(values.out);
