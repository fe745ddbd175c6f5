/** One build at a time in a project: a lock file with the id of the process that builds. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileBytes } from './disk.ts';
import type { FileOperations } from './file-operations.ts';
import { errorCode, Refusal } from './io-error.ts';
import { LOCK_FILE, STALE_LOCK_FILE } from './project-path.ts';

const WAIT_MS = 50;

/** Locks of this process: another one that was left with our process id, as in containers, is not among them. */
const held = new Set<string>();

export interface LockOptions {
  readonly operations: FileOperations;
  /** Called once, when another build has to be waited for. */
  readonly onWait: (processId: number) => void;
  /** How often to try again before the build refuses. 200 is about ten seconds. */
  readonly tries?: number;
}

/**
 * Takes the lock of a project, and gives back what releases it. Waits for a build that is at work; takes the lock of one
 * that was killed. Throws a `Refusal` when the other build does not end, or what is in the lock's place is no file.
 */
export async function acquireLock(root: string, { operations, onWait, tries = 200 }: LockOptions): Promise<() => void> {
  const path = join(root, LOCK_FILE);
  refuseObstacle(root, STALE_LOCK_FILE);
  for (let left = tries, told = false; ; left--) {
    if (tryToCreate(path, operations)) break;
    refuseObstacle(root, LOCK_FILE);
    const owner = held.has(path) ? process.pid : readOwner(path);
    if (owner === 'gone') continue;
    // A lock without a process id was cut off while it was written, or is being written now: only time tells.
    if (owner === undefined ? left <= 0 : !isAlive(owner, path)) {
      removeStale(root, owner, operations);
      continue;
    }
    if (left <= 0) throw new Refusal(lockedDiagnostic(owner));
    if (!told && owner !== undefined) onWait(owner);
    told ||= owner !== undefined;
    await sleep(WAIT_MS);
  }
  held.add(path);
  if (readOwner(join(root, STALE_LOCK_FILE)) !== 'gone') operations.removeFile(join(root, STALE_LOCK_FILE));
  return () => {
    if (held.delete(path) && readOwner(path) === process.pid) operations.removeFile(path);
  };
}

function tryToCreate(path: string, operations: FileOperations): boolean {
  try {
    operations.writeNew(path, `${process.pid}\n`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A pipe, a link or a folder in the place of a lock is no build's, and waiting for it would never end. */
function refuseObstacle(root: string, name: string): void {
  const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (!stats || stats.isFile()) return;
  throw new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${name} is no regular file, so no build put it there`,
    hint: `see where it comes from, delete ${name} and build again`,
  });
}

/** The process that holds the lock; `undefined` where the file does not say, `gone` where there is none. */
function readOwner(path: string): number | 'gone' | undefined {
  let text: string | undefined;
  try {
    text = readFileBytes(path)?.toString('latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    throw error;
  }
  if (text === undefined) return 'gone';
  return /^[1-9]\d{0,9}\n$/.test(text) ? Number(text) : undefined;
}

function isAlive(owner: number | undefined, path: string): boolean {
  if (owner === undefined) return true;
  if (owner === process.pid) return held.has(path);
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Removes the lock of a killed build. It is moved away first: if it turns out that another build has just taken the
 * lock, that one's lock is put back.
 */
function removeStale(root: string, owner: number | undefined, operations: FileOperations): void {
  const [path, aside] = [join(root, LOCK_FILE), join(root, STALE_LOCK_FILE)];
  try {
    operations.rename(path, aside);
    if (readOwner(aside) !== owner) operations.keepCopy(aside, path);
    operations.removeFile(aside);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Whether a build is at work here, or was killed and left its lock. */
export function hasLock(root: string): boolean {
  return [LOCK_FILE, STALE_LOCK_FILE].some((name) => lstatSync(join(root, name), { throwIfNoEntry: false }));
}

function lockedDiagnostic(owner: number | undefined) {
  return {
    code: 'output/locked',
    severity: 'error',
    kind: 'refused',
    message: `another build is at work in this project${owner === undefined ? '' : ` (process ${owner})`}`,
    hint: `wait until it has ended; if there is none, delete ${LOCK_FILE}`,
  } as const;
}
