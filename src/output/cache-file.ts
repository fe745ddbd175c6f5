/**
 * A file next to the manifest that saves time and has no other effect: it may be missing, outdated or deleted at any time.
 * Its folder tells git to ignore it.
 */
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileBytes } from './disk.ts';
import { CACHE_FOLDER } from './project-path.ts';

/** Without an extension, so that formatters and linters of the project ignore it. */
const FILE = 'schema';

/** The cached text; undefined if there is none, or if it can't be read. */
export function readCache(root: string): string | undefined {
  try {
    return isFolder(join(root, CACHE_FOLDER))
      ? readFileBytes(join(root, CACHE_FOLDER, FILE))?.toString('utf8')
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the cached text in one step. Does nothing if the disk refuses. */
export function writeCache(root: string, text: string): void {
  const folder = join(root, CACHE_FOLDER);
  const draft = join(folder, `${FILE}.${process.pid}`);
  try {
    if (!lstatSync(folder, { throwIfNoEntry: false })) {
      mkdirSync(folder);
      writeFileSync(join(folder, '.gitignore'), '*\n');
    }
    if (!isFolder(folder)) return;
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, join(folder, FILE));
  } catch {
    rmSync(draft, { force: true });
  }
}

/** Nothing is read or written through a link. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
