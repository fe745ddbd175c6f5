// The sources of the runtime and the client, and what they are built into.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headerLine } from '../../dist/emit/header.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PACKAGE = join(ROOT, 'templates', 'runtime');
export const SOURCE = join(PACKAGE, 'src');

/** The client library, whose sources use types of the runtime. */
export const CLIENT = join(ROOT, 'templates', 'client');
export const CLIENT_SOURCE = join(CLIENT, 'src');

/** The first line of each built code file. */
export const BANNER = headerLine('its package `@content-gen/runtime`');

/** The folder of the built modules within the package. Not `dist`, which projects keep out of version control. */
export const FOLDER = 'lib';

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * `publicEntries`: public entry → source file. `modules`: name → the features that need it, and its source files. `packages`: the
 * features that need a package which only some of the projects with the importing module need.
 */
export const { exports: publicEntries, modules, packages } = readJson(join(PACKAGE, 'modules.json'));

/** Whether an import is a package or a built-in module of Node. */
export function isPackage(id) {
  return !id.startsWith('.') && !id.startsWith(SOURCE);
}

/** The name of the output for the entry `.`. */
export const MAIN_ENTRY = 'index';

/** The name of the output for a public entry: `index` for `.`, `testing` for `./testing`. */
export function nameOf(entry) {
  return entry === '.' ? MAIN_ENTRY : entry.replace('./', '');
}

/** Rollup's input: name of the output → source file. */
export const input = Object.fromEntries(
  Object.entries(publicEntries).map(([entry, file]) => [nameOf(entry), join(SOURCE, file)]),
);

/** The folder of files that are copied instead of compiled. */
export const ASSETS = 'assets';

/** Path in the built package → the file of `assets/` to copy there, and the module that needs it. */
export const assets = new Map(
  Object.entries(modules).flatMap(([module, { copies = [] }]) =>
    copies.map((name) => [`${ASSETS}/${name}`, { module, source: join(PACKAGE, ASSETS, name) }]),
  ),
);
