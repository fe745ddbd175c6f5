// Which module of the built runtime holds which file of its source. `templates/runtime/modules.json` lists the modules; a file of
// the source is named there without its folder.
import { basename } from 'node:path';

/** The module that every project has, and that holds what several others share. */
export const MAIN = 'core';

/** All files that a file needs once it is loaded, itself included. `importsOf` are those that it imports statically. */
function closureOf(file, importsOf) {
  const found = new Set([file]);
  for (const each of found) for (const imported of importsOf(each)) found.add(imported);
  return found;
}

function isWithin(inner, outer) {
  return inner.every((file) => outer.has(file));
}

/**
 * Puts each file into one module: what is loaded with the main one there, else with the module that alone needs it. Of several
 * that need it, it is the one that all the others need as well; without such a one the main module has it.
 * @param {object} source
 * @param {readonly string[]} source.entries What the main module exports.
 * @param {readonly string[]} source.late What is imported dynamically, or exported by another entry.
 * @param {readonly string[]} source.files
 * @param {(file: string) => readonly string[]} source.importsOf
 * @param {Readonly<Record<string, { holds: readonly string[] }>>} modules
 * @returns {(file: string) => string} the module of a file
 * @throws where a file is imported dynamically, or exported, and in no module, or a module holds what is not there
 */
export function assignModules({ entries, late, files, importsOf }, modules) {
  const groups = Object.entries(modules).map(([name, { holds }]) => {
    const roots = holds.map((title) => {
      const found = files.filter((file) => basename(file) === title);
      if (found.length === 1) return found[0];
      throw new Error(`modules.json: ${name} holds ${title}, of which the runtime has ${found.length}`);
    });
    return { name, roots, files: new Set(roots.flatMap((root) => [...closureOf(root, importsOf)])) };
  });
  const listed = new Set(groups.flatMap(({ roots }) => roots));
  const unlisted = late.filter((file) => !listed.has(file));
  if (unlisted.length > 0) {
    throw new Error(`imported dynamically or exported, but of no module in modules.json: ${unlisted.join(', ')}`);
  }
  const main = new Set(entries.flatMap((entry) => [...closureOf(entry, importsOf)]));
  return (file) => {
    if (main.has(file)) return MAIN;
    const users = groups.filter((group) => group.files.has(file));
    const owner = users.find(({ roots }) => users.every((user) => isWithin(roots, user.files)));
    return owner?.name ?? MAIN;
  };
}
