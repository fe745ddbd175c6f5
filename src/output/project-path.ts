/**
 * Paths relative to the project, with `/`. They come from emitters, a committed manifest or a journal, and are not
 * trusted.
 */

/** Written by the build, but not part of the project: version control should ignore them. */
export const STAGING_FOLDER = '.content-gen.staging';
export const LOCK_FILE = '.content-gen.lock';
export const STALE_LOCK_FILE = '.content-gen.lock.stale';
/** Saves time and may be deleted: see `cache-file.ts`. */
export const CACHE_FOLDER = '.content-gen.cache';
export const MANIFEST_FILE = 'content-gen.manifest.json';

/** Maximum length of a path segment: every file system accepts such names. */
const MAX_SEGMENT = 200;

/**
 * Names that a file system may take for another: `.git` in any case, trailing dots or spaces; also installed packages.
 */
const UNSAFE_SEGMENT = /^(\.{0,2}|\.git|git~\d|node_modules|.*[. ])$/i;

/** Whether a path stays inside the project on every system, and outside of `.git` and `node_modules`. */
export function isProjectPath(path: string): boolean {
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  if (/[\\:*?"<>|\u0000-\u001f]/.test(path)) return false;
  return path.split('/').every((segment) => segment.length <= MAX_SEGMENT && !UNSAFE_SEGMENT.test(segment));
}

/** Compares by code points, the order of all lists of paths. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The folders above a path, outermost first: `a/b/c.ts` → `a`, `a/b`. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
