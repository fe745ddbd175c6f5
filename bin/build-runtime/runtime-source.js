// The runtime's source, and what is to be built of it.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headerLine } from '../../dist/emit/header.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PACKAGE = join(ROOT, 'templates', 'runtime');
export const SOURCE = join(PACKAGE, 'src');

/** The client, whose source takes types of the runtime along. */
export const CLIENT = join(ROOT, 'templates', 'client');
export const CLIENT_SOURCE = join(CLIENT, 'src');

/** The first line of each built file of code. */
export const BANNER = headerLine('its package `@content-gen/runtime`');

/** The folder of the built modules within the package. Not `dist`, which projects keep out of version control. */
export const FOLDER = 'lib';

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * `publicEntries`: public entry → file of the source; `modules`: name → what needs it, and what it holds; `packages`: what needs
 * those that not every project does that has a module that imports them.
 */
export const { exports: publicEntries, modules, packages } = readJson(join(PACKAGE, 'modules.json'));

/** Whether an import is of a package, or of Node. */
export function isPackage(id) {
  return !id.startsWith('.') && !id.startsWith(SOURCE);
}

/** What the entry `.` is built into. */
export const MAIN_ENTRY = 'index';

/** The name of what a public entry is built into: `index` for `.`, `testing` for `./testing`. */
export function nameOf(entry) {
  return entry === '.' ? MAIN_ENTRY : entry.replace('./', '');
}

/** Name of what is built → file of the source. */
export const input = Object.fromEntries(
  Object.entries(publicEntries).map(([entry, file]) => [nameOf(entry), join(SOURCE, file)]),
);

/** The folder of files that are copied as they are. */
export const ASSETS = 'assets';

/** Path in the built package → the file that is copied there, and the module that needs it. A source is in `assets/`, or in a package. */
export const assets = new Map(
  Object.entries(modules).flatMap(([module, { copies = [] }]) =>
    copies.map((copied) => {
      const isOwn = !copied.includes('/');
      const source = isOwn ? join(PACKAGE, ASSETS, copied) : fileURLToPath(import.meta.resolve(copied));
      return [`${ASSETS}/${basename(source)}`, { module, source, isOwn }];
    }),
  ),
);
