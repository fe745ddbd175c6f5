/** The current state of files on disk. Symbolic links inside a project are never followed, but detected and refused. */
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashContent, normalizeLineEnds } from '../files/hash.ts';
import { GENERATED_HEADER } from '../files/generated-header.ts';
import { byCodePoint, foldersAbove } from './project-path.ts';

export type DiskEntry =
  | { readonly kind: 'absent' }
  /**
   * `conflicted`: the file has unresolved merge conflict markers; `hasHeader`: its first line is the header of
   * generated code.
   */
  | { readonly kind: 'file'; readonly hash: string; readonly conflicted: boolean; readonly hasHeader: boolean }
  /** Something that can't be read or replaced; `at` is the path itself or a folder above it. */
  | { readonly kind: 'obstacle'; readonly what: ObstacleKind; readonly at: string };

/** `special`: pipes, sockets and devices. */
export type ObstacleKind = 'symlink' | 'folder' | 'file' | 'special';

const ABSENT: DiskEntry = { kind: 'absent' };
const HEADER_BYTES = Buffer.from(GENERATED_HEADER);

/** Don't follow links, and don't block on pipes. Undefined on systems without these flags. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file; `undefined` if there is none. Throws system errors. */
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

/** The text of a project file, with line endings normalized to LF; `undefined` if there is no such file. */
export function readProjectText(root: string, path: string): string | undefined {
  const bytes = readFileBytes(join(root, path));
  return bytes && normalizeLineEnds(bytes.toString('utf8'));
}

/** Reads the state of each path sequentially: for thousands of small files, this is faster than concurrent reads. */
export function readDisk(root: string, paths: Iterable<string>): ReadonlyMap<string, DiskEntry> {
  const folders = new Map<string, DiskEntry | 'folder'>();
  return new Map([...paths].map((path) => [path, readEntry(root, path, folders)]));
}

function readEntry(root: string, path: string, folders: Map<string, DiskEntry | 'folder'>): DiskEntry {
  for (const folder of foldersAbove(path)) {
    let known = folders.get(folder);
    if (known === undefined) folders.set(folder, (known = lookAtFolder(root, folder)));
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

function lookAtFolder(root: string, folder: string): DiskEntry | 'folder' {
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

/** The entry at a path. For a path that was not read, it is derived from the entries of the folders above. */
export function entryAt(disk: ReadonlyMap<string, DiskEntry>, path: string): DiskEntry {
  const known = disk.get(path);
  if (known) return known;
  for (const folder of foldersAbove(path)) {
    const entry = disk.get(folder);
    if (entry?.kind === 'file') return { kind: 'obstacle', what: 'file', at: folder };
    if (entry?.kind === 'obstacle' && entry.what !== 'folder') return { ...entry, at: folder };
  }
  return ABSENT;
}

/** The contents of a folder: the texts of its files, normalized to LF, and the entry at each path. */
export interface FolderState {
  readonly texts: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<string, DiskEntry>;
}

/** Reads a folder of the project recursively. */
export function readFolder(root: string, folder: string): FolderState {
  const texts = new Map<string, string>();
  const entries = new Map<string, DiskEntry>();
  const add = (path: string): void => {
    const entry = readEntry(root, path, new Map());
    if (entry.kind !== 'absent') entries.set(path, entry);
    if (entry.kind === 'file') texts.set(path, readProjectText(root, path) ?? '');
    if (entry.kind !== 'obstacle' || entry.what !== 'folder') return;
    const names = readdirSync(join(root, path)).sort(byCodePoint);
    for (const name of names) add(`${path}/${name}`);
  };
  add(folder);
  return { texts, entries };
}
