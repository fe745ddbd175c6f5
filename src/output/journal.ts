/**
 * All or nothing: new contents and second names of the old ones are gathered in a staging folder, then a journal is put
 * there. From then on the change is decided. Whoever finds a journal plays it to its end; playing it twice changes nothing.
 *
 * A repository or an archive may bring a staging folder along, so a journal counts only where it was written: it names
 * the inode and the time of creation of a file beside it, and no checkout, copy or extraction can choose these. That
 * needs no secret kept elsewhere, so that a build that was killed in a container is completed from another one.
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

/** One file: the hash of its content before and after, `null` where there is none. */
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

/** A change of one file: `content` is `null` where the file goes. */
export interface StagedChange {
  readonly entry: JournalEntry;
  readonly content: string | null;
}

/** What to put in place, and in which direction. */
type Moves = Pick<Journal, 'direction' | 'entries'>;

const JOURNAL = `${STAGING_FOLDER}/journal.json`;
/** An empty file that is never touched again: what it is to the file system tells where the journal was written. */
const ORIGIN = `${STAGING_FOLDER}/origin`;
const HASH = /^[0-9a-f]{64}$/;

function changedMeanwhile(path: string): Refusal {
  return new Refusal({
    code: 'output/changed-meanwhile',
    severity: 'error',
    kind: 'refused',
    message: `${path} changed while the build was at work; nothing was written`,
    hint: 'build again',
  });
}

function notAFolder(path: string): Refusal {
  return new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${path} must be a folder, and is something else; nothing is written through links`,
    hint: `move ${path} away and build again`,
  });
}

/** Hash of a file's content, `null` where nothing is, `undefined` where something else than a file is. */
function currentHash(path: string): string | null | undefined {
  const bytes = readFileBytes(path);
  if (bytes) return hashContent(bytes);
  return lstatSync(path, { throwIfNoEntry: false }) ? undefined : null;
}

function stagedPath(root: string, side: 'old' | 'new', index: number): string {
  return join(root, STAGING_FOLDER, side, String(index));
}

/** Gathers what the changes need. Nothing of the project changes yet; the caller removes the staging folder on failure. */
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

/** Decides the change: from here on it is completed, by this build or by the next one. */
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
 * What a file is to this file system: its inode, and when it was created (its last change of status where the file system
 * doesn't record that). Undefined for whatever is no regular file.
 */
function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  return `${stats.ino}/${stats.birthtimeNs > 0n ? stats.birthtimeNs : stats.ctimeNs}`;
}

/** Puts each file in its place that is still as it was. A file that somebody changed meanwhile is left as it is. */
export function play(root: string, { direction, entries }: Moves, operations: FileOperations): void {
  const folders = new Set<string>();
  const emptied = new Set<string>();
  entries.forEach((entry, index) => {
    const [from, to] = direction === 'forward' ? [entry.before, entry.after] : [entry.after, entry.before];
    const target = join(root, entry.path);
    const obstacle = obstacleAbove(root, entry.path);
    // Behind it nothing was written, so that there is nothing to take back.
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

/** The first thing above a path that is no folder: between planning and writing somebody may have put a link there. */
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

/** Whether a build was interrupted here while it wrote, or is writing. */
export function hasStagingFolder(root: string): boolean {
  return lstatSync(join(root, STAGING_FOLDER), { throwIfNoEntry: false }) !== undefined;
}

/** Removes the staging folder. A journal goes first: without it the rest means nothing. */
export function removeStaging(root: string, operations: FileOperations): void {
  if (lstatSync(join(root, JOURNAL), { throwIfNoEntry: false })) operations.removeFile(join(root, JOURNAL));
  operations.removeFolder(join(root, STAGING_FOLDER));
}

/**
 * Ends what an interrupted build began: plays its journal, or forgets what it had only gathered. Where staged contents
 * were lost with the power, it goes back instead. The caller holds the lock. Says so where a journal was not used, as no
 * build in this folder wrote it; throws a `Refusal` where the staging folder holds what no build puts there.
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
  message: `${JOURNAL} was not written by a build in this folder: it was not used, and ${STAGING_FOLDER} was removed`,
  hint: `${STAGING_FOLDER} belongs in no repository and no copy; if it is in version control, remove it there, and see who added it`,
};

function foreignStaging(path: string): Refusal {
  return new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${path} was put there by somebody else: ${STAGING_FOLDER} is only for a build that is at work`,
    hint: `move ${path} away, delete ${STAGING_FOLDER} and build again`,
  });
}

/** The first thing in the staging folder that no build puts there: removing the folder would delete it. */
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

/** The journal, if there is one that can be trusted: it lies in a folder that anybody may have filled. */
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
