/** Reads the sources of generated files: `templates/`, a sibling of both `src` and `dist`. */
import { readdirSync, readFileSync } from 'node:fs';

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** The text of a file in `templates/`, by relative path. */
export function readTemplate(path: string): string {
  return readFileSync(new URL(path, TEMPLATES), 'utf8');
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
