/**
 * Makes writing atomic: new contents and copies (hard links) of old ones are collected in a staging folder, then a
 * journal is put there. This commits the change: whoever finds a journal replays it to the end. Replaying is
 * idempotent.
 *
 * A repository or an archive may contain a staging folder, so a journal is only valid where it was written: it records
 * the inode and the creation time of a file next to it, which no checkout, copy or extraction can choose. This needs no
 * secret kept elsewhere, so a build killed in one container can be completed from another.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { readFileBytes, readProjectText } from './disk.ts';
import type { FileOperations } from './file-operations.ts';
import { hashContent } from '../files/hash.ts';
import { Refusal } from './io-error.ts';
import { isManagedPath } from './managed-path.ts';
import { byCodePoint, foldersAbove, isProjectPath, STAGING_FOLDER } from './project-path.ts';

/** The change of one file: the hash of its content before and after; `null` if there is none. */
export interface JournalEntry {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface Journal {
  /** Identity of the file `ORIGIN` when the journal was written. */
  readonly origin: string;
  readonly direction: 'forward' | 'back';
  readonly entries: readonly JournalEntry[];
}

/** A change of one file: `content` is `null` if the file is deleted. */
export interface StagedChange {
  readonly entry: JournalEntry;
  readonly content: string | null;
}

/** The changes to make, and their direction. */
type Moves = Pick<Journal, 'direction' | 'entries'>;

const JOURNAL = `${STAGING_FOLDER}/journal.json`;
/** An empty file that is never touched again: its identity in the file system shows where the journal was written. */
const ORIGIN = `${STAGING_FOLDER}/origin`;
const HASH = /^[0-9a-f]{64}$/;

function changedMeanwhile(path: string): Refusal {
  return new Refusal({
    code: 'output/changed-meanwhile',
    severity: 'error',
    kind: 'refused',
    message: `${path} changed during the build, so nothing was written`,
    hint: 'build again',
  });
}

function notAFolder(path: string): Refusal {
  return new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${path} must be a folder, but is a symbolic link or a file`,
    hint: `move or delete ${path}, and build again`,
  });
}

/** Hash of a file's content; `null` if nothing exists there, `undefined` if it is not a regular file. */
function currentHash(path: string): string | null | undefined {
  const bytes = readFileBytes(path);
  if (bytes) return hashContent(bytes);
  return lstatSync(path, { throwIfNoEntry: false }) ? undefined : null;
}

function stagedPath(root: string, side: 'old' | 'new', index: number): string {
  return join(root, STAGING_FOLDER, side, String(index));
}

/**
 * Collects what the changes need. Nothing in the project changes yet; on failure the caller removes the staging folder.
 */
export function stage(root: string, changes: readonly StagedChange[], operations: FileOperations): void {
  operations.makeFolder(join(root, STAGING_FOLDER));
  operations.writeNew(join(root, ORIGIN), '');
  operations.makeFolder(join(root, STAGING_FOLDER, 'old'));
  operations.makeFolder(join(root, STAGING_FOLDER, 'new'));
  changes.forEach(({ entry, content }, index) => {
    if (content !== null) operations.writeNew(stagedPath(root, 'new', index), content);
    if (entry.before === null) return;
    operations.keepCopy(join(root, entry.path), stagedPath(root, 'old', index));
    if (currentHash(stagedPath(root, 'old', index)) !== entry.before) throw changedMeanwhile(entry.path);
  });
}

/** Commits the change: from here on it will be completed, by this build or by the next one. */
export function writeJournal(
  root: string,
  direction: Journal['direction'],
  entries: readonly JournalEntry[],
  operations: FileOperations,
): void {
  const draft = join(root, STAGING_FOLDER, `${direction}.json`);
  const journal: Journal = { origin: identityOf(join(root, ORIGIN)) ?? '', direction, entries };
  operations.writeNew(draft, JSON.stringify(journal));
  operations.rename(draft, join(root, JOURNAL));
}

/**
 * The identity of a file in this file system: its inode and its creation time (or its ctime if the file system doesn't
 * record creation times). Undefined for anything but a regular file.
 */
function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  return `${stats.ino}/${stats.birthtimeNs > 0n ? stats.birthtimeNs : stats.ctimeNs}`;
}

/**
 * Moves each file into place that is still in its previous state. Files that others changed in the meantime are left
 * alone.
 */
export function play(root: string, { direction, entries }: Moves, operations: FileOperations): void {
  const folders = new Set<string>();
  const emptied = new Set<string>();
  entries.forEach((entry, index) => {
    const [from, to] = direction === 'forward' ? [entry.before, entry.after] : [entry.after, entry.before];
    const target = join(root, entry.path);
    const obstacle = obstacleAbove(root, entry.path);
    // Nothing was written below the obstacle, so there is nothing to roll back.
    if (obstacle !== undefined && direction === 'back') return;
    if (obstacle !== undefined) throw notAFolder(obstacle);
    if (to === null) for (const folder of foldersAbove(entry.path)) emptied.add(folder);
    const current = currentHash(target);
    if (current === to || current !== from) return;
    if (to === null) return operations.removeFile(target);
    makeFoldersAbove(root, entry.path, folders, operations);
    operations.rename(stagedPath(root, direction === 'forward' ? 'new' : 'old', index), target);
  });
  for (const folder of [...emptied].sort(byCodePoint).reverse()) operations.removeEmptyFolder(join(root, folder));
}

/** The first non-folder above a path: somebody may have created a link there between planning and writing. */
function obstacleAbove(root: string, path: string): string | undefined {
  return foldersAbove(path).find((folder) => {
    const stats = lstatSync(join(root, folder), { throwIfNoEntry: false });
    return stats !== undefined && !stats.isDirectory();
  });
}

function makeFoldersAbove(root: string, path: string, known: Set<string>, operations: FileOperations): void {
  for (const folder of foldersAbove(path)) {
    if (known.has(folder)) continue;
    if (!lstatSync(join(root, folder), { throwIfNoEntry: false })) operations.makeFolder(join(root, folder));
    known.add(folder);
  }
}

/** Whether a build was interrupted while writing, or is writing now. */
export function hasStagingFolder(root: string): boolean {
  return lstatSync(join(root, STAGING_FOLDER), { throwIfNoEntry: false }) !== undefined;
}

/** Removes the staging folder. The journal goes first: without it, the rest has no effect. */
export function removeStaging(root: string, operations: FileOperations): void {
  if (lstatSync(join(root, JOURNAL), { throwIfNoEntry: false })) operations.removeFile(join(root, JOURNAL));
  operations.removeFolder(join(root, STAGING_FOLDER));
}

/**
 * Finishes an interrupted build: replays its journal, or discards what was only staged. If staged contents were lost in
 * a power failure, it rolls back instead. The caller holds the lock. Returns a diagnostic if a journal was ignored
 * because no build in this folder wrote it. Throws a `Refusal` if the staging folder contains anything that no build
 * puts there.
 */
export function recover(root: string, operations: FileOperations): readonly Diagnostic[] {
  const stats = lstatSync(join(root, STAGING_FOLDER), { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) throw notAFolder(STAGING_FOLDER);
  const foreign = foreignEntry(root);
  if (foreign !== undefined) throw foreignStaging(foreign);
  const journal = readJournal(root);
  if (journal) {
    const direction = journal.direction === 'back' || !isComplete(root, journal) ? 'back' : 'forward';
    play(root, { ...journal, direction }, operations);
  }
  const isUnused = !journal && lstatSync(join(root, JOURNAL), { throwIfNoEntry: false }) !== undefined;
  removeStaging(root, operations);
  return isUnused ? [UNUSED_JOURNAL] : [];
}

const UNUSED_JOURNAL: Diagnostic = {
  code: 'output/foreign-journal',
  severity: 'warning',
  message: `${JOURNAL} was not written by a build in this folder, so it was ignored, and ${STAGING_FOLDER} was removed`,
  hint: `${STAGING_FOLDER} must not be committed or copied; if it is in version control, remove it there, and check which commit added it`,
};

function foreignStaging(path: string): Refusal {
  return new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${path} was not written by content-gen, but ${STAGING_FOLDER} is reserved for running builds`,
    hint: `move ${path} elsewhere, delete ${STAGING_FOLDER}, and build again`,
  });
}

/** The first thing in the staging folder that no build puts there. Removing the folder would delete it. */
function foreignEntry(root: string): string | undefined {
  const isOwn = (side: string) => side === 'old' || side === 'new';
  for (const entry of readdirSync(join(root, STAGING_FOLDER), { withFileTypes: true })) {
    const path = `${STAGING_FOLDER}/${entry.name}`;
    if (entry.isFile() && /^(?:origin|(?:journal|forward|back)\.json)$/.test(entry.name)) continue;
    if (!entry.isDirectory() || !isOwn(entry.name)) return path;
    const staged = readdirSync(join(root, path), { withFileTypes: true });
    const foreign = staged.find((one) => !one.isFile() || !/^\d+$/.test(one.name));
    if (foreign) return `${path}/${foreign.name}`;
  }
  return undefined;
}

function isComplete(root: string, { entries }: Moves): boolean {
  return entries.every(({ path, before, after }, index) => {
    if (after === null || currentHash(join(root, path)) !== before) return true;
    return currentHash(stagedPath(root, 'new', index)) === after;
  });
}

/** The journal, if there is a trustworthy one: anybody may have put files into its folder. */
function readJournal(root: string): Journal | undefined {
  const text = readProjectText(root, JOURNAL);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJournal(value) && value.origin === identityOf(join(root, ORIGIN)) ? value : undefined;
}

function isJournal(value: unknown): value is Journal {
  if (typeof value !== 'object' || value === null || !('entries' in value) || !('direction' in value)) return false;
  if (!('origin' in value) || typeof value.origin !== 'string') return false;
  if (value.direction !== 'forward' && value.direction !== 'back') return false;
  return Array.isArray(value.entries) && value.entries.every(isEntry);
}

function isHashOrNull(value: unknown): boolean {
  return value === null || (typeof value === 'string' && HASH.test(value));
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!('path' in value) || !('before' in value) || !('after' in value)) return false;
  return (
    typeof value.path === 'string' &&
    isProjectPath(value.path) &&
    (value.after !== null || isManagedPath(value.path) || value.path.startsWith('migrations/')) &&
    isHashOrNull(value.before) &&
    isHashOrNull(value.after)
  );
}
