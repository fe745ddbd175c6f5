// Assigns the source files of the runtime to the modules of its build. `templates/runtime/modules.json` lists the modules, and
// names source files without their folders.
import { basename } from 'node:path';

/** The module that every project has; it also contains what other modules share. */
export const MAIN = 'core';

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
 * Assigns each file to one module. Files that the entries import statically are in the main module. A file that only one module
 * needs is in that module. If several modules need it, it is in the one that all of these depend on, or else in the main module.
 * @param {object} source
 * @param {readonly string[]} source.entries Exported by the main module.
 * @param {readonly string[]} source.late Imported dynamically, or exported by another entry.
 * @param {readonly string[]} source.files
 * @param {(file: string) => readonly string[]} source.importsOf
 * @param {Readonly<Record<string, { holds: readonly string[] }>>} modules
 * @returns {(file: string) => string} the module of a file
 * @throws if a file of `late` is in no module, or if modules.json names a file that is missing or ambiguous
 */
export function assignModules({ entries, late, files, importsOf }, modules) {
  const groups = Object.entries(modules).map(([name, { holds }]) => {
    const roots = holds.map((title) => {
      const found = files.filter((file) => basename(file) === title);
      if (found.length === 1) return found[0];
      throw new Error(`modules.json: ${name} lists ${title}, which matches ${found.length} files instead of one`);
    });
    return { name, roots, files: new Set(roots.flatMap((root) => [...closureOf(root, importsOf)])) };
  });
  const listed = new Set(groups.flatMap(({ roots }) => roots));
  const unlisted = late.filter((file) => !listed.has(file));
  if (unlisted.length > 0) {
    throw new Error(`imported dynamically or exported, but in no module of modules.json: ${unlisted.join(', ')}`);
  }
  const main = new Set(entries.flatMap((entry) => [...closureOf(entry, importsOf)]));
  return (file) => {
    if (main.has(file)) return MAIN;
    const users = groups.filter((group) => group.files.has(file));
    const owner = users.find(({ roots }) => users.every((user) => isWithin(roots, user.files)));
    return owner?.name ?? MAIN;
  };
}
