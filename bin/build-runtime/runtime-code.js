// The modules of the built runtime, as JavaScript.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { eraseTypes } from './erase-types.js';
import { assignModules } from './runtime-modules.js';
import { BANNER, FOLDER, input, isPackage, MAIN_ENTRY, modules, PACKAGE, readJson } from './runtime-source.js';

const { dependencies, peerDependencies } = readJson(join(PACKAGE, 'package.json'));

/** Rollup plugin that loads TypeScript modules. */
export const sources = {
  name: 'typescript-sources',
  resolveId: (id, importer) => (importer && id.startsWith('.') ? join(importer, '..', id) : null),
  load: (file) => eraseTypes(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'), file),
};

/** The packages that a module needs at run time: imported, or loaded by name with `loadPackage` or `resolve`. */
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

/** Throws if a module statically imports one that some of its projects don't get. */
function checkImports(chunks) {
  const isShippedWith = (name, imported) => {
    if (modules[name]?.within === imported) return true;
    const uses = modules[imported]?.for;
    return uses === undefined || modules[name]?.for?.every((use) => uses.includes(use));
  };
  for (const { name, imports } of chunks) {
    const missing = imports
      .map((file) => file.replace(/\.js$/u, ''))
      .find((imported) => !isShippedWith(name, imported));
    if (missing) {
      throw new Error(`modules.json: ${name} imports ${missing}, which some projects with ${name} lack`);
    }
  }
}

/** Assigns files to modules, as Rollup's `manualChunks`. */
function chunkNames() {
  let nameOf;
  return (file, { getModuleInfo, getModuleIds }) => {
    const files = [...getModuleIds()].filter((id) => !isPackage(id));
    const { [MAIN_ENTRY]: entry, ...others } = input;
    const imported = files.flatMap((id) => getModuleInfo(id).dynamicallyImportedIds).filter((id) => !isPackage(id));
    const late = [...imported, ...Object.values(others)];
    const importsOf = (id) => getModuleInfo(id).importedIds.filter((imported) => !isPackage(imported));
    nameOf ??= assignModules({ entries: [entry], late, files, importsOf }, modules);
    return nameOf(file);
  };
}

/** An entry may have only types. */
function onwarn(warning, warn) {
  if (warning.code !== 'EMPTY_BUNDLE') warn(warning);
}

/**
 * All modules: path → text; and name → the features that need the module, and the packages that it needs.
 * @returns {Promise<{ files: Map<string, string>, modules: object }>}
 */
export async function buildCode() {
  const bundle = await rollup({
    input,
    external: isPackage,
    plugins: [sources],
    onwarn,
    preserveEntrySignatures: 'strict',
  });
  const { output } = await bundle.generate({
    format: 'es',
    dir: join(PACKAGE, FOLDER),
    banner: BANNER,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    manualChunks: chunkNames(),
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  });
  const chunks = output.filter(({ type }) => type === 'chunk');
  checkImports(chunks);
  const files = new Map(chunks.map(({ fileName, code }) => [`${FOLDER}/${fileName}`, code]));
  const contents = new Map([
    // Modules that consist of copied files are not among the chunks.
    ...Object.entries(modules).map(([name, { for: uses }]) => [name, { for: uses, packages: [] }]),
    ...chunks.map((chunk) => [chunk.name, { for: modules[chunk.name]?.for, packages: packagesOf(chunk) }]),
  ]);
  return { files, modules: Object.fromEntries([...contents].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
