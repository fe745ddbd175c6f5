// Assigns the source files of the runtime to the modules of its build: one for each layer, and those in `templates/runtime/modules.json`,
// which names source files without their folders.
import { basename, relative, sep } from 'node:path';
import { SOURCE } from './runtime-source.js';

/** The module of what every project has: that of its layer, which is its folder. */
function layerOf(file) {
  const [folder, inside] = relative(SOURCE, file).split(sep);
  return inside === undefined ? 'server' : folder;
}

/** A file and all its transitive static imports; `importsOf` returns the direct ones. */
function closureOf(file, importsOf) {
  const found = new Set([file]);
  for (const each of found) for (const imported of importsOf(each)) found.add(imported);
  return found;
}

function isWithin(inner, outer) {
  return inner.every((file) => outer.has(file));
}

/**
 * Assigns each file to one module. Files that the entries import statically are in the modules of their layers. A file that only one
 * listed module needs is in that module. If several need it, it is in the one that all of these depend on, or whose projects alone have
 * the others (`within`), or else in that of its layer.
 * @param {object} source
 * @param {readonly string[]} source.entries Exported by the main module.
 * @param {readonly string[]} source.late Imported dynamically, or exported by another entry.
 * @param {readonly string[]} source.files
 * @param {(file: string) => readonly string[]} source.importsOf
 * @param {Readonly<Record<string, { holds: readonly string[], within?: string }>>} modules
 * @returns {(file: string) => string} the module of a file
 * @throws if a file of `late` is in no module, or if modules.json names a file that is missing or ambiguous
 */
export function assignModules({ entries, late, files, importsOf }, modules) {
  const groups = Object.entries(modules).map(([name, { holds, within }]) => {
    const roots = holds.map((title) => {
      const found = files.filter((file) => basename(file) === title);
      if (found.length === 1) return found[0];
      throw new Error(`modules.json: ${name} lists ${title}, which matches ${found.length} files instead of one`);
    });
    return { name, within, roots, files: new Set(roots.flatMap((root) => [...closureOf(root, importsOf)])) };
  });
  const listed = new Set(groups.flatMap(({ roots }) => roots));
  const unlisted = late.filter((file) => !listed.has(file));
  if (unlisted.length > 0) {
    throw new Error(`imported dynamically or exported, but in no module of modules.json: ${unlisted.join(', ')}`);
  }
  const main = new Set(entries.flatMap((entry) => [...closureOf(entry, importsOf)]));
  return (file) => {
    if (main.has(file)) return layerOf(file);
    const users = groups.filter((group) => group.files.has(file));
    const owner =
      users.find(({ roots }) => users.every((user) => isWithin(roots, user.files))) ??
      users.find(({ name }) => users.every((user) => user.name === name || user.within === name));
    return owner?.name ?? layerOf(file);
  };
}
