/** Reads the sources of generated files: `templates/`, a sibling of both `src` and `dist`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** The text of a file in `templates/`, by relative path. */
export function readTemplate(path: string): string {
  return readFileSync(new URL(path, TEMPLATES), 'utf8');
}

/** The files of `templates/` that are read before a file is printed: they determine which files there are. */
const EARLY = [
  'admin/dist/contents.json',
  'runtime/README.md',
  'runtime/bin/command.js',
  'runtime/dist/contents.json',
  'runtime/package.json',
];

/** The texts of the files in `templates/` that determine which files a project has, and their inputs. Any may be missing. */
export function earlyTemplates(): readonly (string | undefined)[] {
  return EARLY.map((path) => (existsSync(new URL(path, TEMPLATES)) ? readTemplate(path) : undefined));
}

/** Paths of all files below a folder of `templates/`, relative to the folder. `folder` ends in `/`. */
export function listTemplates(folder: string): string[] {
  return readdirSync(new URL(folder, TEMPLATES), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? listTemplates(`${folder}${entry.name}/`).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  );
}

/** The package.json of content-gen itself. */
export function readOwnPackage(): { readonly devDependencies: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(new URL('../package.json', TEMPLATES), 'utf8'));
}
