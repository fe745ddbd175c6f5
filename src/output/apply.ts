/** Writes a project: all of it or nothing, the manifest last. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type Action, isChange } from './action.ts';
import { readProjectText } from './disk.ts';
import type { FileOperations } from './file-operations.ts';
import { hashText } from '../files/hash.ts';
import { errorCode, ioDiagnostic, Refusal } from './io-error.ts';
import { hasStagingFolder, play, recover, removeStaging, stage, type StagedChange, writeJournal } from './journal.ts';
import { acquireLock, hasLock } from './lock.ts';
import { MANIFEST_FILE } from './project-path.ts';

export interface WriteOptions {
  readonly operations: FileOperations;
  readonly onWait: (processId: number) => void;
  /** Maximum number of attempts to take the lock. */
  readonly tries?: number;
  /** Whether to write a project that was last written by a newer version of content-gen. */
  readonly downgrade?: boolean;
}

/** The changes to write, and the state they were planned for. */
export interface PlannedWrite {
  /** Absolute, without symbolic links. */
  readonly root: string;
  readonly actions: readonly Action[];
  /** Text of the manifest when the actions were planned; `undefined`: there was none. */
  readonly manifestBefore: string | undefined;
  readonly manifestAfter: string;
}

/** `outdated`: another build has written the project since the actions were planned, so they must be planned again. */
export type WriteResult =
  { readonly kind: 'written' | 'outdated' } | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** The absolute path of a project, with symbolic links above it resolved. Throws a `Refusal` if it is a file. */
export function projectRoot(cwd: string, out: string): string {
  const path = resolve(cwd, out);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) {
    const parent = dirname(path);
    return parent === path ? path : join(projectRoot(cwd, parent), basename(path));
  }
  const root = existsSync(path) ? realpathSync(path) : path;
  if (lstatSync(root).isDirectory()) return root;
  throw new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${out} is not a folder`,
    hint: 'choose another folder with --out',
  });
}

/** Whether a build of this project is running or was killed. */
export function isBeingWritten(root: string): boolean {
  return hasStagingFolder(root) || hasLock(root);
}

/**
 * Completes or rolls back an interrupted build of this project, and returns diagnostics about it. Throws a `Refusal` or
 * a system error.
 */
export async function recoverProject(
  root: string,
  { operations, ...options }: WriteOptions,
): Promise<readonly Diagnostic[]> {
  if (!isBeingWritten(root)) return [];
  const release = await acquireLock(root, { operations, ...options });
  try {
    return recover(root, operations);
  } finally {
    release();
  }
}

/**
 * Writes the planned changes. On failure the project is rolled back; if even that fails, the next build completes it.
 */
export async function writeProject(planned: PlannedWrite, options: WriteOptions): Promise<WriteResult> {
  const { root, manifestBefore } = planned;
  const made: string[] = [];
  try {
    makeFolders(root, made, options.operations);
    const release = await acquireLock(root, options);
    try {
      if (hasStagingFolder(root) || readProjectText(root, MANIFEST_FILE) !== manifestBefore) {
        return { kind: 'outdated' };
      }
      writeAll(root, changesOf(planned), options.operations);
      return { kind: 'written' };
    } finally {
      release();
    }
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    for (const folder of made.reverse()) options.operations.removeEmptyFolder(folder);
    return { kind: 'failed', diagnostic };
  }
}

function makeFolders(path: string, made: string[], operations: FileOperations): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path), made, operations);
  try {
    operations.makeFolder(path);
    made.push(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Deletions come first: on a case-insensitive file system, a new file may have the name of an old one. The manifest is
 * last.
 */
function changesOf({ actions, manifestBefore, manifestAfter }: PlannedWrite): readonly StagedChange[] {
  const changes: StagedChange[] = actions
    .filter(isChange)
    .sort((a, b) => Number(b.kind === 'delete') - Number(a.kind === 'delete'))
    .map((action) => {
      const content = action.kind === 'delete' ? null : action.content;
      const before = action.kind === 'create' ? null : action.before;
      return { entry: { path: action.path, before, after: content === null ? null : hashText(content) }, content };
    });
  if (manifestAfter === manifestBefore) return changes;
  const before = manifestBefore === undefined ? null : hashText(manifestBefore);
  const manifest = { path: MANIFEST_FILE, before, after: hashText(manifestAfter) };
  return [...changes, { entry: manifest, content: manifestAfter }];
}

function writeAll(root: string, changes: readonly StagedChange[], operations: FileOperations): void {
  const entries = changes.map(({ entry }) => entry);
  try {
    stage(root, changes, operations);
    writeJournal(root, 'forward', entries, operations);
  } catch (error) {
    removeStaging(root, operations);
    throw error;
  }
  try {
    play(root, { direction: 'forward', entries }, operations);
  } catch (error) {
    writeJournal(root, 'back', entries, operations);
    play(root, { direction: 'back', entries }, operations);
    removeStaging(root, operations);
    throw error;
  }
  removeStaging(root, operations);
}
