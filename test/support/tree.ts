/** Folders as maps from path to text, and their differences. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { CACHE_FOLDER } from '../../src/output/project-path.ts';

/** Path within the folder, with `/` → text of the file. */
export type Tree = ReadonlyMap<string, string>;

const MAX_LINES = 400;

/** All files under a folder, sorted; empty if it does not exist. Symbolic links and the cache are skipped. */
export function readTree(folder: string, isIncluded: (path: string) => boolean = () => true): Tree {
  const tree = new Map<string, string>();
  const visit = (prefix: string): void => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const path = prefix + entry.name;
      if (entry.name === CACHE_FOLDER) continue;
      if (entry.isDirectory()) visit(`${path}/`);
      else if (entry.isFile() && isIncluded(path)) tree.set(path, readFileSync(join(folder, path), 'utf8'));
    }
  };
  try {
    visit('');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Replaces a folder with a tree. */
export function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of tree) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function differenceOf(path: string, expected: string | undefined, actual: string | undefined): string {
  if (expected === actual) return '';
  if (expected === undefined) return `not expected: ${path}\n`;
  if (actual === undefined) return `missing: ${path}\n`;
  const patch = createTwoFilesPatch(`expected/${path}`, `built/${path}`, expected, actual, undefined, undefined, {
    context: 2,
  });
  return patch.replace(/^=+\n/, '');
}

/** A readable diff of two trees: names of files that only one has, and diffs of the others. Empty if they are equal. */
export function differences(expected: Tree, actual: Tree): string {
  const paths = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  const lines = paths
    .map((path) => differenceOf(path, expected.get(path), actual.get(path)))
    .join('')
    .split('\n');
  if (lines.length <= MAX_LINES) return lines.join('\n');
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`].join('\n');
}
