/** What is on the disk now. Symbolic links are never followed inside a project: they are found, and refused. */
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashContent, normalizeLineEnds } from './hash.ts';
import { GENERATED_HEADER } from './managed-path.ts';
import { byCodePoint, foldersAbove } from './project-path.ts';

export type DiskEntry =
  | { readonly kind: 'absent' }
  /** `conflicted`: it holds the markers of an unresolved merge; `hasHeader`: its first line is that of generated code. */
  | { readonly kind: 'file'; readonly hash: string; readonly conflicted: boolean; readonly hasHeader: boolean }
  /** Something that can't be read or replaced; `at` is the path itself or a folder above it. */
  | { readonly kind: 'obstacle'; readonly what: ObstacleKind; readonly at: string };

/** `special` are pipes, sockets and devices. */
export type ObstacleKind = 'symlink' | 'folder' | 'file' | 'special';

const ABSENT: DiskEntry = { kind: 'absent' };
const HEADER_BYTES = Buffer.from(GENERATED_HEADER);

/** Not the target of a link, and no waiting for the other end of a pipe. Both are 0 where the system has no such thing. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file, or `undefined` where there is none. Throws what the system reports else. */
export function readFileBytes(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readRegularFile(path) : undefined;
}

function readRegularFile(path: string): Buffer {
  const descriptor = openSync(path, OPEN_FLAGS);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file of the project, with LF; `undefined` where there is none. */
export function readProjectText(root: string, path: string): string | undefined {
  const bytes = readFileBytes(join(root, path));
  return bytes && normalizeLineEnds(bytes.toString('utf8'));
}

/** Looks at paths one after another: for thousands of small files that is faster than any number at once. */
export function readDisk(root: string, paths: Iterable<string>): ReadonlyMap<string, DiskEntry> {
  const folders = new Map<string, DiskEntry | 'folder'>();
  return new Map([...paths].map((path) => [path, readEntry(root, path, folders)]));
}

function readEntry(root: string, path: string, folders: Map<string, DiskEntry | 'folder'>): DiskEntry {
  for (const folder of foldersAbove(path)) {
    let known = folders.get(folder);
    if (known === undefined) folders.set(folder, (known = readFolder(root, folder)));
    if (known !== 'folder') return known;
  }
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return ABSENT;
  if (stats.isSymbolicLink()) return { kind: 'obstacle', what: 'symlink', at: path };
  if (stats.isDirectory()) return { kind: 'obstacle', what: 'folder', at: path };
  if (!stats.isFile()) return { kind: 'obstacle', what: 'special', at: path };
  const bytes = readRegularFile(join(root, path));
  const hasHeader = bytes.subarray(0, GENERATED_HEADER.length).equals(HEADER_BYTES);
  return { kind: 'file', hash: hashContent(bytes), conflicted: hasConflictMarkers(bytes), hasHeader };
}

function readFolder(root: string, folder: string): DiskEntry | 'folder' {
  const stats = lstatSync(join(root, folder), { throwIfNoEntry: false });
  if (!stats) return ABSENT;
  if (stats.isDirectory()) return 'folder';
  const what = stats.isSymbolicLink() ? 'symlink' : stats.isFile() ? 'file' : 'special';
  return { kind: 'obstacle', what, at: folder };
}

function hasConflictMarkers(bytes: Buffer): boolean {
  if (!bytes.includes('<<<<<<< ')) return false;
  const text = bytes.toString('utf8');
  return /^<{7} /m.test(text) && /^={7}\r?$/m.test(text) && /^>{7} /m.test(text);
}

/**
 * The texts of all files under a folder of the project, path → text with LF. Links and special files are left out: whoever
 * needs such a path finds it missing.
 */
export function readFolderTexts(root: string, folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (!lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()) return texts;
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => byCodePoint(a.name, b.name))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) for (const [key, text] of readFolderTexts(root, path)) texts.set(key, text);
    const text = entry.isFile() ? readProjectText(root, path) : undefined;
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}
